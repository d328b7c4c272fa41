/** Reads the tables of a schema from pg_catalog, as far as the login may select from them. */
import type { ModelTable } from '#api/contract/model-tables.ts';
import { columnClasses, type ColumnClass } from '#api/contract/records/classes.ts';
import type { Rows } from './database.ts';

const kinds: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
};

interface TableRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly description: string | null;
}
interface ColumnRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly description: string | null;
  readonly generated: boolean;
  readonly values: string[] | null;
}
interface KeyRow {
  readonly id: string;
  readonly kind: 'p' | 'u' | 'f';
  readonly columns: string[];
  readonly model: string | null;
  readonly table: string | null;
  readonly targets: string[] | null;
}

/** Tables that the login may select from, at least one column of. Parts of a partitioned table are left out. */
const readable = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))`;
const ofSchema = `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = $1`;

const tablesSql = `SELECT c.oid::text AS id, c.relname::text AS name, c.relkind::text AS kind,
    obj_description(c.oid, 'pg_class') AS description
  FROM ${ofSchema} WHERE ${readable} ORDER BY c.relname`;

const columnsSql = `SELECT c.oid::text AS id, a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type,
    NOT a.attnotnull AS nullable, col_description(c.oid, a.attnum) AS description,
    a.attgenerated <> '' OR a.attidentity = 'a' AS generated,
    (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid) AS values
  FROM ${ofSchema} JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE ${readable} AND has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY c.oid, a.attnum`;

const namesOf = (
  relation: string,
  key: string,
): string => `(SELECT array_agg(a.attname::text ORDER BY k.place)
    FROM unnest(${key}) WITH ORDINALITY k(number, place)
    JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.number)`;
const keysSql = `SELECT c.oid::text AS id, o.contype::text AS kind, ${namesOf('c.oid', 'o.conkey')} AS columns,
    fn.nspname::text AS model, f.relname::text AS "table", ${namesOf('f.oid', 'o.confkey')} AS targets
  FROM ${ofSchema} JOIN pg_constraint o ON o.conrelid = c.oid AND o.contype IN ('p', 'u', 'f')
    AND o.conparentid = 0 -- a key to a partitioned table has one more for each part
    LEFT JOIN pg_class f ON f.oid = o.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
  WHERE ${readable} ORDER BY c.oid, o.contype DESC, o.conname`;

/** A mark in the comment of a column classes it, for example `[class: harmless]`. */
const classMark = new RegExp(`\\[class: (${columnClasses.join('|')})\\]`);

/** A column of a table, and its comment. */
export interface CommentedColumn {
  /** As `schema.table.column`. */
  readonly name: string;
  readonly comment: string | null;
}

/** @param classes by `schema.table.column`; a mark in the comment comes second */
export function classOfOwn(
  { name, comment }: CommentedColumn,
  classes: ReadonlyMap<string, ColumnClass>,
): ColumnClass | undefined {
  const marked = classMark.exec(comment ?? '')?.[1];
  return classes.get(name) ?? columnClasses.find((each) => each === marked);
}

/** @param classes of columns, by `schema.table.column` */
export async function readTables(
  rows: Rows,
  schema: string,
  classes: ReadonlyMap<string, ColumnClass> = new Map(),
): Promise<readonly ModelTable[]> {
  const tables = await rows<Row<TableRow>>(tablesSql, [schema]);
  const columns = Map.groupBy(await rows<Row<ColumnRow>>(columnsSql, [schema]), ({ id }) => id);
  const keys = Map.groupBy(await rows<Row<KeyRow>>(keysSql, [schema]), ({ id }) => id);
  return tables.map(({ id, name, kind, description }): ModelTable => {
    const own = keys.get(id) ?? [];
    return {
      name,
      kind: kinds[kind] ?? 'table',
      ...described(description),
      columns: (columns.get(id) ?? []).map((column) => ({
        name: column.name,
        type: column.type,
        nullable: column.nullable,
        ...described(column.description),
        ...(column.generated ? { generated: true } : {}),
        ...(column.values === null ? {} : { values: column.values }),
        ...classed(
          classOfOwn({ name: `${schema}.${name}.${column.name}`, comment: column.description }, classes),
        ),
      })),
      keys: own
        .filter((key) => key.kind !== 'f')
        .map((key) => ({ kind: key.kind === 'p' ? 'primary' : 'unique', columns: key.columns })),
      references: own.flatMap(({ kind: each, columns: from, model, table, targets }) =>
        each === 'f' && model !== null && table !== null && targets !== null
          ? [{ columns: from, model, table, tableColumns: targets }]
          : [],
      ),
    };
  });
}

/** The library's rows have any further columns. */
type Row<Known> = Known & Record<string, unknown>;

function classed(found: string | undefined): { readonly class?: string } {
  return found === undefined ? {} : { class: found };
}

function described(description: string | null): { readonly description?: string } {
  return description === null || description === '' ? {} : { description };
}
