/** The supported SQL dialects other than PostgreSQL, and their lexical rules. */

import { dialects } from '#base/dialects.ts';
import type { NameQuotes } from './identifiers.ts';

export type Dialect = (typeof dialects)[number];

export interface DialectTraits {
  /** The dialect's display name. */
  readonly title: string;
  /** Whether a backslash in a string escapes the following quote. `depends` means that a server setting decides. */
  readonly backslashEscapes: 'always' | 'never' | 'depends';
  readonly doubleQuotes: 'name' | 'string';
  readonly backtickNames?: true;
  readonly bracketNames?: true;
  /** `$$ ... $$` is a string. */
  readonly dollarStrings?: true;
  /** Whether `#` starts a line comment. */
  readonly hashComments?: true;
  /** Whether `//` starts a line comment. */
  readonly slashComments?: true;
  /** `--` starts a comment only before whitespace; otherwise, it is two minus signs. */
  readonly dashesNeedSpace?: true;
  /** A statement can follow another without a semicolon. */
  readonly statementsRunOn?: true;
}

const mysql = {
  backslashEscapes: 'depends',
  doubleQuotes: 'string',
  backtickNames: true,
  hashComments: true,
  dashesNeedSpace: true,
} as const;
const standard = { backslashEscapes: 'never', doubleQuotes: 'name' } as const;

export const dialectTraits: Readonly<Record<Dialect, DialectTraits>> = {
  athena: { title: 'Athena', ...standard, backtickNames: true },
  bigquery: {
    title: 'BigQuery',
    backslashEscapes: 'always',
    doubleQuotes: 'string',
    backtickNames: true,
    hashComments: true,
  },
  db2: { title: 'Db2', ...standard },
  flinksql: { title: 'Flink SQL', ...standard, backtickNames: true },
  hive: { title: 'Hive', backslashEscapes: 'always', doubleQuotes: 'string', backtickNames: true },
  mariadb: { title: 'MariaDB', ...mysql },
  mysql: { title: 'MySQL', ...mysql },
  noql: { title: 'NoQL', ...standard, backslashEscapes: 'depends', dollarStrings: true },
  redshift: { title: 'Redshift', ...standard, backslashEscapes: 'depends', dollarStrings: true },
  snowflake: {
    title: 'Snowflake',
    backslashEscapes: 'always',
    doubleQuotes: 'name',
    dollarStrings: true,
    slashComments: true,
  },
  sqlite: { title: 'SQLite', ...standard, backtickNames: true, bracketNames: true },
  transactsql: { title: 'Transact-SQL', ...standard, bracketNames: true, statementsRunOn: true },
  trino: { title: 'Trino', ...standard },
};

/** Returns the quotes around names: double quotes, unless the dialect uses them for strings. */
export function nameQuotesOf(dialect: Dialect): NameQuotes {
  const { doubleQuotes, bracketNames } = dialectTraits[dialect];
  if (bracketNames === true && dialect === 'transactsql') return 'bracket';
  return doubleQuotes === 'name' ? 'double' : 'backtick';
}

/** Parses the untrusted setting. Returns undefined for PostgreSQL and unknown dialects. */
export function parseDialect(value: unknown): Dialect | undefined {
  return dialects.find((dialect) => dialect === value);
}
