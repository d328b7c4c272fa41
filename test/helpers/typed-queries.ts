/** Random queries on known tables: most are valid, and some contain one mistake of a known kind. */
import type { CatalogueColumn, CatalogueModel, CatalogueTable } from '#server/protocol.ts';

/** Finding codes for queries that PostgreSQL refuses. */
export const refusingCodes: ReadonlySet<string> = new Set(
  `TYPE_MISMATCH INVALID_LITERAL AGGREGATE_MISUSE AGGREGATE_IN_WHERE SUBQUERY_COLUMNS INVALID_CLAUSE UNGROUPED_COLUMN
   SET_OPERATION_COLUMNS STRING_NUMBER_COMPARISON FOREIGN_FUNCTION FOREIGN_TYPE UNKNOWN_OPERATOR UNKNOWN_COLUMN
   UNKNOWN_TABLE AMBIGUOUS_COLUMN ORDINAL_OUT_OF_RANGE QUERY_PARSE_ERROR`.split(/\s+/),
);

export interface MadeQuery {
  /** The kind of mistake; `right` if there is none. */
  readonly kind: string;
  readonly text: string;
}

export const isPlaceholderFree = (text: string): boolean => !/(?<!:):[a-z_]/i.test(text);

type Kind = 'text' | 'number' | 'time' | 'boolean' | 'json' | 'array' | 'other';

export class QueryMaker {
  readonly #tables: readonly CatalogueTable[];
  #state: number;

  constructor(models: readonly CatalogueModel[], seed: number) {
    this.#tables = models[0]?.tables ?? [];
    this.#state = seed || 1;
  }

  query(): MadeQuery {
    const kinds = Object.keys(mistakes);
    const kind = this.#chance(0.25) ? this.#one(kinds) : 'right';
    const mistake = mistakes[kind];
    return { kind, text: mistake === undefined ? this.#right() : mistake(this.#context()) };
  }

  #context(): MistakeContext {
    const table = this.#one(this.#tables);
    return {
      table: table.name,
      column: (kind) => this.#column(table, kind)?.name ?? literalOf(kind),
      expression: (kind) => this.#expression(table, kind, 2),
      one: (values) => this.#one(values),
    };
  }

  #right(): string {
    const table = this.#one(this.#tables);
    switch (this.#number(6)) {
      case 0:
        return this.#grouped(table);
      case 1: {
        const kinds = Array.from({ length: 1 + this.#number(3) }, () => this.#kind());
        const side = (): string =>
          `SELECT ${kinds.map((kind) => this.#expression(table, kind, 1)).join(', ')} FROM ${table.name}`;
        return `${side()} ${this.#one(['UNION ALL', 'UNION ALL', 'UNION ALL'])} ${side()}`;
      }
      case 2: {
        const inner = Array.from(
          { length: 3 },
          (_, index) => `${this.#expression(table, this.#kind(), 2)} AS c${index}`,
        );
        return `WITH x AS (SELECT ${inner.join(', ')} FROM ${table.name}) SELECT *, x.c0 AS again, (SELECT count(*) FROM x) FROM x WHERE EXISTS (SELECT 1 FROM x y WHERE y.c1 IS NOT NULL)`;
      }
      case 3: {
        const other = this.#one(this.#tables);
        return `SELECT a.*, b.${other.columns?.[0]?.name ?? 'x'} FROM ${table.name} a LEFT JOIN ${other.name} b ON a.${table.columns?.[0]?.name ?? 'x'} = b.${other.columns?.[0]?.name ?? 'x'} LIMIT 5`;
      }
      default: {
        const outputs = Array.from({ length: 1 + this.#number(4) }, () =>
          this.#expression(table, this.#kind(), 3),
        );
        const where = this.#chance(0.7) ? ` WHERE ${this.#expression(table, 'boolean', 3)}` : '';
        return `SELECT ${outputs.join(', ')} FROM ${table.name}${where} ORDER BY 1`;
      }
    }
  }

  #grouped(table: CatalogueTable): string {
    const column = this.#column(table, 'text')?.name ?? `'x'`;
    const sums = [
      'count(*)',
      `count(DISTINCT ${column})`,
      `max(${this.#expression(table, 'time', 1)})`,
      `avg(${this.#expression(table, 'number', 1)})`,
      `array_agg(${this.#expression(table, 'text', 1)})`,
      `string_agg(${this.#expression(table, 'text', 1)}, ', ')`,
      `bool_or(${this.#expression(table, 'boolean', 1)})`,
      `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${this.#expression(table, 'number', 1)})`,
      `sum(count(*)) OVER (ORDER BY ${column})`,
      `rank() OVER (ORDER BY count(*) DESC)`,
    ];
    const chosen = Array.from({ length: 1 + this.#number(3) }, () => this.#one(sums));
    return `SELECT lower(${column}) AS l, ${column}, ${chosen.join(', ')} FROM ${table.name} GROUP BY ${column} HAVING count(*) > 0 ORDER BY ${this.#one(['1', 'l', column, 'count(*)'])}`;
  }

  #kind(): Kind {
    return this.#one(['text', 'number', 'time', 'boolean', 'json', 'array', 'other']);
  }

  #column({ columns = [] }: CatalogueTable, kind: Kind): CatalogueColumn | undefined {
    const fitting = columns.filter(({ type }) => kindOf(type) === kind);
    return fitting.length === 0 ? undefined : this.#one(fitting);
  }

  #expression(table: CatalogueTable, kind: Kind, depth: number): string {
    const inner = (own: Kind): string => this.#expression(table, own, depth - 1);
    if (depth <= 0 || this.#chance(0.25)) {
      const column = this.#column(table, kind);
      return column === undefined || this.#chance(0.3) ? literalOf(kind) : column.name;
    }
    return this.#one(makers[kind])(inner);
  }

  #one<T>(values: readonly T[]): T {
    // `values` is never empty.
    return values[this.#number(values.length)] as T;
  }

  #chance(part: number): boolean {
    return this.#number(1_000) < part * 1_000;
  }

  /** Returns an integer from 0 up to, but not including, `limit`. */
  #number(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }
}

function kindOf(type: string): Kind {
  if (type.endsWith('[]')) return type === 'text[]' ? 'array' : 'other';
  if (/^(text|character)/.test(type)) return 'text';
  if (/^(integer|bigint|numeric|double|real|smallint)/.test(type)) return 'number';
  if (/^timestamp with time/.test(type)) return 'time';
  return type === 'boolean' ? 'boolean' : type === 'jsonb' ? 'json' : 'other';
}

const literals: Readonly<Record<Kind, string>> = {
  text: `'abc'::text`,
  number: '3',
  time: 'now()',
  boolean: 'true',
  json: `'{"a": [1, "b"]}'::jsonb`,
  array: `ARRAY['a', 'b']`,
  other: `gen_random_uuid()`,
};
const literalOf = (kind: Kind): string => literals[kind];

type Make = (inner: (kind: Kind) => string) => string;

const makers: Readonly<Record<Kind, readonly Make[]>> = {
  text: [
    (of) => `lower(${of('text')})`,
    (of) => `(${of('text')} || '-' || ${of('text')})`,
    (of) => `coalesce(${of('text')}, 'none')`,
    (of) => `CASE WHEN ${of('boolean')} THEN ${of('text')} ELSE 'no' END`,
    (of) => `(${of('json')} ->> 'a')`,
    (of) => `to_char(${of('time')}, 'YYYY-MM')`,
    (of) => `(${of('number')})::text`,
    (of) => `(${of('array')})[1]`,
    (of) => `substring(${of('text')} FROM 1 FOR 2)`,
    (of) => `split_part(${of('text')}, '@', 2)`,
    (of) => `concat_ws(', ', ${of('text')}, ${of('number')})`,
    (of) => `greatest(${of('text')}, 'm')`,
    (of) => `nullif(trim(${of('text')}), '')`,
    (of) => `array_to_string(${of('array')}, ',')`,
  ],
  number: [
    (of) => `length(${of('text')})`,
    (of) => `(${of('number')} + ${of('number')} * 2)`,
    (of) => `extract(EPOCH FROM ${of('time')})`,
    (of) => `round(${of('number')} / 7.0, 2)`,
    (of) => `cardinality(${of('array')})`,
    (of) => `coalesce(${of('number')}, 0)`,
    (of) => `CASE ${of('boolean')} WHEN true THEN 1 ELSE 2.5 END`,
    (of) => `jsonb_array_length(${of('json')} -> 'a')`,
    (of) => `(${of('time')}::date - DATE '2026-01-01')`,
    (of) => `(${of('number')})::bigint`,
    (of) => `(SELECT count(*) FROM generate_series(1, 3) g WHERE g > ${of('number')})`,
    (of) => `abs(${of('number')})`,
    (of) => `nullif(${of('number')}, 0)`,
  ],
  time: [
    (of) => `(${of('time')} - INTERVAL '3 days')`,
    (of) => `date_trunc('month', ${of('time')})`,
    (of) => `coalesce(${of('time')}, '2026-01-31')`,
    (of) => `greatest(${of('time')}, now())`,
    (of) => `(${of('time')} + make_interval(days => 2))`,
    (of) => `CASE WHEN ${of('boolean')} THEN ${of('time')} END`,
    () => `'today'::timestamptz`,
  ],
  boolean: [
    (of) => `(${of('text')} = 'abc')`,
    (of) => `(${of('number')} BETWEEN 1 AND 10)`,
    (of) => `(${of('time')} > '2026-01-31' AND ${of('boolean')})`,
    (of) => `(${of('text')} LIKE 'a%' OR NOT ${of('boolean')})`,
    (of) => `(${of('text')} IN ('a', 'b', ${of('text')}))`,
    (of) => `(${of('array')} @> ARRAY['a'])`,
    (of) => `('a' = ANY (${of('array')}))`,
    (of) => `(${of('json')} ? 'a')`,
    (of) => `(${of('number')} IS DISTINCT FROM ${of('number')})`,
    (of) => `(${of('boolean')} IS NOT TRUE)`,
    (of) => `(${of('text')} ~* '^a')`,
    (of) => `((${of('text')}, ${of('number')}) = (${of('text')}, 5))`,
    (of) => `(${of('number')} IN (SELECT g FROM generate_series(1, 5) AS g))`,
  ],
  json: [
    (of) => `(${of('json')} -> 'a')`,
    (of) => `jsonb_build_object('a', ${of('text')}, 'b', ${of('number')})`,
    (of) => `to_jsonb(${of('time')})`,
    (of) => `(${of('json')} || '{"b": 2}')`,
    (of) => `(${of('json')})['a']`,
  ],
  array: [
    (of) => `ARRAY[${of('text')}, ${of('text')}]`,
    (of) => `string_to_array(${of('text')}, ',')`,
    (of) => `array_append(${of('array')}, ${of('text')})`,
    (of) => `(${of('array')} || 'x'::text)`,
    (of) => `(${of('array')})[1:2]`,
    (of) => `ARRAY(SELECT v FROM unnest(${of('array')}) AS v ORDER BY v)`,
  ],
  other: [
    () => `gen_random_uuid()`,
    (of) => `age(${of('time')})`,
    (of) => `(${of('time')})::date`,
    (of) => `md5(${of('text')})::uuid`,
    (of) => `array_agg(${of('number')}) OVER ()`,
    (of) => `ROW(${of('text')}, ${of('number')})`,
    (of) => `(${of('time')} - ${of('time')})`,
    (of) => `ARRAY[${of('number')}, 1.5]`,
    (of) => `tstzrange(${of('time')}, NULL)`,
  ],
};

interface MistakeContext {
  readonly table: string;
  readonly column: (kind: Kind) => string;
  readonly expression: (kind: Kind) => string;
  readonly one: <T>(values: readonly T[]) => T;
}

/** Functions that create a query with one mistake; occasionally, the query is valid anyway. */
const mistakes: Readonly<Record<string, (context: MistakeContext) => string>> = {
  'undefined operator': ({ table, expression, one }) =>
    `SELECT 1 FROM ${table} WHERE ${one([
      `${expression('time')} > 5`,
      `${expression('text')} = ${expression('number')}`,
      `${expression('boolean')} > ${expression('number')}`,
      `${expression('text')} + ${expression('time')} IS NULL`,
      `${expression('json')} = ${expression('text')}`,
      `${expression('array')} = ${expression('text')}`,
      `-(${expression('text')}) IS NULL`,
      `${expression('time')} - 5 > now()`,
    ])}`,
  'undefined function': ({ table, expression, one }) =>
    `SELECT ${one([
      `lower(${expression('number')})`,
      `date_trunc(${expression('time')}, 'day')`,
      `length(${expression('boolean')})`,
      `round(${expression('text')})`,
      `sum(${expression('text')})`,
      `extract(DAY FROM ${expression('text')})`,
      `substring(${expression('number')} FROM 1)`,
      `cardinality(${expression('text')})`,
    ])} FROM ${table}`,
  'foreign function': ({ table, expression, one }) =>
    `SELECT ${one([
      `nvl(${expression('text')}, 'x')`,
      `isnull(${expression('number')})`,
      `ifnull(${expression('number')}, 0)`,
      `dateadd('day', 1, ${expression('time')})`,
      `len(${expression('text')})`,
      'getdate()',
      `group_concat(${expression('text')})`,
      `datediff('day', ${expression('time')}, now())`,
      `charindex('a', ${expression('text')})`,
      `year(${expression('time')})`,
      `iif(${expression('boolean')}, 1, 2)`,
    ])} FROM ${table}`,
  'invalid literal': ({ table, expression, one }) =>
    `SELECT 1 FROM ${table} WHERE ${one([
      `${expression('number')} = 'abc'`,
      `${expression('boolean')} = 'maybe'`,
      `${expression('json')} @> '{a: 1}'`,
      `'12x'::int > 0`,
      `gen_random_uuid() = 'no-uuid'`,
      `${expression('array')} @> 'a,b'`,
      `now() - '3 dais'::interval > now()`,
      `${expression('number')} IN (1, 'two')`,
    ])}`,
  'invalid date': ({ table, expression, one }) =>
    `SELECT 1 FROM ${table} WHERE ${expression('time')} > ${one([
      `'2026-99-01'`,
      `'2026-02-30'`,
      `'yesturday'`,
      `DATE '2025-02-29'`,
      `'2026-01-01 25:00'`,
      `'31'`,
      `''`,
      `timestamp '2026-13-01'`,
    ])}`,
  'not boolean': ({ table, expression, one }) =>
    `SELECT 1 FROM ${table} WHERE ${one([
      expression('number'),
      expression('text'),
      `${expression('boolean')} AND ${expression('number')}`,
      `NOT ${expression('text')}`,
      `CASE WHEN ${expression('number')} THEN true END`,
    ])}`,
  'types do not match': ({ table, expression, one }) =>
    one([
      `SELECT coalesce(${expression('text')}, ${expression('number')}) FROM ${table}`,
      `SELECT CASE WHEN true THEN ${expression('time')} ELSE ${expression('number')} END FROM ${table}`,
      `SELECT ${expression('text')} FROM ${table} UNION ALL SELECT ${expression('number')} FROM ${table}`,
      `SELECT ARRAY[${expression('text')}, ${expression('number')}] FROM ${table}`,
      `SELECT greatest(${expression('boolean')}, ${expression('number')}) FROM ${table}`,
    ]),
  'cannot cast': ({ table, expression, one }) =>
    `SELECT ${one([
      `(${expression('time')})::int`,
      `(${expression('boolean')})::numeric`,
      `(${expression('number')})::date`,
      `(${expression('array')})::int`,
      `(${expression('number')})::uuid`,
    ])} FROM ${table}`,
  grouping: ({ table, column, one }) =>
    one([
      `SELECT ${column('text')}, ${column('time')}, count(*) FROM ${table} GROUP BY ${column('text')}`,
      `SELECT ${column('text')}, count(*) FROM ${table}`,
      `SELECT lower(${column('text')}) FROM ${table} GROUP BY upper(${column('text')})`,
      `SELECT count(*) FROM ${table} ORDER BY ${column('time')}`,
      `SELECT count(*) FROM ${table} HAVING ${column('boolean')}`,
      `SELECT * FROM (SELECT ${column('text')} AS a, ${column('number')} AS b FROM ${table}) x GROUP BY a`,
    ]),
  aggregates: ({ table, column, expression, one }) =>
    one([
      `SELECT max(count(*)) FROM ${table}`,
      `SELECT 1 FROM ${table} WHERE count(*) > 1`,
      `SELECT row_number() FROM ${table}`,
      `SELECT count(*) FROM ${table} GROUP BY count(*)`,
      `SELECT lower(${expression('text')}) OVER () FROM ${table}`,
      `SELECT a.${column('text')} FROM ${table} a JOIN ${table} b ON max(a.${column('number')}) = 1`,
    ]),
  subqueries: ({ table, expression, one }) =>
    one([
      `SELECT (SELECT 1, 2) FROM ${table}`,
      `SELECT 1 FROM ${table} WHERE 1 IN (SELECT 1, 2)`,
      `SELECT (SELECT * FROM ${table} LIMIT 1)`,
      `SELECT 1 FROM ${table} WHERE (1, 2) IN (SELECT 1)`,
      `SELECT ${expression('text')} FROM ${table} WHERE ${expression('text')} = ANY (SELECT 1)`,
    ]),
  'set operations': ({ table, expression, one }) =>
    one([
      `SELECT 1 FROM ${table} UNION SELECT 1, 2`,
      `SELECT * FROM ${table} UNION SELECT 1`,
      `SELECT ${expression('text')} FROM ${table} EXCEPT VALUES ('a', 'b')`,
    ]),
  limit: ({ table, one }) => `SELECT 1 FROM ${table} LIMIT ${one([`'x'`, `now()`, 'true', `'1.5'`])}`,
};
