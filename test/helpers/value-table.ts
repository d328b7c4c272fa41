/** Random tables of every type, held by PostgreSQL, with their rows as a service sends them. */
import type { PGlite } from '@electric-sql/pglite';
import { jsonText, parseJson } from '#api/client/json.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import { encoderOf } from '#service/query/encode.ts';
import { typeNamesSql } from '#service/query/session.ts';
import { newDatabase } from './new-database.ts';
import { ownTypes, seeded, typedValues, type Random, type TypedValues } from './typed-values.ts';

export interface ValueColumn extends StoreColumn {
  readonly values: TypedValues;
}

export interface ValueTable {
  /** The first column numbers the rows. */
  readonly columns: readonly ValueColumn[];
  /** Values of JSON, as the client parses them. */
  readonly rows: readonly (readonly unknown[])[];
  /** The cells as the panel shows them. */
  readonly shown: readonly (readonly (string | null)[])[];
  /** The cells as PostgreSQL writes them. */
  readonly texts: readonly (readonly (string | null)[])[];
  /** What the generator decides by, so that a table is repeated from its seed. */
  readonly random: Random;
  /** Whether it has the edges of its types, each of which counts. */
  readonly hasEdges: boolean;
}

const rowNumbers: TypedValues = { type: 'int4', edges: [], random: () => '0' };

export async function openDatabase(): Promise<PGlite> {
  const database = await newDatabase();
  for (const statement of [...ownTypes, `SET TimeZone = 'UTC'`]) await database.exec(statement);
  return database;
}

/** Names of columns that formats have to quote. */
const hostile = ['', ' "x"', ', y', '; z', "'s", ' | p', '\tt', ' é😀', ' _x000D_', '<b>&'] as const;

/** Makes a table of up to five columns and twelve rows from a seed. */
export async function randomTable(database: PGlite, seed: number): Promise<ValueTable> {
  const random = seeded(seed);
  const below = (end: number) => Math.floor(random() * end);
  const columns = Array.from({ length: 1 + below(5) }, () => typedValues[below(typedValues.length)]);
  const count = below(13);
  const made = columns.flatMap((values) => (values === undefined ? [] : [values]));
  const cells = Array.from({ length: count }, () =>
    made.map((values) => (random() < 0.15 ? null : randomCell(values, random))),
  );
  const table = await holdTable(database, { types: made, cells, random });
  return table;
}

export function randomCell({ edges, random: value }: TypedValues, random: Random): string {
  return random() < 0.5 ? (edges[Math.floor(random() * edges.length)] ?? '') : value(random);
}

const typesPerTable = 6;

/** Makes tables with all edges of each type, and NULL. */
export async function* edgeTables(database: PGlite): AsyncGenerator<ValueTable, void, void> {
  for (let first = 0; first < typedValues.length; first += typesPerTable) {
    const types = typedValues.slice(first, first + typesPerTable);
    const count = 1 + Math.max(...types.map(({ edges }) => edges.length));
    const cells = Array.from({ length: count }, (_, row) => types.map(({ edges }) => edges[row] ?? null));
    yield { ...(await holdTable(database, { types, cells, random: seeded(first) })), hasEdges: true };
  }
}

/** Makes a table with a cell of about so many bytes of each type that may be long. */
export async function largeTable(database: PGlite, bytes: number): Promise<ValueTable> {
  const text = `"a',;|\n\té😀\\ `.repeat(bytes / 18);
  const named = (type: string): TypedValues => ({ type, edges: [], random: () => '', isOrderUnknown: true });
  const types = ['text', 'jsonb', 'bytea', 'text[]'].map(named);
  const list = `{${`"a,\\"b",NULL,`.repeat(bytes / 13)}c}`;
  const large = [text, JSON.stringify([text]), `\\x${'00ff'.repeat(bytes / 4)}`, list];
  return await holdTable(database, { types, cells: [large, ['', '1', '', '{}']], random: seeded(1) });
}

interface Content {
  readonly types: readonly TypedValues[];
  readonly cells: readonly (readonly (string | null)[])[];
  readonly random: Random;
}

async function holdTable(database: PGlite, { types, cells, random }: Content): Promise<ValueTable> {
  const names = types.map((_, index) => `c${index}${hostile[Math.floor(random() * hostile.length)] ?? ''}`);
  await makeTable(database, 'held', definitionOf(types));
  await fillTable(database, 'held', { types, cells });
  const reported = await reportedTypes(database, types.length);
  const columns: ValueColumn[] = [
    { name: 'row', type: 'int4', values: rowNumbers },
    ...types.map((values, index) => ({ name: names[index] ?? '', type: reported[index] ?? '', values })),
  ];
  const texts = await textsOf(database, 'held', types.length);
  return { columns, ...sentRows(columns, texts), texts, random, hasEdges: false };
}

/** Returns rows as a service sends them, from PostgreSQL's texts. */
export function sentRows(
  columns: readonly ValueColumn[],
  texts: ValueTable['texts'],
): Pick<ValueTable, 'rows' | 'shown'> {
  const encoders = columns.map(({ type }) => encoderOf(type));
  const parsed = texts.map((row) =>
    row.map((text, column) => (text === null ? null : parseJson(encoders[column]?.(text) ?? 'null'))),
  );
  return {
    rows: parsed,
    shown: parsed.map((row) => row.map((value, column) => shownText(value, columns[column]))),
  };
}

export function definitionOf(types: readonly TypedValues[]): string {
  return ['"row" int4', ...types.map(({ type }, index) => `c${index} ${type}`)].join(', ');
}

export async function makeTable(database: PGlite, name: string, definition: string): Promise<void> {
  await database.exec(`DROP TABLE IF EXISTS pg_temp.${name}; CREATE TEMP TABLE ${name} (${definition})`);
}

export async function fillTable(
  database: PGlite,
  name: string,
  { types, cells }: Omit<Content, 'random'>,
): Promise<void> {
  const columns = types.map((_, column) => cells.map((row) => row[column] ?? null));
  const lists = types.map((_, index) => `$${index + 2}::text[]`);
  const values = types.map(({ type }, index) => `a${index}::${type}`);
  await database.query(
    `INSERT INTO ${name} SELECT ${['place', ...values].join(', ')}
     FROM unnest(${['$1::int4[]', ...lists].join(', ')}) AS one (${['place', ...types.map((_, index) => `a${index}`)].join(', ')})`,
    [cells.map((_, row) => row), ...columns],
  );
}

/** Returns the names of types as a service reports them, which knows domains by their base type. */
async function reportedTypes(database: PGlite, count: number): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT named.name FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     JOIN (${typeNamesSql}) AS named ON named.oid = coalesce(nullif(t.typbasetype, 0), t.oid)::int4
     WHERE a.attrelid = 'pg_temp.held'::regclass AND a.attnum BETWEEN 2 AND $1 ORDER BY a.attnum`,
    [count + 1],
  );
  return rows.map(({ name }) => name);
}

/** Returns the rows of a table as PostgreSQL sends them: by the output function of each type. */
export async function textsOf(database: PGlite, name: string, count: number): Promise<ValueTable['texts']> {
  const columns = ['"row"', ...Array.from({ length: count }, (_, index) => `c${index}`)];
  const cells = columns.map(
    (column) => `CASE WHEN num_nulls(${column}) = 0 THEN format('%s', ${column}) END`,
  );
  const { rows } = await database.query<(string | null)[]>(
    `SELECT ${cells.join(', ')} FROM ${name} ORDER BY "row"`,
    [],
    { rowMode: 'array' },
  );
  return rows;
}

/** A text in a column of JSON keeps its quotes. */
function shownText(value: unknown, column: ValueColumn | undefined): string | null {
  if (value === null) return null;
  return typeof value === 'string' && !isJson(column) ? value : jsonText(value);
}

export function isJson(column: ValueColumn | undefined): boolean {
  return column?.type === 'json' || column?.type === 'jsonb';
}
