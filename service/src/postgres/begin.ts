/** The start of the transaction that a query runs in: read-only, and with the same text for a value on every server. */
import { quoteName } from '#base/sql-names.ts';

/**
 * The server's own time limit ends the query if the service dies. It is slightly longer, so that ours applies first.
 */
const serverLimitExtraMs = 5_000;

export interface BeginOptions {
  /** Schemas in which names without one are looked up. */
  readonly searchPath: readonly string[];
  readonly timeoutMs: number;
  /** Name of a time zone, for example UTC. */
  readonly timeZone?: string;
  /** False if the caller makes the transaction read-only itself, before the query. */
  readonly isReadOnly?: boolean;
}

/**
 * Every statement of a transaction sees one snapshot. The settings are made inside it, since a pooler may not accept
 * them at the start of a connection, and a role's own settings would change the values.
 */
export function beginSql({
  searchPath,
  timeoutMs,
  timeZone = 'UTC',
  isReadOnly = true,
}: BeginOptions): string {
  const limitMs = timeoutMs + serverLimitExtraMs;
  const settings = {
    search_path: searchPath.map(quoteName).join(', '),
    statement_timeout: limitMs,
    idle_in_transaction_session_timeout: limitMs,
    lock_timeout: 2_000,
    timezone: `'${timeZone.replaceAll("'", "''")}'`,
    datestyle: "'ISO, MDY'",
    intervalstyle: "'postgres'",
    bytea_output: "'hex'",
    extra_float_digits: 1,
    standard_conforming_strings: 'on',
    xmlbinary: "'base64'",
    xmloption: "'content'",
    lc_monetary: "'C'",
    lc_numeric: "'C'",
    lc_time: "'C'",
    timezone_abbreviations: "'Default'",
    array_nulls: 'on',
    backslash_quote: "'safe_encoding'",
    exit_on_error: 'off',
    gin_fuzzy_search_limit: 0,
    quote_all_identifiers: 'off',
    row_security: 'on',
    transform_null_equals: 'off',
    client_encoding: "'UTF8'",
  };
  const each = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  return [`BEGIN ISOLATION LEVEL REPEATABLE READ ${isReadOnly ? 'READ ONLY' : 'READ WRITE'}`, ...each].join(
    '; ',
  );
}
