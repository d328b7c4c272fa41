/** Sorts, filters, groups, sums and compares a table, and lets PostgreSQL do the same. */
import type { PGlite } from '@electric-sql/pglite';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { pairColumns } from '#core/rows/compare/pair-columns.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ResultData } from '#core/rows/result-data.ts';
import { timeUnits } from '#core/rows/rows.ts';
import {
  definitionOf,
  fillTable,
  isJson,
  makeTable,
  randomCell,
  sentRows,
  textsOf,
  type ValueColumn,
  type ValueTable,
} from './value-table.ts';

const operators = ['<', '<=', '=', '<>', '>=', '>'] as const;
const times = new Set(['date', 'timestamp', 'timestamptz']);
const numbers = new Set(['int2', 'int4', 'int8', 'oid', 'numeric', 'float4', 'float8']);

/** Returns what differs, a line for each operation. */
export async function operationDifferences(postgres: PGlite, table: ValueTable): Promise<readonly string[]> {
  const { columns, rows, random } = table;
  const data = await heldData(columns, rows);
  const found: string[] = [];
  const check = async (name: string, run: () => Promise<string | undefined>) => {
    const difference = await run().catch((error: unknown) => `fails: ${String(error)}`);
    if (difference !== undefined) found.push(`${name}: ${difference}`);
  };
  const ordered = [...columns.keys()].filter(
    (column) => column > 0 && columns[column]?.values.isOrderUnknown !== true,
  );
  const any = () => ordered[Math.floor(random() * ordered.length)] ?? 0;
  const setting: Setting = { table, postgres, data };
  if (ordered.length > 0) {
    const keys = [any(), any()].map((column) => ({ column, descending: random() < 0.5 }));
    await check('sort', () => sorted(setting, keys));
    // Edges are few, so each is ordered. A column of random values is as good as another.
    if (table.hasEdges)
      for (const column of ordered)
        await check('sort', () => sorted(setting, [{ column, descending: false }]));
    for (const column of table.hasEdges ? ordered : new Set([any(), any()])) {
      await check('filter', () => filtered(setting, column));
      await check('group', () => grouped(setting, column, any()));
      await check('values', () => chosen(setting, column));
      await check('units of time', () => groupedByUnit(setting, column));
      await check('footer', () => summed(setting, column));
    }
  }
  for (const [column, { type }] of columns.entries())
    if (type === 'jsonb') await check('values', () => chosen(setting, column));
  await check('compare', () => compared(setting));
  data.dispose();
  return found;
}

interface Setting {
  readonly table: ValueTable;
  readonly postgres: PGlite;
  readonly data: ResultData;
}

const nameOf = (column: number): string => (column === 0 ? '"row"' : `c${column - 1}`);

async function all<Row>(postgres: PGlite, sql: string, values: unknown[] = []): Promise<readonly Row[]> {
  return (await postgres.query<Row>(sql, values)).rows;
}

async function rowsInView(data: ResultData, count: number): Promise<string> {
  const { columns } = await data.ask('window', { firstRow: 0, rowCount: count, columns: [0] });
  return (columns[0]?.cells ?? []).join();
}

async function sorted(
  { table, postgres, data }: Setting,
  keys: readonly { readonly column: number; readonly descending: boolean }[],
): Promise<string | undefined> {
  const count = await data.ask('sortAndFilter', { sort: keys, filters: [] });
  const order = keys.map(
    ({ column, descending }) => `${nameOf(column)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
  );
  const expected = await all<{ row: number }>(
    postgres,
    `SELECT "row" FROM held ORDER BY ${order.join(', ')}, "row"`,
  );
  const found = await rowsInView(data, count);
  await data.ask('sortAndFilter', { sort: [], filters: [] });
  return same(
    found,
    expected.map(({ row }) => row).join(),
    `${typesOf(
      table,
      keys.map(({ column }) => column),
    )} by ${order.join()}`,
  );
}

function same(found: string, expected: string, of: string): string | undefined {
  return found === expected ? undefined : `${of}: ${found}, not ${expected}`;
}

function typesOf({ columns }: ValueTable, places: readonly number[]): string {
  return places.map((place) => columns[place]?.values.type ?? '').join();
}

async function filtered({ table, postgres, data }: Setting, column: number): Promise<string | undefined> {
  const { random, shown, texts } = table;
  const own = table.columns[column];
  const row = Math.floor(random() * shown.length);
  const [text, bound] = [shown[row]?.[column], texts[row]?.[column]];
  for (const operator of operators) {
    if (text === null || text === undefined || own === undefined) break;
    const count = await data.ask('sortAndFilter', {
      sort: [],
      filters: [{ column, rule: { kind: 'compare', operator, text } }],
    });
    const expected = await all<{ row: number }>(
      postgres,
      `SELECT "row" FROM held WHERE ${nameOf(column)} ${operator} $1::text::${own.values.type} ORDER BY "row"`,
      [bound],
    );
    const found = await rowsInView(data, count);
    const difference = same(
      found,
      expected.map((one) => one.row).join(),
      `${own.values.type} ${operator} ${text}`,
    );
    if (difference !== undefined) return difference;
  }
  for (const isNull of [false, true]) {
    const count = await data.ask('sortAndFilter', {
      sort: [],
      filters: [{ column, rule: { kind: 'null', isNull } }],
    });
    const expected = shown.filter((cells) => (cells[column] === null) === isNull).length;
    if (count !== expected) return `NULL is ${String(isNull)}: ${count}, not ${expected}`;
  }
  await data.ask('sortAndFilter', { sort: [], filters: [] });
  return undefined;
}

/** The values that a filter offers are those that PostgreSQL tells apart, and each finds its rows. */
async function chosen({ table, postgres, data }: Setting, column: number): Promise<string | undefined> {
  // Longer values are not offered.
  if (table.shown.some((row) => (row[column]?.length ?? 0) > 1_000)) return undefined;
  const { values } = await data.ask('values', { column });
  // JSON's null is shown as NULL.
  const value =
    table.columns[column]?.type === 'jsonb' ? `nullif(${nameOf(column)}, 'null')` : nameOf(column);
  const expected = await all<{ count: number }>(
    postgres,
    `SELECT count(*)::int4 AS count FROM held GROUP BY ${value} ORDER BY count DESC`,
  );
  const found: number[] = [];
  for (const { text } of values) {
    const filters = [{ column, rule: { kind: 'values' as const, values: [text] } }];
    found.push(await data.ask('sortAndFilter', { sort: [], filters }));
  }
  await data.ask('sortAndFilter', { sort: [], filters: [] });
  const counts = values.map(({ count }) => count).join();
  return (
    same(counts, expected.map(({ count }) => count).join(), typesOf(table, [column])) ??
    same(found.join(), counts, `${typesOf(table, [column])} filtered`)
  );
}

async function grouped(
  { table, postgres, data }: Setting,
  column: number,
  across: number,
): Promise<string | undefined> {
  const answer = await data.ask('group', { by: [{ column }], measure: { kind: 'count' } });
  if (answer.kind !== 'groups') return answer.kind;
  const name = nameOf(column);
  const expected = await all<{ count: number }>(
    postgres,
    `SELECT count(*)::int4 AS count FROM held GROUP BY ${name} ORDER BY ${name} NULLS LAST`,
  );
  const counts = same(
    answer.rows.map(([, count]) => count).join(),
    expected.map(({ count }) => count).join(),
    typesOf(table, [column]),
  );
  if (counts !== undefined || column === across) return counts;
  const pivot = await data.ask('group', {
    by: [{ column }],
    across: { column: across },
    measure: { kind: 'count' },
  });
  if (pivot.kind !== 'groups') return pivot.kind;
  const other = nameOf(across);
  const cells = await all<{ count: number }>(
    postgres,
    `SELECT count(*)::int4 AS count FROM held GROUP BY ${name}, ${other} ORDER BY ${name} NULLS LAST, ${other} NULLS LAST`,
  );
  return same(
    pivot.rows.flatMap((row) => row.slice(1, -1).filter((count) => count !== null && count !== '0')).join(),
    cells.map(({ count }) => count).join(),
    `${typesOf(table, [column])} across ${typesOf(table, [across])}`,
  );
}

/** Groups times by each unit. */
async function groupedByUnit(
  { table, postgres, data }: Setting,
  column: number,
): Promise<string | undefined> {
  const own = table.columns[column];
  if (own === undefined || !times.has(own.values.type)) return undefined;
  const name = nameOf(column);
  for (const unit of timeUnits) {
    const answer = await data.ask('group', { by: [{ column, unit }], measure: { kind: 'count' } });
    // A date may be later than any timestamp.
    const isShort = `isfinite(${name}) AND ${name} < '294000-01-01'`;
    const expected = await all<{ count: number }>(
      postgres,
      `SELECT count(*)::int4 AS count FROM held
       GROUP BY CASE WHEN ${isShort} THEN date_trunc('${unit}', ${name}) END, CASE WHEN ${isShort} THEN NULL ELSE ${name} END
       ORDER BY min(${name}) NULLS LAST`,
    );
    const difference = same(
      answer.kind === 'groups' ? answer.rows.map(([, count]) => count).join() : answer.kind,
      expected.map(({ count }) => count).join(),
      `${own.values.type} by ${unit}`,
    );
    if (difference !== undefined) return difference;
  }
  return undefined;
}

async function summed({ table, postgres, data }: Setting, column: number): Promise<string | undefined> {
  const own = table.columns[column];
  if (own === undefined || table.rows.length === 0) return undefined;
  const name = nameOf(column);
  const footer = await data.ask('aggregate', {
    firstRow: 0,
    lastRow: table.rows.length - 1,
    columns: [column],
  });
  const [expected] = await all<{ nulls: number; distinct: number }>(
    postgres,
    `SELECT (count(*) - count(${name}))::int4 AS nulls, count(DISTINCT ${name})::int4 AS distinct FROM held`,
  );
  if (own.type !== 'bool') {
    const counts = same(
      `${footer.nulls} ${footer.distinct ?? ''}`,
      `${expected?.nulls ?? ''} ${expected?.distinct ?? ''}`,
      `${own.values.type} NULL, distinct`,
    );
    if (counts !== undefined) return counts;
  }
  if (!own.type.endsWith('[]') && own.type !== 'bool')
    for (const [text, direction] of [
      [footer.min, 'ASC'],
      [footer.max, 'DESC'],
    ] as const) {
      // oxfmt-ignore
      const [least] = await all<{ same: boolean | null }>(
        postgres,
        `SELECT ${name} = $1::text::${own.values.type} AS same FROM held ORDER BY ${name} ${direction} NULLS LAST LIMIT 1`,
        [text ?? null],
      );
      if (least?.same === false || (least?.same === null && text !== undefined))
        return `${own.values.type}: ${direction} ${String(text)}`;
    }
  return numbers.has(own.type) ? sumDifference(footer.numbers, { own, name, postgres }) : undefined;
}

/** The sum of floats is that of their texts. */
async function sumDifference(
  found: { readonly sum: string; readonly average: string | undefined } | undefined,
  { own, name, postgres }: { readonly own: ValueColumn; readonly name: string; readonly postgres: PGlite },
): Promise<string | undefined> {
  const [expected] = await all<{ isSum: boolean | null; isAverage: boolean | null; sum: string | null }>(
    postgres,
    `SELECT sum(v) = $1::text::numeric AS "isSum", sum(v)::text AS sum,
       abs(avg(v) - $2::text::numeric) <= abs(avg(v)) * 1e-15 OR avg(v) = $2::text::numeric AS "isAverage"
     FROM (SELECT format('%s', ${name})::numeric AS v FROM held WHERE ${name} IS NOT NULL) AS texts`,
    [found?.sum ?? null, found?.average ?? null],
  );
  if (expected?.sum === null) return found === undefined ? undefined : `${own.values.type}: a sum of nothing`;
  return expected?.isSum === true && expected.isAverage === true
    ? undefined
    : `${own.values.type}: the sum ${String(found?.sum)} (average ${String(found?.average)}), not ${String(expected?.sum)}`;
}

/** Compares the table with a changed copy. */
async function compared({ table, postgres }: Setting): Promise<string | undefined> {
  const { columns, texts, random } = table;
  const own = columns.slice(1);
  const types = own.map(({ values }) => values);
  const cells = texts.map((row) =>
    row.slice(1).map((text, column) => {
      const values = types[column];
      return values === undefined || random() > 0.2
        ? text
        : random() < 0.2
          ? null
          : randomCell(values, random);
    }),
  );
  for (let more = random() * 3; more > 1; more -= 1)
    cells.push(types.map((values) => randomCell(values, random)));
  await makeTable(postgres, 'later', definitionOf(types));
  await fillTable(postgres, 'later', { types, cells });
  await postgres.query(`DELETE FROM later WHERE "row" % 5 = $1`, [Math.floor(random() * 5)]);
  const after = await heldData(
    columns,
    sentRows(columns, await textsOf(postgres, 'later', types.length)).rows,
  );
  const before = await heldData(columns, table.rows);
  const kinds = columns.map((column) => ({ ...column, kind: columnKindOf(column.type) }));
  const { pairs } = pairColumns(kinds, kinds);
  const { summary, data: made } = await factory.compare({ before, after }, { pairs, keys: [0], ignored: [] });
  const changed = own.map((column, index) => distinctSql(column, `c${index}`));
  const [expected] = await all<Record<string, number>>(
    postgres,
    `SELECT count(*) FILTER (WHERE num_nulls(a.r) = 1)::int4 AS added, count(*) FILTER (WHERE num_nulls(b.r) = 1)::int4 AS removed,
       count(*) FILTER (WHERE num_nulls(a.r, b.r) = 0 AND (${['false', ...changed].join(' OR ')}))::int4 AS changed
     FROM (SELECT "row" AS r, * FROM held) AS a FULL JOIN (SELECT "row" AS r, * FROM later) AS b ON a.r = b.r`,
  );
  for (const one of [after, before, made]) one.dispose();
  const { added, removed, changed: found } = summary.counts;
  return same(
    `added ${added}, removed ${removed}, changed ${found}`,
    `added ${expected?.['added'] ?? ''}, removed ${expected?.['removed'] ?? ''}, changed ${expected?.['changed'] ?? ''}`,
    typesOf(table, [...columns.keys()].slice(1)),
  );
}

const factory = createLocalData();

async function heldData(
  columns: readonly ValueColumn[],
  rows: readonly (readonly unknown[])[],
): Promise<ResultData> {
  const data = factory.create(columns);
  await data.append(rows);
  return data;
}

/** Composite types and those without equality are compared as text, and JSON by its content. */
function distinctSql(column: ValueColumn, name: string): string {
  const [a, b] = [`a.${name}`, `b.${name}`];
  if (isJson(column) || column.type === 'jsonb[]') return `${jsonSql(a)} IS DISTINCT FROM ${jsonSql(b)}`;
  const { isOrderUnknown, isEqualityUnknown } = column.values;
  if (isOrderUnknown !== true && isEqualityUnknown !== true) return `${a} IS DISTINCT FROM ${b}`;
  return `(num_nulls(${a}) <> num_nulls(${b}) OR format('%s', ${a}) <> format('%s', ${b}))`;
}

const jsonSql = (name: string): string => `coalesce(to_jsonb(${name}), 'null')`;
