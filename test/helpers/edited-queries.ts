/** Random queries over a small database, and PostgreSQL as the judge of what an edit does to them. */
import type { PGlite } from '@electric-sql/pglite';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { newDatabase } from './new-database.ts';

export interface Judged {
  readonly names: readonly string[];
  readonly types: readonly number[];
  readonly rows: string;
}

const columnsOf = (list: string) =>
  list.split(', ').map((column) => {
    const [name = '', type = ''] = column.split(' ');
    return { name, type };
  });

const tables = {
  t: 'id int, a int, b int, c text, e int[], j jsonb, d date',
  u: 'id int, t_id int, a int, name text',
  w: 'id int, t_id int, note text',
};

export const queryCatalogue: Catalogue = {
  models: [
    {
      name: 'public',
      tables: Object.entries(tables).map(([name, list]) => ({ name, columns: columnsOf(list) })),
    },
  ],
};

/** Keys come from a small pool, so that joins find rows. */
const rows = `
  INSERT INTO t SELECT n, n % 3, n % 2, 'c' || n % 2, ARRAY[n, n % 2], jsonb_build_object('x', n, 'id', n % 3, 'k', 'v'),
    date '2026-01-01' + n FROM generate_series(1, 6) n;
  INSERT INTO u SELECT n, n % 4, n % 3, 'c' || n % 2 FROM generate_series(1, 5) n;
  INSERT INTO w SELECT n, n % 3, 'c' || n FROM generate_series(1, 4) n;
`;

export async function openJudge(): Promise<PGlite> {
  const database = await newDatabase();
  await database.exec(
    Object.entries(tables)
      .map(([name, list]) => `CREATE TABLE ${name} (${list});`)
      .join('\n') + rows,
  );
  return database;
}

/** Returns the result, or the refusal. */
export async function judge(
  database: PGlite,
  sql: string,
  values: readonly string[] = [],
): Promise<Judged | { readonly refusal: string }> {
  try {
    const { fields, rows: found } = await database.query(sql, [...values], { rowMode: 'array' });
    return {
      names: fields.map(({ name }) => name),
      types: fields.map(({ dataTypeID }) => dataTypeID),
      // Without ORDER BY, rows have no order.
      rows: found
        .map((row) =>
          JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
        )
        .toSorted()
        .join('\n'),
    };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}

interface Source {
  readonly sql: string;
  readonly alias: string;
  /** Integer columns. */
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
}

type Random = (below: number) => number;

/** Writes one query. Most of them are valid; the others are left out by the judge. */
export function writeQuery(random: Random): string {
  let depth = 0;
  const pick = <T>(list: readonly T[]): T => {
    const found = list[random(list.length)];
    if (found === undefined) throw new Error('An empty list');
    return found;
  };
  const perhaps = (text: string, of = 2): string => (random(of) === 0 ? text : '');
  const aliases = ['a', 'b', 'x', 'm', 's', 'q', 'k', 'id', 'day', '"A b"'];

  const source = (ctes: readonly Source[], taken: Set<string>): Source => {
    const free = aliases.filter((each) => !taken.has(each));
    const alias = pick(free);
    taken.add(alias);
    const as = perhaps('AS ');
    const cte = ctes.length > 0 && random(3) === 0 ? pick(ctes) : undefined;
    if (cte !== undefined) {
      const isBare = random(2) === 0 && !taken.has(cte.alias);
      if (isBare) taken.add(cte.alias);
      return {
        ...cte,
        sql: isBare ? cte.alias : `${cte.alias} ${as}${alias}`,
        alias: isBare ? cte.alias : alias,
      };
    }
    switch (random(depth > 1 ? 6 : 11)) {
      case 0:
        return { sql: `t ${as}${alias}`, alias, numbers: ['id', 'a', 'b'], texts: ['c'] };
      case 1:
        return { sql: `u ${as}${alias}`, alias, numbers: ['id', 't_id', 'a'], texts: ['name'] };
      case 2:
        return { sql: `w ${as}${alias}`, alias, numbers: ['id', 't_id'], texts: ['note'] };
      case 3:
        return { sql: `generate_series(1, 3) ${as}${alias}`, alias, numbers: [alias], texts: [] };
      case 4:
        return { sql: `generate_series(1, 3) ${as}${alias}(n)`, alias, numbers: ['n'], texts: [] };
      case 5:
        return {
          sql: `(VALUES (1, 'p'), (2, 'c1')) ${as}${alias}(v, z)`,
          alias,
          numbers: ['v'],
          texts: ['z'],
        };
      case 6:
        return {
          sql: `jsonb_to_record('{"x": 1, "k": "v"}') AS ${alias}(x int, k text)`,
          alias,
          numbers: ['x'],
          texts: ['k'],
        };
      case 7:
        return {
          sql: `unnest(ARRAY[1, 2]) WITH ORDINALITY ${as}${alias}(v, o)`,
          alias,
          numbers: ['v', 'o'],
          texts: [],
        };
      case 8: {
        const inner = select(ctes, false);
        return {
          ...inner,
          sql: `(${inner.sql}) ${as}${alias}(f1, f2)`,
          alias,
          numbers: ['f1', 'f2'],
          texts: [],
        };
      }
      default: {
        const inner = select(ctes, false);
        return { ...inner, sql: `(${inner.sql}) ${as}${alias}`, alias };
      }
    }
  };

  /** A SELECT with at least two integer outputs first. */
  const select = (ctes: readonly Source[], isTop: boolean): Source => {
    depth++;
    const taken = new Set<string>();
    const from = [source(ctes, taken)];
    const usings: string[] = [];
    let written = from[0]?.sql ?? '';
    while (random(3) === 0 && from.length < 3) {
      const next = source(ctes, taken);
      const common = next.numbers.filter((name) => from.some(({ numbers }) => numbers.includes(name)));
      const [shared] = common;
      switch (random(5)) {
        case 0:
          written += ` CROSS JOIN ${next.sql}`;
          break;
        case 1:
          written += ` NATURAL JOIN ${next.sql}`;
          break;
        case 2:
          if (shared !== undefined && from.length === 1) {
            written += ` JOIN ${next.sql} USING (${shared})${perhaps(' AS jj', 3)}`;
            usings.push(shared);
            break;
          }
          written += `, ${next.sql}`;
          break;
        default:
          written += ` ${pick(['', 'LEFT '])}JOIN ${next.sql} ON ${pick(from.map((each) => `${each.alias}.${pick(each.numbers)}`))} = ${next.alias}.${pick(next.numbers)}`;
      }
      from.push(next);
    }
    const number = (): string => {
      const of = pick(from);
      const name = pick(of.numbers);
      return random(2) === 0 ? name : `${of.alias}.${name}`;
    };
    const text = (): string => {
      const of = pick(from);
      return of.texts.length === 0 ? `'z'` : `${of.alias}.${pick(of.texts)}`;
    };
    const value = (): string => {
      switch (random(12)) {
        case 0:
          return `${number()} + 1`;
        case 1:
          return `coalesce(${number()}, 0)`;
        case 2:
          return `CASE WHEN ${number()} > 1 THEN ${number()} ELSE 0 END`;
        case 3:
          return `${number()}::int`;
        case 4:
          return depth > 2 ? number() : `(SELECT max(${number()}) FROM w k2 WHERE k2.id = ${number()})`;
        case 5:
          return `(${number()})`;
        default:
          return number();
      }
    };
    const isGrouped = random(5) === 0;
    const labels = ['p', 'r', 'a', 'id', 'total', 'x'];
    const label = (names: Set<string>): string => {
      const name = pick(labels.filter((each) => !names.has(each)));
      names.add(name);
      return name;
    };
    const names = new Set<string>();
    const keys = [number(), number()];
    const outputs: string[] = [];
    const made: string[] = [];
    for (let index = 0; index < 2; index++) {
      const name = label(names);
      const expression = isGrouped ? (keys[index] ?? '') : value();
      outputs.push(`${expression}${pick([' AS ', ' '])}${name}`);
      made.push(name);
    }
    const extras = [
      () => text(),
      () => number(),
      () => `row_to_json(${pick(from).alias})`,
      () => `to_jsonb(${pick(from).alias})`,
      () => `(${pick(from).alias}).${pick(pick(from).numbers)}`,
      () => `rank() OVER wn`,
      () => `sum(${number()}) OVER (PARTITION BY ${number()} ORDER BY ${number()})`,
      () => `sum(${number()}) OVER (wn)`,
      () => `${text()} IS NFC NORMALIZED`,
      () => `ROW(${number()}, ${text()})`,
      () => `(${number()})`,
      () => `CAST(${number()} AS text)`,
      () => `${number()}::int::text`,
      () => `(${text()})::varchar COLLATE "C"`,
      () => `CASE WHEN ${number()} > 1 THEN 0 ELSE ${number()} END`,
      () => `(SELECT ${number()} AS ${pick(labels)})`,
      () => `ARRAY[${number()}, ${number()}]`,
      () => `json_build_object('k', ${number()})`,
      () => `json_object('k': ${number()})`,
      () => `(ARRAY[1,2,3])[${number()}:${number()}]`,
      () => `EXISTS (SELECT 1 FROM u zz WHERE zz.a = ${number()})`,
      () => `${number()} IN (SELECT a FROM t)`,
      () => `pg_typeof(${number()})`,
      () => `extract(year FROM date '2026-01-01')`,
    ];
    let hasWindow = false;
    if (isGrouped) {
      outputs.push(
        pick(['count(*) AS n', 'count(*)', 'max(' + number() + ')', `grouping(${keys[0] ?? ''})`]),
      );
    } else {
      while (random(2) === 0) {
        const extra = pick(extras)();
        if (!isTop && /json|ROW|normalized|\?/.test(extra)) continue;
        hasWindow ||= /OVER \(?wn/.test(extra);
        outputs.push(extra);
      }
      if (random(6) === 0) outputs.push(pick(['*', `${pick(from).alias}.*`]));
    }
    const where = perhaps(
      ` WHERE ${pick([
        () => `${number()} > 0`,
        () => `${number()} = ${number()}`,
        () => `EXISTS (SELECT FROM u zz WHERE zz.id = ${number()})`,
        () => `${number()} IN (SELECT id FROM t)`,
        () => `${pick(from).alias} IS NOT NULL`,
      ])()}`,
    );
    const [first = '', second = ''] = keys;
    const group = isGrouped
      ? ` GROUP BY ${pick([`${first}, ${second}`, `ROLLUP (${first}, ${second})`, `CUBE (${first}, ${second})`, `GROUPING SETS ((${first}), (${second}))`, `${made[0] ?? ''}, ${made[1] ?? ''}`])}`
      : '';
    const window = hasWindow ? ` WINDOW wn AS (${pick(['ORDER BY', 'PARTITION BY'])} ${number()})` : '';
    const order = perhaps(` ORDER BY ${pick([made[0] ?? '1', '1', `${made[1] ?? '1'} DESC`])}`, 3);
    const set =
      isGrouped || hasWindow ? '' : perhaps(` UNION ALL SELECT ${outputs.map(() => 'NULL').join(', ')}`, 12);
    depth--;
    return {
      sql: `SELECT ${outputs.join(', ')} FROM ${written}${where}${group}${window}${set}${order}`,
      alias: '',
      numbers: made,
      texts: [],
    };
  };

  const ctes: Source[] = [];
  const written: string[] = [];
  let isRecursive = false;
  while (random(3) === 0 && ctes.length < 2) {
    const alias = `c${ctes.length + 1}`;
    if (random(4) === 0) {
      isRecursive = true;
      const tail =
        perhaps(` SEARCH DEPTH FIRST BY n SET ord`, 2) + perhaps(' CYCLE n SET is_cycle USING path', 3);
      written.push(
        `${alias}(n, p) AS (SELECT 1, 2 UNION ALL SELECT n + 1, ${alias}.p FROM ${alias} WHERE n < 4)${tail}`,
      );
      ctes.push({ sql: alias, alias, numbers: ['n', 'p'], texts: [] });
    } else {
      const inner = select([...ctes], false);
      const list = random(3) === 0 ? '(g1, g2)' : '';
      written.push(`${alias}${list} AS (${inner.sql})`);
      ctes.push({ sql: alias, alias, numbers: list === '' ? inner.numbers : ['g1', 'g2'], texts: [] });
    }
  }
  const top = select(ctes, true);
  const head = written.length === 0 ? '' : `WITH ${isRecursive ? 'RECURSIVE ' : ''}${written.join(', ')} `;
  return head + top.sql;
}
