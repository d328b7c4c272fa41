/**
 * The worker thread of other dialects: one grammar, loaded at its start, and one text at a time. It may never
 * finish a text; its owner then ends it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Dialect } from '../language/text/dialects.ts';
import type { DialectOutcome } from '../language/dialects/outcome.ts';
import { readDialectTree } from './dialect-walk.ts';

interface GrammarModule {
  readonly Parser: new () => {
    astify(text: string, options: { readonly trimQuery: boolean }): unknown;
  };
}

/** One import per dialect, so that only the chosen grammar is evaluated. */
const grammars: Readonly<Record<Dialect, () => Promise<unknown>>> = {
  athena: () => import('node-sql-parser/build/athena.js'),
  bigquery: () => import('node-sql-parser/build/bigquery.js'),
  db2: () => import('node-sql-parser/build/db2.js'),
  flinksql: () => import('node-sql-parser/build/flinksql.js'),
  hive: () => import('node-sql-parser/build/hive.js'),
  mariadb: () => import('node-sql-parser/build/mariadb.js'),
  mysql: () => import('node-sql-parser/build/mysql.js'),
  noql: () => import('node-sql-parser/build/noql.js'),
  redshift: () => import('node-sql-parser/build/redshift.js'),
  snowflake: () => import('node-sql-parser/build/snowflake.js'),
  sqlite: () => import('node-sql-parser/build/sqlite.js'),
  transactsql: () => import('node-sql-parser/build/transactsql.js'),
  trino: () => import('node-sql-parser/build/trino.js'),
};

async function serve(): Promise<void> {
  const port = parentPort;
  if (port === null) {
    throw new Error('This script is a parser thread of the language server; it does not run alone.');
  }
  const dialect = workerData as Dialect; // Set by DialectThread.
  const loaded = await grammars[dialect]();
  // A CommonJS package: if its named exports are not detected, they are on the default export.
  const { Parser } = (
    hasParser(loaded) ? loaded : (loaded as { readonly default: unknown }).default
  ) as GrammarModule;
  const parser = new Parser();
  parser.astify('SELECT 1', { trimQuery: false });
  port.on('message', (text: string) => {
    port.postMessage(parse(parser, text));
  });
  port.postMessage('ready');
}

function parse(parser: InstanceType<GrammarModule['Parser']>, text: string): DialectOutcome {
  try {
    return readDialectTree(parser.astify(text, { trimQuery: false }));
  } catch (error) {
    return error instanceof RangeError
      ? { kind: 'gave-up', reason: 'stack' }
      : { kind: 'syntax-error', offset: offsetOf(error) };
  }
}

/** The parser's error has the offset where it stopped; the rest, a list of thousands of words, is unused. */
function offsetOf(error: unknown): number | undefined {
  const location = (error as { readonly location?: { readonly start?: { readonly offset?: unknown } } })
    .location;
  const offset = location?.start?.offset;
  return typeof offset === 'number' ? offset : undefined;
}

function hasParser(module: unknown): boolean {
  return typeof module === 'object' && module !== null && 'Parser' in module;
}

void serve();
