/** Formats in a thread of its own: a quarter of a second for 100 KB would hold up everything else. */
import { parentPort } from 'node:worker_threads';
import {
  bigquery,
  db2,
  formatDialect,
  hive,
  mariadb,
  mysql,
  postgresql,
  redshift,
  snowflake,
  sql,
  sqlite,
  transactsql,
  trino,
  type DialectOptions,
} from 'sql-formatter';
import type { Dialect } from '../language/text/dialects.ts';
import type { FormatAnswer, FormatRequest } from './messages.ts';

/** What the formatter has for each dialect; Athena is made of Trino, and what it does not know is read as standard SQL. */
const rules: Readonly<Record<Dialect, DialectOptions>> = {
  athena: trino,
  bigquery,
  db2,
  flinksql: sql,
  hive,
  mariadb,
  mysql,
  noql: sql,
  redshift,
  snowflake,
  sqlite,
  transactsql,
  trino,
};

parentPort?.on('message', (request: FormatRequest) => {
  parentPort?.postMessage(format(request));
});

function format({ text, tabWidth, useTabs, dialect }: FormatRequest): FormatAnswer {
  try {
    return {
      text: formatDialect(text, {
        dialect: dialect === undefined ? postgresql : rules[dialect],
        tabWidth,
        useTabs,
        keywordCase: 'preserve',
        paramTypes: { named: [':'], numbered: ['$'] },
      }),
    };
  } catch {
    // It throws where it cannot read the text; then there is no formatted one.
    return {};
  }
}
