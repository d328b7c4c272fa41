/** Queries with one mistake that a quick fix mends, each with what is meant. */

export interface Mistake {
  readonly wrong: string;
  /** What the fix must mean. */
  readonly right: string;
  /** Whether the operators around it may take a part of it, as in the database that it is from. */
  readonly isLoose?: boolean;
}

type Random = (below: number) => number;

/** Writes a query over `t` with one mistake in it. */
export function writeMistake(random: Random): Mistake {
  const pick = <T>(list: readonly T[]): T => {
    const found = list[random(list.length)];
    if (found === undefined) throw new Error('An empty list');
    return found;
  };
  const gap = (): string => pick([' ', ' ', ' ', ' ', '\n', ' /* c */ ', ' -- c\n']);
  const perhaps = (text: string): string => (random(4) === 0 ? text : '');
  const number = (): string =>
    pick([
      'x.id',
      'x.a',
      'id',
      'a',
      '- x.id',
      '-x.a',
      '(x.id)',
      'x.id + 1',
      '2 * x.a',
      'x.id::int',
      'CAST(x.id AS int)',
      'coalesce(x.a, 0)',
      'x.e[1]',
      '(ARRAY[1, 2])[x.b + 1]',
      'CASE WHEN x.a > 1 THEN 1 END',
      '(SELECT max(w.id) FROM w)',
      "(x.j ->> 'x')::int",
      "(x.j ->> 'nope')::int",
      'length(x.c)',
      'nullif(x.a, 1)',
    ]);
  const text = (): string =>
    pick([
      'x.c',
      'c',
      '(x.c)',
      "x.c || 'z'",
      'lower(x.c)',
      'x.c COLLATE "C"',
      "x.j ->> 'k'",
      "coalesce(x.c, 'z')",
      'x.c::text',
      'CAST(x.id AS text)',
    ]);
  const day = (): string =>
    pick([
      'x.d',
      'd',
      '(x.d)',
      'x.d + 1',
      "DATE '2026-01-05'",
      'x.d::date',
      "coalesce(x.d, DATE '2026-01-01')",
    ]);
  /** A number as it may be written, and its value. */
  const signed = (value: number): string => {
    const own = String(Math.abs(value));
    const written = pick([own, own, own, `${own}.0`, `${own}::int`, `(${own})`, `((${own}))`]);
    const sign = value < 0 ? pick(['-', '- ']) : perhaps('+');
    return pick([`${sign}${written}`, `${sign}${written}`, `(${sign}${written})`]);
  };
  const aNull = (): string =>
    pick(['NULL', 'NULL', 'null', '(NULL)', '((NULL))', '( NULL )', '/* n */ NULL']);

  const conditions: readonly (() => Mistake)[] = [
    () => {
      const [own, not] = [pick([number, text, day])(), random(2) === 0];
      const operator = not ? pick(['<>', '!=']) : '=';
      return {
        wrong: `${own}${pick(['', gap()])}${operator}${pick(['', gap()])}${aNull()}`,
        right: `(${own}) IS ${not ? 'NOT ' : ''}NULL`,
      };
    },
    () => {
      const [own, low] = [number(), random(9) - 6];
      const high = low + 1 + random(8);
      const not = perhaps('NOT ');
      const [one, two] = [signed(low), signed(high)];
      return {
        wrong: `${own} ${not}BETWEEN${gap()}${two}${gap()}AND${gap()}${one}`,
        right: `(${own}) ${not}BETWEEN ${one} AND ${two}`,
      };
    },
    () => {
      const [one, two] = [
        pick(["'2026-01-02'", "DATE '2026-01-02'", "'2026-01-02'::date"]),
        pick(["'2026-01-05'", "DATE '2026-01-05'", "'2026-01-05'::date"]),
      ];
      const own = day();
      return { wrong: `${own} BETWEEN ${two} AND ${one}`, right: `(${own}) BETWEEN ${one} AND ${two}` };
    },
    () => {
      const [own, not, value] = [text(), perhaps('NOT '), pick(['c1', 'c0', 'v', ''])];
      return {
        wrong: `${own}${gap()}${not}LIKE${gap()}'${value}'`,
        right: `(${own}) ${not}LIKE '${value}'`,
      };
    },
    () => {
      const own = text();
      return { wrong: `${own} LIKE 'c*'`, right: `(${own}) LIKE 'c%'` };
    },
    () => {
      const [own, operator] = [
        pick(['lower(x.c)', "x.j ->> 'x'", 'x.c::text', '(x.id::text)', 'trim(x.c)', 'x.c']),
        pick(['=', '<>', '!=']),
      ];
      const value = pick(['1', '-1', '- 2', '(2)', '(-2)', '+1', '1.5']);
      const plain = value.replaceAll(/[()\s]/g, '');
      return { wrong: `${own} ${operator} ${value}`, right: `(${own}) ${operator} '${plain}'` };
    },
    () => {
      const [own, not] = [text(), perhaps('NOT ')];
      return {
        wrong: `${own} ${not}${pick(['REGEXP', 'RLIKE'])} 'c[01]'`,
        right: `${not}((${own}) ~ 'c[01]')`,
      };
    },
    () => {
      const [own, not] = [text(), perhaps('NOT ')];
      return { wrong: `${own} ${not}GLOB 'c*'`, right: `(${own}) ${not}LIKE 'c%'` };
    },
    () => {
      const [own, [word, pattern]] = [
        text(),
        pick([
          ['CONTAINS', '%1%'],
          ['STARTSWITH', '1%'],
          ['ENDSWITH', '%1'],
        ] as const),
      ];
      return { wrong: `${own} ${word} '1'`, right: `(${own}) LIKE '${pattern}'` };
    },
    () => {
      const [one, two] = [number(), number()];
      return { wrong: `${one} == ${two}`, right: `${one} = ${two}` };
    },
    () => {
      const [one, two] = [number(), number()];
      return pick([
        { wrong: `${one} ! = ${two}`, right: `${one} <> ${two}` },
        { wrong: `${one} > = ${two}`, right: `${one} >= ${two}` },
        { wrong: `${one} < = ${two}`, right: `${one} <= ${two}` },
        { wrong: `${one} ≥ ${two}`, right: `${one} >= ${two}` },
        { wrong: `${one} ≠ ${two}`, right: `${one} <> ${two}` },
      ]);
    },
    () => {
      const [one, two, three] = [number(), number(), number()];
      return pick([
        {
          wrong: `${one} = ${two} && ${three} > 0`,
          right: `${one} = ${two} AND ${three} > 0`,
          isLoose: true,
        },
        { wrong: `${one} = ${two} || ${three} > 0`, right: `${one} = ${two} OR ${three} > 0`, isLoose: true },
      ]);
    },
    () => {
      const own = number();
      return pick([
        { wrong: `${own} IS 3`, right: `(${own}) = 3` },
        { wrong: `${own} IS NOT 3`, right: `(${own}) <> 3` },
        { wrong: `${own} IS NOT IN (1, 2)`, right: `(${own}) NOT IN (1, 2)` },
      ]);
    },
    () => {
      const own = number();
      return { wrong: `${own} = ANY (1, 2)`, right: `(${own}) = ANY (ARRAY[1, 2])` };
    },
    () => ({ wrong: `${day()} < CURRENT_DATE()`, right: 'true' }),
    () => {
      const [own, number, unit] = [day(), 1 + random(9), pick(['day', 'days', 'months', 'year'])];
      return {
        wrong: `${own} < now() - ${number} ${unit}`,
        right: `(${own}) < now() - INTERVAL '${number} ${unit}'`,
      };
    },
  ];
  const values: readonly (() => Mistake)[] = [
    () => {
      const [one, two] = [number(), number()];
      return {
        wrong: `${pick(['NVL', 'IFNULL', 'isnull'])}(${one}, ${two})`,
        right: `coalesce(${one}, ${two})`,
      };
    },
    () => {
      const [one, two] = [number(), number()];
      return {
        wrong: `${pick(['IIF', 'IFF', 'IF'])}(${one} > 1, ${two}, 0)`,
        right: `CASE WHEN ${one} > 1 THEN ${two} ELSE 0 END`,
      };
    },
    () => {
      const [one, two] = [number(), number()];
      return {
        wrong: `NVL2(${one}, ${two}, 7)`,
        right: `CASE WHEN (${one}) IS NOT NULL THEN ${two} ELSE 7 END`,
      };
    },
    () => {
      const own = number();
      return {
        wrong: `DECODE(${own}, 1, 5, 2, 6, 7)`,
        right: `CASE (${own}) WHEN 1 THEN 5 WHEN 2 THEN 6 ELSE 7 END`,
      };
    },
    () => {
      const own = text();
      return pick([
        { wrong: `LEN(${own})`, right: `length(${own})` },
        { wrong: `CHARINDEX('1', ${own})`, right: `strpos(${own}, '1')` },
        { wrong: `INSTR(${own}, '1')`, right: `strpos(${own}, '1')` },
        { wrong: `LEN(MID(${own}, 1, 1))`, right: `length(substring((${own}) FROM 1 FOR 1))` },
      ]);
    },
    () => {
      const [one, two] = [day(), day()];
      return pick([
        { wrong: `DATEDIFF(day, ${one}, ${two})`, right: `((${two})::date - (${one})::date)` },
        { wrong: `DATEDIFF(${one}, ${two})`, right: `((${one})::date - (${two})::date)` },
      ]);
    },
    () => {
      const own = day();
      const count = pick(['3', '-3', 'x.a', '- x.a', 'x.a + 1']);
      return {
        wrong: `extract(DAY FROM DATEADD(day, ${count}, ${own}))::int`,
        right: `extract(DAY FROM (${own}) + (${count}) * INTERVAL '1 day')::int`,
      };
    },
    () => {
      const own = day();
      return { wrong: `YEAR(${own})::int`, right: `extract(YEAR FROM ${own})::int` };
    },
    () => {
      const own = number();
      return { wrong: `TRY_CAST(${own} AS int)`, right: `CAST(${own} AS int)` };
    },
    () => {
      const own = number();
      return { wrong: `CONVERT(int, ${own})`, right: `CAST(${own} AS int)` };
    },
  ];
  const tails: readonly (() => Mistake)[] = [
    () => {
      const size = 1 + random(5);
      const list = pick(['x.id', 'x.id, x.c', 'x.*', '*', 'DISTINCT x.a']);
      const top = pick([`TOP ${size}`, `TOP (${size})`, `TOP(${size})`]);
      const distinct = list.startsWith('DISTINCT') ? 'DISTINCT ' : '';
      const own = list.replace('DISTINCT ', '');
      const rest = `FROM t x${perhaps(' WHERE x.id > 1')}${pick(['', '', ' ORDER BY 1', ' ORDER BY 1 DESC'])}`;
      return {
        wrong: `SELECT ${distinct}${top} ${own} ${rest}`,
        right: `(SELECT ${distinct}${own} ${rest} LIMIT ${size})`,
      };
    },
    () => ({ wrong: 'SELECT x.id FROM t x MINUS SELECT 1', right: 'SELECT x.id FROM t x EXCEPT SELECT 1' }),
    () => ({ wrong: `SELECT x.id,${pick(['', ' '])}FROM t x`, right: 'SELECT x.id FROM t x' }),
    () => ({
      wrong: 'SELECT x.id FROM t x WITH (NOLOCK) WHERE x.id > 1',
      right: 'SELECT x.id FROM t x WHERE x.id > 1',
    }),
    () => ({
      wrong: 'SELECT x.id FROM t x WHERE x.a > 0 LIMIT 1, 2',
      right: 'SELECT x.id FROM t x WHERE x.a > 0 LIMIT 2 OFFSET 1',
    }),
    () => ({
      wrong: 'SELECT x.id FROM t x WHERE x.a > 0 AND ROWNUM <= 3',
      right: 'SELECT x.id FROM t x WHERE x.a > 0 LIMIT 3',
    }),
    () => ({
      wrong: 'SELECT x.a, max(x.id) FROM t x GROUP x.a',
      right: 'SELECT x.a, max(x.id) FROM t x GROUP BY x.a',
    }),
    () => {
      const [own, order] = [text(), pick(['', ' DESC', ' DESC NULLS LAST'])];
      return {
        wrong: `SELECT LISTAGG(DISTINCT ${own}, '; ') WITHIN GROUP (ORDER BY ${own}${order}) FROM t x`,
        right: `SELECT string_agg(DISTINCT ${own}, '; ' ORDER BY ${own}${order}) FROM t x`,
      };
    },
    () => ({ wrong: "SELECT x.id AS 'the id' FROM t x", right: 'SELECT x.id AS "the id" FROM t x' }),
    () => ({ wrong: 'SELECT x.id year FROM t x', right: 'SELECT x.id AS year FROM t x' }),
    () => ({ wrong: 'SELECT x.idd FROM t x', right: 'SELECT x.id FROM t x' }),
    () => ({ wrong: 'SELECT x.id FRM t x', right: 'SELECT x.id FROM t x' }),
    () => ({ wrong: 'SELECT DISTINCT x.a FROM t x GROUP BY x.a', right: 'SELECT x.a FROM t x GROUP BY x.a' }),
  ];
  const condition = ({ wrong, right, isLoose = false }: Mistake): Mistake => {
    const around = pick<(own: string) => string>([
      (own) => `SELECT x.id FROM t x WHERE ${own}`,
      (own) => `SELECT x.id FROM t x WHERE ${own} AND x.id > 1`,
      (own) => `SELECT x.id FROM t x WHERE x.id > 1 AND ${own} ORDER BY x.id`,
      (own) => `SELECT x.id FROM t x WHERE NOT (${own})`,
      (own) => `SELECT x.id FROM t x WHERE x.a = 0 OR ${own}`,
      (own) => `SELECT x.id, CASE WHEN ${own} THEN 1 ELSE 0 END AS k FROM t x`,
      (own) => `SELECT x.id, (${own}) AS k FROM t x`,
      (own) => `SELECT x.id, ${own} AS k FROM t x`,
      (own) => `SELECT count(*) FILTER (WHERE ${own}) FROM t x`,
      (own) =>
        `SELECT x.id FROM t x JOIN u y ON x.id = y.t_id AND ${own.replaceAll(/(?<![.\w])(id|a|c|d)(?![.\w(])/g, 'x.$1')}`,
      (own) => `SELECT q.id FROM (SELECT x.id FROM t x WHERE ${own}) q`,
      (own) => `WITH q AS (SELECT x.id FROM t x WHERE ${own}) SELECT * FROM q`,
      (own) => `SELECT x.a, max(x.id) FROM t x WHERE ${own} GROUP BY x.a HAVING count(*) > 0`,
    ]);
    return { wrong: around(wrong), right: around(isLoose ? right : `(${right})`) };
  };
  const value = ({ wrong, right }: Mistake): Mistake => {
    const around = pick<(own: string) => string>([
      (own) => `SELECT ${own} AS k FROM t x`,
      (own) => `SELECT ${own}${own.endsWith(')') ? '' : ' '}FROM t x`,
      (own) => `SELECT -${own} AS k FROM t x`,
      (own) => `SELECT 2 * ${own} AS k FROM t x`,
      (own) => `SELECT ${own} - 1 AS k FROM t x`,
      (own) => `SELECT x.id FROM t x WHERE ${own} > 1`,
      (own) => `SELECT x.id FROM t x WHERE x.id = ${own}`,
      (own) => `SELECT x.id FROM t x WHERE ${own} IN (1, 2) OR ${own} IS NULL`,
      (own) => `SELECT x.id FROM t x WHERE ${own} BETWEEN 1 AND 3`,
      (own) => `SELECT max(${own}) AS k FROM t x`,
      (own) => `SELECT x.id FROM t x ORDER BY ${own}, x.id`,
      (own) => `SELECT coalesce(${own}, 0) AS k FROM t x`,
    ]);
    return { wrong: around(wrong), right: around(`(${right})`) };
  };
  const tail = (mistake: Mistake): Mistake => {
    const around = pick<(own: string) => string>([
      (own) => own,
      (own) => own,
      (own) => `SELECT count(*) FROM (${own}) q`,
      (own) => `WITH q AS (${own}) SELECT count(*) FROM q`,
      (own) => `SELECT 1 AS k WHERE EXISTS (${own})`,
      (own) => `SELECT z.id FROM u z WHERE z.id IN (SELECT 1 FROM (${own}) q) ORDER BY z.id LIMIT 3`,
    ]);
    return { wrong: around(mistake.wrong), right: around(mistake.right) };
  };
  switch (random(5)) {
    case 0:
    case 1:
      return condition(pick(conditions)());
    case 2:
    case 3:
      return value(pick(values)());
    default:
      return tail(pick(tails)());
  }
}
