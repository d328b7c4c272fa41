/**
 * The identity model over a person's own database: a temporary view for each of its tables, which exists only inside
 * the transaction of a run. So the login needs no right but TEMP, nothing is left on a connection that a pooler shares,
 * and a run makes only the views that its query names.
 */
import { createHash } from 'node:crypto';
import type { DownloadContext } from '#api/contract/downloads.ts';
import type { ModelTable } from '#api/contract/model-tables.ts';
import type { ColumnClass } from '#api/contract/records/classes.ts';
import { identityModel } from '#api/contract/tables.ts';
import { quoteName, quoteText } from '#base/sql-names.ts';
import { beginSql } from '../../postgres/begin.ts';
import { scan } from '../../query/lexer.ts';
import type { Rows } from '../database.ts';
import type { CommentedColumn } from '../tables.ts';

export interface IdentityTable {
  /** A collection's table, or one of the preset's own. */
  readonly name: string;
  readonly description: string;
  /** A SELECT without parameters. Outside pg_catalog and the schemas of extensions, it names schemas. */
  readonly sql: string;
  /** Descriptions by column. */
  readonly columns: Readonly<Record<string, string>>;
  /** The column that tells the rows apart; by default `global_id`. */
  readonly key?: string;
  /** Returns the class of a column; the contract classes those of the collections. */
  readonly classOf?: (column: string) => ColumnClass | undefined;
  /** Returns the column of the database that a column shows as it is. */
  readonly originOf?: (column: string) => CommentedColumn | undefined;
  /** Returns what a column refers to, in addition to the contract's relations. */
  readonly relationOf?: (column: string) => { readonly table: string; readonly column: string } | undefined;
}

export interface IdentityExport {
  readonly context: DownloadContext;
  /** A query of the identity model. Outside of it, names have their schema. */
  readonly sql: string;
  /**
   * Explains what is wrong with it, with what there is. `position` is in `sql`, in code points from 1.
   * @param rows runs queries outside the transaction that failed
   */
  readonly explain: (
    problem: SqlProblem & { readonly sqlState?: string | undefined },
    rows: Rows,
  ) => Promise<string>;
}

/** What fills the identity model. */
export interface IdentitySource {
  /** For messages: the preset, or the mapping's file. */
  readonly shown: string;
  readonly description: string;
  readonly tables: readonly IdentityTable[];
  readonly exports: readonly IdentityExport[];
  /**
   * Explains an error in the SQL of a table, with the place to look at.
   * @param position in the table's SQL, in code points from 1
   */
  readonly explain: (table: string, error: SqlProblem) => string;
}

export interface SqlProblem {
  readonly message: string;
  readonly position: number | undefined;
}

/** The schema that `serve install` makes, for databases in which the login cannot have temporary views. */
export const installedSchema = 'identity_queries';

export interface IdentityBegin {
  readonly source: IdentitySource;
  /** Whether the views are those that the database's owner installed. */
  readonly isInstalled: boolean;
  readonly extensionSchemas: readonly string[];
  readonly timeoutMs: number;
  readonly timeZone: string;
}

/** Returns SQL that starts a read-only transaction in which the query finds the identity model's tables. */
export function beginIdentitySql(query: string, options: IdentityBegin): string {
  const { source, isInstalled, extensionSchemas, timeoutMs, timeZone } = options;
  const begin = { timeoutMs, timeZone };
  if (isInstalled) return beginSql({ ...begin, searchPath: [installedSchema, ...extensionSchemas] });
  return [
    beginSql({ ...begin, searchPath: ['pg_catalog', ...extensionSchemas], isReadOnly: false }),
    ...namedIn(query, source.tables).map(viewSql),
    'SET TRANSACTION READ ONLY',
    searchIdentitySql({ isInstalled, extensionSchemas }),
  ].join('; ');
}

/** Returns SQL after which a query finds the identity model's tables. */
export function searchIdentitySql({
  isInstalled,
  extensionSchemas,
}: Pick<IdentityBegin, 'isInstalled' | 'extensionSchemas'>): string {
  const schemas = [isInstalled ? installedSchema : 'pg_temp', ...extensionSchemas];
  return `SET LOCAL search_path = ${schemas.map(quoteName).join(', ')}`;
}

/**
 * Returns the query with the schema of the views in place of the model's name, padded to its length, so that the places
 * of errors stay.
 */
export function withSchemaOfViews(query: string, isInstalled: boolean): string {
  const schema = isInstalled ? installedSchema : 'pg_temp';
  const tokens = scan(query);
  let result = '';
  let copied = 0;
  for (const [index, { start, end }] of tokens.entries()) {
    const next = tokens[index + 1];
    const before = tokens[index - 1];
    const isModel = unquoted(query.slice(start, end)) === identityModel;
    const isQualifier = next !== undefined && query.slice(next.start, next.end) === '.';
    const isQualified = before !== undefined && query.slice(before.start, before.end) === '.';
    if (!isModel || !isQualifier || isQualified) continue;
    result += query.slice(copied, start) + schema.padEnd(end - start);
    copied = end;
  }
  return result + query.slice(copied);
}

/** Returns the name that PostgreSQL looks up for a plain or quoted identifier. */
function unquoted(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1) : token.toLowerCase();
}

/** Tables whose name occurs in the query, wherever. A view that is made in vain costs little. */
function namedIn(query: string, tables: readonly IdentityTable[]): readonly IdentityTable[] {
  const words = new Set(scan(query).map(({ start, end }) => unquoted(query.slice(start, end))));
  return tables.filter(({ name }) => words.has(name));
}

/** The query's own text follows a line break, since it may end with a comment. */
export function viewSql({ name, sql }: IdentityTable): string {
  return `${viewStart(name)}${sql}\n`;
}

export function viewStart(name: string): string {
  return `CREATE TEMPORARY VIEW ${quoteName(name)} AS `;
}

/** Returns the comment of the installed schema, which says which views are in it. */
export function installedComment({ tables }: Pick<IdentitySource, 'tables'>): string {
  const views = JSON.stringify(tables.map(({ name, sql }) => [name, sql]));
  return `${commentStart}${createHash('sha256').update(views).digest('hex')}`;
}

const commentStart = 'Identity Queries: ';

/** Returns SQL for the owner of the database that makes the same views, where the login may have no temporary ones. */
export function installSql(source: IdentitySource, reader: string): string {
  const schema = quoteName(installedSchema);
  return `${[
    `-- The tables of the model ${identityModel}, as views. Run this as the owner of the database, again after each update.`,
    'BEGIN;',
    `DO $do$ BEGIN IF EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = ${quoteText(installedSchema)}
  AND pg_catalog.left(coalesce(pg_catalog.obj_description(oid, 'pg_namespace'), ''), ${commentStart.length}) <> ${quoteText(commentStart)}) THEN
  RAISE EXCEPTION ${quoteText(`There is another schema ${installedSchema}. Rename it first.`)}; END IF; END $do$;`,
    `DROP SCHEMA IF EXISTS ${schema} CASCADE;`,
    `CREATE SCHEMA ${schema};`,
    `COMMENT ON SCHEMA ${schema} IS ${quoteText(installedComment(source))};`,
    ...source.tables.flatMap(({ name, sql, description }) => [
      `CREATE VIEW ${schema}.${quoteName(name)} WITH (security_invoker = true) AS ${sql}\n;`,
      `COMMENT ON VIEW ${schema}.${quoteName(name)} IS ${quoteText(description)};`,
    ]),
    `GRANT USAGE ON SCHEMA ${schema} TO ${quoteName(reader)};`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${quoteName(reader)};`,
    'COMMIT;',
  ].join('\n')}\n`;
}

/** The tables as the service lists them, once their columns are known. */
export interface DescribedIdentity {
  readonly isInstalled: boolean;
  readonly tables: readonly ModelTable[];
  readonly exports: readonly DescribedExport[];
}

export interface DescribedExport extends Pick<IdentityExport, 'context' | 'sql'> {
  readonly columns: readonly string[];
}
