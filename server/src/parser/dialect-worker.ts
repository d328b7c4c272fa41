/**
 * The worker thread for other dialects. Loads one grammar on startup and handles one request at a time. If parsing does
 * not finish, the owner terminates the thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { DialectOutcome } from '../language/dialects/outcome.ts';
import type { Dialect } from '../language/text/dialects.ts';
import { readDialectTree } from './dialect-walk.ts';

interface GrammarModule {
  readonly Parser: new () => {
    astify(text: string, options: { readonly trimQuery: boolean }): unknown;
  };
}

/** One import per dialect, so that only the requested grammar is evaluated. */
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
  if (port === null)
    throw new Error('This script is a parser thread of the language server; it does not run alone.');
  const dialect = workerData as Dialect; // set by DialectThread
  const loaded = await grammars[dialect]();
  // If Node.js does not detect the named exports of the CommonJS package, they are properties of its default export.
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

/** Returns the offset where the parser stopped. The error's list of thousands of expected words is not used. */
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
