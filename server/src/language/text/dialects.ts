/** The SQL dialects that can be chosen in place of PostgreSQL's, and what their lexical rules differ in. */

import type { NameQuotes } from './identifiers.ts';

/** Exactly what the parser package ships, besides `postgresql`, which has a parser of its own here. */
export const dialects = [
  'athena',
  'bigquery',
  'db2',
  'flinksql',
  'hive',
  'mariadb',
  'mysql',
  'noql',
  'redshift',
  'snowflake',
  'sqlite',
  'transactsql',
  'trino',
] as const;
export type Dialect = (typeof dialects)[number];

export interface DialectTraits {
  /** As people write it. */
  readonly title: string;
  /** Whether a backslash in a string hides the quote behind it: `depends` on a setting of the server. */
  readonly backslashEscapes: 'always' | 'never' | 'depends';
  readonly doubleQuotes: 'name' | 'string';
  readonly backtickNames?: true;
  readonly bracketNames?: true;
  /** `$$ ... $$` */
  readonly dollarStrings?: true;
  /** A comment from `#` to the end of the line. */
  readonly hashComments?: true;
  /** A comment from `//` to the end of the line. */
  readonly slashComments?: true;
  /** `--` is two minus signs where no white space follows. */
  readonly dashesNeedSpace?: true;
  /** The next statement may begin without a semicolon before it. */
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

/** How the dialect quotes names: with double quotes where those are not a string's. */
export function nameQuotesOf(dialect: Dialect): NameQuotes {
  const { doubleQuotes, bracketNames } = dialectTraits[dialect];
  if (bracketNames === true && dialect === 'transactsql') {
    return 'bracket';
  }
  return doubleQuotes === 'name' ? 'double' : 'backtick';
}

/** Settings come from outside. Undefined for PostgreSQL and for what is no dialect. */
export function parseDialect(value: unknown): Dialect | undefined {
  return dialects.find((dialect) => dialect === value);
}
