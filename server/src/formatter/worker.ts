/**
 * Formats in a separate thread: formatting 100 KB takes a quarter of a second, which would block all other requests.
 */
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

/** The formatter's dialect names. Athena uses Trino's rules; unsupported dialects use standard SQL. */
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

function format({ text, tabWidth, useTabs, style, dialect }: FormatRequest): FormatAnswer {
  try {
    return {
      text: formatDialect(text, {
        dialect: dialect === undefined ? postgresql : rules[dialect],
        tabWidth,
        useTabs,
        keywordCase: style?.keywordCase ?? 'preserve',
        ...(style === undefined ? {} : { expressionWidth: style.width }),
        paramTypes: { named: [':'], numbered: ['$'] },
      }),
    };
  } catch {
    // The formatter throws if it cannot parse the text.
    return {};
  }
}
