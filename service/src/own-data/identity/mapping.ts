/**
 * A person's own mapping: a YAML file (so also JSON) that says which SELECT fills which collection, and which of its
 * columns fills which field. Every problem names the file, the line, the column, and what there is.
 */
import path from 'node:path';
import pg from 'pg';
import { isScalar, type Node, type ParsedNode } from 'yaml';
import { downloadContexts, type DownloadContext } from '#api/contract/downloads.ts';
import { columnClasses, type ColumnClass } from '#api/contract/records/classes.ts';
import { quoteName, quoteText } from '#base/sql-names.ts';
import { collections, type Collection } from '../../data/collections.ts';
import { columnsOf, type TableColumn } from '../../data/tables/columns.ts';
import { asSentence, type ServerConnection } from '../../postgres/connection.ts';
import { scan } from '../../query/lexer.ts';
import { offsetOfPosition } from '../../query/positions.ts';
import { inspectOn, type OwnDatabase, type Rows } from '../database.ts';
import type { CommentedColumn } from '../tables.ts';
import { membersOf, parseYaml, textOf, type Located, type YamlFile } from '../yaml-file.ts';
import { describeSelect, type DescribedField } from './describe-select.ts';
import type { IdentitySource, IdentityTable, SqlProblem } from './tables.ts';

interface CollectionMapping {
  readonly collection: Collection;
  readonly select: Located;
  /** The columns of the SELECT, by column of the collection's table. */
  readonly fields: ReadonlyMap<string, Located>;
}

export interface Mapping {
  readonly collections: readonly CollectionMapping[];
  /** Data sets that can be exported. */
  readonly exports: readonly { readonly context: DownloadContext; readonly select: Located }[];
  /** By `schema.table.column`. */
  readonly classes: ReadonlyMap<string, ColumnClass>;
  /** `classes` with their places, for columns that do not exist. */
  readonly classPlaces: ReadonlyMap<string, ParsedNode>;
  readonly file: YamlFile;
}

const byTable: ReadonlyMap<string, Collection> = new Map(
  Object.values(collections).map((collection) => [collection.table, collection]),
);
const linkTable = collections.enrollmentLinks.table;
const members = ['collections', 'exports', 'classes'];
const entryMembers = ['select', 'fields'];

export type ClassedColumns = Pick<Mapping, 'classes' | 'classPlaces' | 'file'>;

/** Reads what columns reveal of a person, by `schema.table.column`. @throws OwnDatabaseError */
export function parseClasses(file: YamlFile, node: ParsedNode | null | undefined): ClassedColumns {
  const classes = new Map<string, ColumnClass>();
  const classPlaces = new Map<string, ParsedNode>();
  for (const [column, { key, value }] of membersOf(file, node, '`classes`')) {
    const given = isScalar(value) ? String(value.value) : '';
    const known = columnClasses.find((each) => each === given);
    if (known === undefined)
      throw file.problem(
        value,
        `"${given.slice(0, 40)}" is not a class. There are: ${columnClasses.join(', ')}.`,
      );
    classes.set(column, known);
    classPlaces.set(column, key);
  }
  return { file, classes, classPlaces };
}

/** @throws OwnDatabaseError */
export function parseMapping(name: string, text: string): Mapping {
  const { file, contents } = parseYaml(name, text);
  const root = membersOf(file, contents, 'The file', members);
  const found = root.get('collections');
  if (found === undefined)
    throw file.problem(
      contents,
      'there are no `collections`, for example `collections: {accounts: {select: ..., fields: ...}}`.',
    );
  const entries = [...membersOf(file, found.value, '`collections`', [...byTable.keys()])];
  if (entries.length === 0) throw file.problem(found.value, '`collections` names none.');
  const { classes, classPlaces } = parseClasses(file, root.get('classes')?.value);
  const exports = [...membersOf(file, root.get('exports')?.value, '`exports`', downloadContexts)];
  return {
    file,
    exports: exports.flatMap(([name, { value }]) => {
      const context = downloadContexts.find((each) => each === name);
      if (context === undefined) return [];
      return [{ context, select: withoutEnd(textOf(file, value, `the query of \`${name}\``)) }];
    }),
    classes,
    classPlaces,
    collections: entries.flatMap(([table, { key, value }]) => {
      const collection = byTable.get(table);
      if (collection === undefined) return [];
      const entry = membersOf(file, value, `\`${table}\``, entryMembers);
      const select = entry.get('select');
      const fields = entry.get('fields');
      if (select === undefined || fields === undefined)
        throw file.problem(key, `\`${table}\` needs a \`select\` and its \`fields\`.`);
      const known = columnsOf(collection.schema).map(({ name }) => name);
      const mapped = new Map(
        [...membersOf(file, fields.value, `\`fields\` of \`${table}\``, known)].map(([field, place]) => [
          field,
          textOf(file, place.value, `the column that fills \`${field}\``),
        ]),
      );
      if (table !== linkTable && !mapped.has('id') && !mapped.has('global_id'))
        throw file.problem(fields.value ?? key, `\`fields\` of \`${table}\` needs \`id\` or \`global_id\`.`);
      return [{ collection, select: withoutEnd(textOf(file, select.value, '`select`')), fields: mapped }];
    }),
  };
}

/** Leaves out the semicolons at the end, and what follows them. */
function withoutEnd({ text, node }: Located): Located {
  const last = scan(text).findLast(({ start, end }) => text.slice(start, end) !== ';');
  return { text: text.slice(0, last?.end ?? 0), node };
}

/**
 * Looks up the columns of each SELECT, and returns the tables that the mapping makes.
 * @throws OwnDatabaseError if a SELECT is not one, or lacks a column that the mapping names.
 */
export async function mappedSource(
  mapping: Mapping,
  shown: string,
  database: OwnDatabase,
  {
    extensionSchemas,
    triesValues,
  }: { readonly extensionSchemas: readonly string[]; readonly triesValues: boolean },
): Promise<IdentitySource> {
  const { file } = mapping;
  const tables: IdentityTable[] = [];
  const placed = new Map<string, Placed>();
  await database.use(async (connection) => {
    const triesUntil = performance.now() + tryMs;
    const rows: Rows = (sql, values) => connection.rows(sql, values);
    for (const entry of mapping.collections) {
      const { table, schema, description } = entry.collection;
      const answer = await inspectOn(
        connection,
        async () => {
          const described = await describeSelect(connection, entry.select.text);
          if (described.kind === 'failed') return described;
          return {
            kind: 'typed' as const,
            columns: await typesOf(connection, described.fields),
            origins: await originsOf(connection, described.fields),
          };
        },
        { schemas: extensionSchemas },
      );
      if (answer.kind === 'failed') {
        const { sqlState, message, position } = answer;
        const there = await thereIs(rows, sqlState, entry.select.text);
        throw file.problem(placeIn(file, entry.select, position), `${asSentence(message)}${there}`);
      }
      const { columns, origins } = answer;
      for (const [field, column] of entry.fields) {
        if (!columns.has(column.text))
          throw file.problem(
            column.node,
            `the select of \`${table}\` has no column "${column.text.slice(0, 80)}" (for ${field}). There are: ${[...columns.keys()].join(', ') || 'none'}.`,
          );
      }
      const values = valuesOf(entry, columnsOf(schema), columns);
      if (triesValues)
        await requireFitting(connection, entry, { file, columns, extensionSchemas, triesUntil });
      const start = `SELECT ${values.map(({ sql }) => sql).join(', ')} FROM (`;
      tables.push({
        name: table,
        description,
        columns: {},
        sql: `${start}${entry.select.text}\n) mapped`,
        originOf: (field) => origins.get(sourceOf(entry, field)?.text ?? ''),
      });
      placed.set(table, { entry, before: Array.from(start).length, values });
    }
    await requireColumns(mapping, rows);
  });
  return {
    shown: `the mapping ${shown}`,
    description: `What the mapping ${path.basename(shown)} makes of this database.`,
    tables,
    exports: mapping.exports.map(({ context, select }) => ({
      context,
      sql: select.text,
      explain: async ({ message, position, sqlState }, run) => {
        const there = await thereIs(run, sqlState, select.text);
        return file.problem(placeIn(file, select, position), `${context}: ${asSentence(message)}${there}`)
          .message;
      },
    })),
    explain: (table, problem) => explain(file, placed.get(table), table, problem),
  };
}

/** Returns the type of each column of a SELECT, which is not run. */
async function typesOf(
  connection: ServerConnection,
  fields: readonly { readonly name: string; readonly typeOid: number }[],
): Promise<ReadonlyMap<string, string>> {
  const types = await connection.rows<{ oid: number; type: string }>(
    // With -1, since `character` and `bit` alone have a length of one.
    `SELECT oid::int4 AS oid, replace(format_type(oid, -1), 'timestamp with time zone', 'timestamptz') AS type
     FROM pg_type WHERE oid::int4 = ANY ($1)`,
    [fields.map(({ typeOid }) => typeOid)],
  );
  const typeOf = new Map(types.map(({ oid, type }) => [oid, type]));
  return new Map(fields.map(({ name, typeOid }) => [name, typeOf.get(typeOid) ?? 'text']));
}

/** Returns the column of the database that each column of a SELECT shows as it is. */
async function originsOf(
  connection: ServerConnection,
  fields: readonly DescribedField[],
): Promise<ReadonlyMap<string, CommentedColumn>> {
  const found = await connection.rows<{ oid: number; column: number; name: string; comment: string | null }>(
    `SELECT c.oid::int8::float8 AS oid, a.attnum::int AS column, format('%s.%s.%s', n.nspname, c.relname, a.attname) AS name,
       col_description(c.oid, a.attnum) AS comment
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE a.attnum > 0 AND c.oid = ANY ($1::float8[]::int8[]::oid[])`,
    [[...new Set(fields.map(({ tableOid }) => tableOid))]],
  );
  const byPlace = new Map(found.map((column) => [`${column.oid} ${column.column}`, column]));
  return new Map(
    fields.flatMap(({ name, tableOid, column }) => {
      const origin = byPlace.get(`${tableOid} ${column}`);
      return origin === undefined ? [] : [[name, origin]];
    }),
  );
}

/** @throws OwnDatabaseError if a column that has a class does not exist. */
export async function requireColumns({ classPlaces, file }: ClassedColumns, rows: Rows): Promise<void> {
  const found = await rows<{ name: string }>(
    `SELECT format('%s.%s.%s', n.nspname, c.relname, a.attname) AS name
     FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE a.attnum > 0 AND NOT a.attisdropped AND pg_catalog.format('%s.%s.%s', n.nspname, c.relname, a.attname) = ANY ($1)`,
    [[...classPlaces.keys()]],
  );
  const known = new Set(found.map(({ name }) => name));
  for (const [name, place] of classPlaces) {
    if (!known.has(name))
      throw file.problem(place, `there is no column ${name.slice(0, 200)}. Write schema.table.column.`);
  }
}

function placeIn(file: YamlFile, select: Located, position: number | undefined): number | Node {
  if (position === undefined || position < 1) return select.node;
  return file.offsetIn(select, offsetOfPosition(select.text, position));
}

/** Returns a sentence with the tables or columns that there are, if a name is not. */
async function thereIs(rows: Rows, sqlState: string | undefined, select: string): Promise<string> {
  const isTable = sqlState === '42P01' || sqlState === '3F000';
  if (!isTable && sqlState !== '42703') return '';
  const found = await rows<{ name: string }>(isTable ? tablesSql : columnsSql, isTable ? [] : [select]);
  const names = found.map(({ name }) => name);
  if (names.length === 0) return '';
  const shown = names.slice(0, mostNames).join(', ');
  return ` There are: ${shown}${names.length > mostNames ? ` and ${names.length - mostNames} more` : ''}.`;
}

const mostNames = 60;
const readable = `FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;
const isOwn = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'`;
const tablesSql = `SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name ${readable}
  WHERE ${isOwn} AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')) ORDER BY 1`;
/** Columns of the tables whose names occur in the text. */
const columnsSql = `SELECT pg_catalog.format('%I.%I', c.relname, a.attname) AS name ${readable}
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE ${isOwn} AND pg_catalog.strpos($1, pg_catalog.format('%I.%I', n.nspname, c.relname)) > 0
    AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY n.nspname, c.relname, a.attnum`;

interface Placed {
  readonly entry: CollectionMapping;
  /** Code points before the SELECT. */
  readonly before: number;
  readonly values: readonly MappedValue[];
}

function explain(
  file: YamlFile,
  place: Placed | undefined,
  table: string,
  { message, position }: SqlProblem,
): string {
  const select = place?.entry.select;
  if (place === undefined || select === undefined) return asSentence(message);
  const at = position === undefined ? 0 : position - place.before;
  if (at < 1 && position !== undefined) {
    // The values come first, separated by commas.
    let end = 'SELECT '.length;
    for (const { sql, column } of place.values) {
      end += Array.from(sql).length + ', '.length;
      if (position <= end && column !== undefined)
        return file.problem(column.node, `${table}: ${asSentence(message)}`).message;
    }
  }
  return file.problem(placeIn(file, select, at), `${table}: ${asSentence(message)}`).message;
}

interface MappedValue {
  readonly sql: string;
  /** Where the file names the column. */
  readonly column: Located | undefined;
}

/** The start waits no longer for the values of all SELECTs together. */
const tryMs = 5_000;
/** The rows of a SELECT in which values are looked for. */
const triedRows = 1_000;
/** Whatever a column holds can be one. */
const anyText: readonly string[] = ['text', 'text[]', 'jsonb'];
/** Columns whose values all fit where their type does. */
const neverDoubtful = /^(?:boolean|date|smallint|timestamp)/;

/**
 * Whether a text is a number, a truth value or a time, only its values tell. So the first one of each such column is
 * tried.
 * @throws OwnDatabaseError if it does not fit its field
 */
async function requireFitting(
  connection: ServerConnection,
  entry: CollectionMapping,
  {
    file,
    columns,
    extensionSchemas: schemas,
    triesUntil,
  }: {
    readonly file: YamlFile;
    readonly columns: ReadonlyMap<string, string>;
    readonly extensionSchemas: readonly string[];
    /** On the clock of `performance`. */
    readonly triesUntil: number;
  },
): Promise<void> {
  const { table, schema } = entry.collection;
  const doubtful = columnsOf(schema).flatMap(({ name, type: to }) => {
    const column = entry.fields.get(name);
    const from = columns.get(column?.text ?? '') ?? '';
    const isSure = from === to || anyText.includes(to) || neverDoubtful.test(from);
    return column === undefined || isSure ? [] : [{ name, to, from, column }];
  });
  /** What cannot be read now, such as a slow view or a foreign table whose server is away, is told when it is read. */
  const tried = async (sql: string, values: readonly unknown[] = []) => {
    const leftMs = Math.ceil(triesUntil - performance.now());
    if (leftMs <= 0) return undefined;
    return await inspectOn(
      connection,
      async (rows) => {
        await connection.exec(`SET LOCAL statement_timeout = ${leftMs}`);
        return await rows<{ value: string | null }>(sql, values);
      },
      { schemas },
    ).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError) return error;
      throw error;
    });
  };
  if (doubtful.length === 0) return;
  const firsts = doubtful.map(({ column }) => {
    const value = `mapped.${quoteName(column.text)}`;
    return `(array_agg(${value}::text) FILTER (WHERE ${value} IS NOT NULL))[1]`;
  });
  const found = await tried(
    `SELECT unnest(ARRAY[${firsts.join(', ')}]) AS value
     FROM (SELECT * FROM (${entry.select.text}\n) mapped LIMIT ${triedRows}) mapped`,
  );
  if (!Array.isArray(found)) return;
  for (const [index, { name, to, from, column }] of doubtful.entries()) {
    const value = found[index]?.value ?? null;
    const answer =
      value === null ? undefined : await tried(`SELECT ${cast(`$1::text::${from}`, from, to)}`, [value]);
    if (!isOfValue(answer)) continue;
    const fitting = [...columns].flatMap(([other, type]) => (type === to ? [other] : []));
    const there = fitting.length === 0 ? 'none' : fitting.join(', ');
    throw file.problem(
      column.node,
      `\`${name}\` of \`${table}\` must be ${to}, and a value of "${column.text}" (${from}) is not. Make one of it in the select. Columns of this type: ${there}.`,
    );
  }
}

/** SQLSTATE class 22: data exceptions. */
const isOfValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;

/** Returns what fills a field. */
function sourceOf({ fields }: CollectionMapping, name: string): Located | undefined {
  // Either identifies the record here.
  const other = { id: 'global_id', global_id: 'id' }[name];
  return fields.get(name) ?? (other === undefined ? undefined : fields.get(other));
}

/** Returns the view's columns, in the order of the collection's fields. */
function valuesOf(
  entry: CollectionMapping,
  all: readonly TableColumn[],
  columns: ReadonlyMap<string, string>,
): readonly MappedValue[] {
  return all.flatMap(({ name, type }): readonly MappedValue[] => {
    const column = sourceOf(entry, name);
    if (column !== undefined) {
      const { text } = column;
      const value = cast(`mapped.${quoteName(text)}`, columns.get(text) ?? 'text', type);
      return [{ sql: `${value} AS ${quoteName(name)}`, column }];
    }
    if (entry.collection.table !== linkTable || name !== 'relationship') return [];
    const [enrollment, authenticator] = ['authenticator_enrollment_id', 'authenticator_id'].map((field) =>
      sourceOf(entry, field),
    );
    if (enrollment === undefined || authenticator === undefined) return [];
    const json = ({ text }: Located): string => `to_json(mapped.${quoteName(text)}::text)::text`;
    const parts = [
      quoteText('(:AuthenticatorEnrollment {id: '),
      json(enrollment),
      quoteText('})-[:EnrolledVia]->(:Authenticator {id: '),
      json(authenticator),
      quoteText('})'),
    ];
    return [{ sql: `${parts.join(' || ')} AS relationship`, column: undefined }];
  });
}

/** Returns SQL for a value in the type of the collection's column. */
function cast(value: string, from: string, to: TableColumn['type']): string {
  if (to === 'jsonb') return from === 'jsonb' ? value : `to_jsonb(${value})`;
  if (to.endsWith('[]') && !from.endsWith('[]'))
    return `CASE WHEN ${value} IS NOT NULL THEN ARRAY[${value}]::${to} END`;
  return from === to ? value : `${value}::${to}`;
}
