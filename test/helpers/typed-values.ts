/** Values of PostgreSQL's types: the edges of each, and random ones from a seed. */

export type Random = () => number;

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const int = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));
const pick = <Item>(random: Random, items: readonly [Item, ...Item[]]): Item =>
  items[int(random, 0, items.length - 1)] ?? items[0];
const two = (value: number): string => String(value).padStart(2, '0');
const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => int(random, 0, 9)).join('');

function decimal(random: Random): string {
  const sign = pick(random, ['', '-']);
  const whole =
    String(int(random, 0, pick(random, [9, 1_000, 1e9]))) + digits(random, pick(random, [0, 0, 12]));
  const scale = pick(random, [0, 0, 1, 2, 10]);
  return `${sign}${whole}${scale === 0 ? '' : `.${digits(random, scale)}`}`;
}

function day(random: Random): string {
  const year = pick(random, [
    int(random, 1, 9_999),
    int(random, 1_960, 2_040),
    2_024,
    int(random, 10_000, 200_000),
  ]);
  return `${String(year).padStart(4, '0')}-${two(int(random, 1, 12))}-${two(int(random, 1, 28))}`;
}

function clock(random: Random): string {
  const fraction = pick(random, ['', `.${digits(random, 6)}`, '.5', '.999999']);
  return `${two(int(random, 0, 23))}:${two(int(random, 0, 59))}:${two(int(random, 0, 59))}${fraction}`;
}

const zone = (random: Random): string => pick(random, ['+00', '+02', '-05', '+05:30', '-11', '+14']);
/** Years before Christ go back only to 4714. */
const early = (random: Random, text: string): string =>
  /^[0-3]\d{3}-/.test(text) && random() < 0.3 ? `${text} BC` : text;

function interval(random: Random): string {
  const parts = [
    `${int(random, -3, 3)} years`,
    `${int(random, -30, 30)} mons`,
    `${int(random, -60, 60)} days`,
    `${pick(random, ['', '-'])}${int(random, 0, 72)}:${two(int(random, 0, 59))}:${two(int(random, 0, 59))}${pick(random, ['', '.5', '.000001'])}`,
  ];
  return parts.filter(() => random() < 0.5).join(' ') || '0';
}

function address(random: Random): string {
  if (random() < 0.5) {
    const host = Array.from({ length: 4 }, () => pick(random, [0, 10, 128, 255, int(random, 0, 255)])).join(
      '.',
    );
    return `${host}${pick(random, ['', `/${int(random, 0, 32)}`])}`;
  }
  const words = Array.from({ length: 8 }, () =>
    pick(random, ['0', '1', int(random, 0, 65_535).toString(16)]),
  );
  return `${words.join(':')}${pick(random, ['', `/${int(random, 0, 128)}`])}`;
}

function hex(random: Random, count: number): string {
  return Array.from({ length: count }, () => int(random, 0, 15).toString(16)).join('');
}

function list(random: Random, element: (random: Random) => string): string {
  const item = () => (random() < 0.15 ? 'NULL' : `"${element(random)}"`);
  const items = Array.from({ length: int(random, 0, 3) }, item);
  if (random() < 0.8 || items.length === 0) return `{${items.join(',')}}`;
  return `{{${items.join(',')}},{${items.map(item).join(',')}}}`;
}

const words = [
  '',
  'a',
  'A',
  'b',
  'é',
  'Zürich',
  '日本',
  '😀',
  'a b',
  "it's",
  'a,b',
  'x"y',
  'back\\slash',
  'tab\there',
  'line\nbreak',
  '=1+1',
  '-5',
  '1.0',
  'NULL',
  'true',
  '2026-01-01',
  ' padded ',
  'a\u0301',
  '\u0001',
  '&lt;b&gt; &amp; &#65;',
  'a|b',
  '\\|',
  '_x0041_',
  '\r',
  'x\r\ny',
  "'quoted",
  '"',
  'm\ufeffark',
  '\u202eright',
  'שלום',
  '00012',
  '12345678901234567',
  '1e5',
  '+1',
  '@SUM(A1)',
  '\tlead',
  'n/a',
  'a;=1',
  '\u00a0',
  'null',
  '\uffff',
  '👨‍👩‍👧',
  '[1,2]',
  '{}',
  '~~x~~ **b** `c` https://example.com',
  'https://example.com/a_b#c|d',
  'www.a_b.example.com/~x',
  'a_b@example.com',
  '- a',
  '\\.',
  '\\N',
  '#REF!',
] as const;

export interface TypedValues {
  /** As in a definition of a column. */
  readonly type: string;
  /** The type that a service reports for a domain. */
  readonly base?: string;
  readonly edges: readonly string[];
  readonly random: (random: Random) => string;
  /** Whether the service alone knows the order, so that it is not compared. */
  readonly isOrderUnknown?: true;
  /** Whether PostgreSQL has no equality of such values. */
  readonly isEqualityUnknown?: true;
}

/** Types that PostgreSQL does not have by itself, with their statements. */
export const ownTypes = [
  `CREATE TYPE mood AS ENUM ('sad', 'ok', 'very, "happy"', '')`,
  'CREATE DOMAIN positive AS numeric(12, 3) CHECK (VALUE > 0)',
  'CREATE DOMAIN email AS text',
  'CREATE TYPE pair AS (name text, amount numeric, at timestamptz)',
] as const;

const small = (random: Random) => String(int(random, -99, 99));

const unordered = { isOrderUnknown: true, isEqualityUnknown: true } as const;

/** Names that every database has. */
const registered: Readonly<Record<string, readonly string[]>> = {
  regclass: ['pg_class', 'pg_type'],
  regtype: ['integer', '"char"', 'timestamp with time zone', '-'],
  regrole: ['postgres', '-'],
  regnamespace: ['pg_catalog', '-'],
  regproc: ['now', '-'],
  regprocedure: ['lower(text)', '-'],
  regoper: ['||/', '0'],
  regoperator: ['+(integer,integer)', '0'],
  regconfig: ['simple', '-'],
  regdictionary: ['simple', '-'],
  regcollation: ['"C"', '-'],
};

export const typedValues: readonly TypedValues[] = [
  { type: 'int2', edges: ['-32768', '32767', '0'], random: (r) => String(int(r, -32_768, 32_767)) },
  { type: 'int4', edges: ['-2147483648', '2147483647', '0'], random: (r) => String(int(r, -2e9, 2e9)) },
  {
    type: 'int8',
    edges: ['-9223372036854775808', '9223372036854775807', '9007199254740993', '9007199254740992', '0'],
    random: (r) => `${pick(r, ['', '-'])}${int(r, 1, 9)}${digits(r, int(r, 0, 17))}`,
  },
  {
    type: 'numeric',
    edges: [
      'NaN',
      'Infinity',
      '-Infinity',
      '0',
      '0.00',
      '1.0',
      '1.00',
      '1',
      '100.00',
      '1e-20',
      '99999999999999999999.5',
      '1e30',
    ],
    random: decimal,
  },
  {
    type: 'float8',
    edges: [
      'NaN',
      'Infinity',
      '-Infinity',
      '0',
      '-0',
      '1e300',
      '-1e300',
      '5e-324',
      '0.1',
      '1.5',
      '1e15',
      '1e16',
      '123456789012345680',
    ],
    random: (r) => `${decimal(r)}e${int(r, -20, 20)}`,
  },
  {
    type: 'float4',
    edges: ['NaN', 'Infinity', '-Infinity', '0', '-0', '0.1', '1e30'],
    random: (r) => `${int(r, -999, 999)}.${digits(r, 3)}e${int(r, -9, 9)}`,
  },
  { type: 'oid', edges: ['0', '4294967295'], random: (r) => String(int(r, 0, 4_294_967_295)) },
  {
    type: 'money',
    edges: ['$0.00', '-$1,000.50', '$92,233,720,368,547,758.07'],
    random: (r) => `${pick(r, ['', '-'])}${int(r, 0, 2e6)}.${digits(r, 2)}`,
  },
  { type: 'bool', edges: ['t', 'f'], random: (r) => pick(r, ['t', 'f']) },
  {
    type: 'date',
    edges: [
      'infinity',
      '-infinity',
      '4713-01-01 BC',
      '5874897-12-31',
      '9999-12-31',
      '10000-01-01',
      '0001-01-01',
      '1900-02-28',
      '1970-01-01',
    ],
    random: (r) => early(r, day(r)),
  },
  {
    type: 'timestamp',
    edges: [
      'infinity',
      '-infinity',
      '4713-01-01 00:00:00 BC',
      '294276-12-31 23:59:59.999999',
      '9999-12-31 23:59:59.999999',
      '9999-12-31 23:59:59.999998',
      '1969-12-31 23:59:59.7',
      '10000-01-01 00:00:00',
      '1970-01-01 00:00:00',
    ],
    random: (r) => early(r, `${day(r)} ${clock(r)}`),
  },
  {
    type: 'timestamptz',
    edges: [
      'infinity',
      '-infinity',
      '2026-01-01 00:00:00+00',
      '0044-03-15 12:00:00+00 BC',
      '9999-12-31 23:59:59.999999+00',
    ],
    random: (r) => early(r, `${day(r)} ${clock(r)}${zone(r)}`),
  },
  { type: 'time', edges: ['00:00:00', '24:00:00', '23:59:59.999999', '23:59:59.7'], random: clock },
  {
    type: 'timetz',
    edges: ['00:00:00+00', '24:00:00-15', '00:00:00+15', '12:00:00+02', '10:00:00+00'],
    random: (r) => `${clock(r)}${zone(r)}`,
  },
  {
    type: 'interval',
    edges: [
      '0',
      '1 day',
      '24:00:00',
      '1 mon',
      '30 days',
      '9 days',
      '10 days',
      '-1 day',
      '-1 day +02:03:04',
      '1 year',
      'infinity',
      '-infinity',
      '178000000 years',
      '0.000001 seconds',
    ],
    random: interval,
  },
  {
    type: 'uuid',
    edges: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    random: (r) => hex(r, 32),
  },
  {
    type: 'inet',
    edges: [
      '10.0.0.1',
      '10.0.0.1/24',
      '10.0.0.2/24',
      '9.0.0.0/8',
      '::1',
      '::',
      '::ffff:10.0.0.1',
      '0.0.0.0/0',
      '255.255.255.255',
    ],
    random: address,
  },
  {
    type: 'cidr',
    edges: ['10.0.0.0/8', '10.0.0.0/16', '9.0.0.0/8', '10.1.0.0/16', '2001:db8::/32', '::/0'],
    random: (r) => `${int(r, 0, 255)}.${int(r, 0, 255)}.0.0/16`,
  },
  { type: 'macaddr', edges: ['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'], random: (r) => hex(r, 12) },
  { type: 'macaddr8', edges: ['00:00:00:00:00:00:00:00'], random: (r) => hex(r, 16) },
  {
    type: 'bit varying',
    edges: ['', '0', '1', '10', '01', '100000000', '10000000'],
    random: (r) => Array.from({ length: int(r, 0, 20) }, () => int(r, 0, 1)).join(''),
  },
  {
    type: 'bytea',
    edges: [String.raw`\x`, String.raw`\x00`, String.raw`\xff`, String.raw`\x0001`],
    random: (r) => `\\x${hex(r, 2 * int(r, 0, 6))}`,
  },
  {
    type: 'pg_lsn',
    edges: ['0/0', 'FFFFFFFF/FFFFFFFF', 'A/0', '9/FF'],
    random: (r) => `${hex(r, int(r, 1, 4)).toUpperCase()}/${hex(r, int(r, 1, 8)).toUpperCase()}`,
  },
  {
    type: 'int4range',
    edges: ['empty', '(,)', '[1,5)', '[1,)', '(,5)', '[1,1]', '[10,20)', '[9,20)'],
    random: (r) => orderedRange(r, () => int(r, -50, 50)),
  },
  {
    type: 'numrange',
    edges: ['empty', '[1.0,2)', '[1,2.00)', '(1,2]', '(1,2)', '[1,2]', '[-5,-1]'],
    random: (r) => orderedRange(r, () => int(r, -500, 500) / 10),
  },
  {
    type: 'tsrange',
    edges: ['empty', '[2026-01-01,2026-02-01)', '(,2026-01-01]', '[2026-01-01 10:00,infinity]'],
    random: (r) =>
      orderedRange(
        r,
        () => int(r, 1_000, 3_000),
        (year) => `${year}-01-01`,
      ),
  },
  {
    type: 'int4multirange',
    edges: ['{}', '{[1,2)}', '{[1,2),[4,5)}', '{[1,3)}', '{(,)}'],
    random: (r) => `{${orderedRange(r, () => int(r, -50, 50))}}`,
  },
  {
    type: 'int4[]',
    edges: ['{}', '{1}', '{1,2}', '{NULL}', '{1,NULL}', '{{1,2},{3,4}}', '{10}', '{9}', '{1,2,3,4}'],
    random: (r) => list(r, small),
  },
  { type: 'numeric[]', edges: ['{}', '{1.0}', '{1}', '{NaN}', '{10,-5.5}'], random: (r) => list(r, decimal) },
  {
    type: 'interval[]',
    edges: ['{}', '{"1 day"}', '{24:00:00}', '{"9 days","10 days"}'],
    random: (r) => list(r, interval),
  },
  { type: 'date[]', edges: ['{}', '{2026-01-01,NULL}'], random: (r) => list(r, day) },
  { type: 'bool[]', edges: ['{}', '{t,f,NULL}'], random: (r) => list(r, () => pick(r, ['t', 'f'])) },
  { type: 'text', edges: words, random: (r) => `${pick(r, words)}${pick(r, words)}`, isOrderUnknown: true },
  {
    type: 'text[]',
    edges: ['{}', '{a,NULL,"NULL","a b"}', '{"x\\"y","b\\\\c",""}', '{{a,b},{c,d}}'],
    random: (r) => list(r, () => pick(r, ['a', 'b c', 'd,e', '{f}'])),
    isOrderUnknown: true,
  },
  {
    type: 'jsonb',
    edges: [
      'null',
      '"text"',
      '1',
      '1.0',
      '1.50',
      'true',
      '{}',
      '[]',
      '{"a": [1, {"b": null}]}',
      '"null"',
      '12345678901234567890.5',
    ],
    random: (r) => pick(r, ['1', '"a"', '[1, 2]', '{"b": 2}']),
    isOrderUnknown: true,
  },
  {
    type: 'json',
    edges: ['null', '{"a" :1}', '"text"', '1'],
    random: () => '{"a": 1}',
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'jsonb[]',
    edges: ['{}', '{"1","\\"a\\"","null"}', '{"{\\"a\\": 1}"}'],
    random: () => '{"[1]"}',
    isOrderUnknown: true,
  },
  {
    type: 'int8range',
    edges: ['empty', '[-9223372036854775808,9223372036854775807)', '[1,)'],
    random: (r) => orderedRange(r, () => int(r, -5e9, 5e9)),
  },
  {
    type: 'daterange',
    edges: ['empty', '[2026-01-01,infinity]', '(,)', '["0001-01-01 BC",2026-01-01)'],
    random: (r) =>
      orderedRange(
        r,
        () => int(r, 1_000, 3_000),
        (year) => `${year}-05-06`,
      ),
  },
  {
    type: 'tstzrange',
    edges: ['empty', '["2026-01-01 00:00:00+00","2026-02-01 12:34:56.789+02")', '(-infinity,infinity)'],
    random: (r) =>
      orderedRange(
        r,
        () => int(r, 1_000, 3_000),
        (year) => `"${year}-01-01 10:00:00+02"`,
      ),
  },
  {
    type: 'datemultirange',
    edges: ['{}', '{[2026-01-01,2026-02-01),[2027-01-01,)}'],
    random: (r) =>
      `{${orderedRange(
        r,
        () => int(r, 1_000, 3_000),
        (year) => `${year}-01-01`,
      )}}`,
  },
  { type: 'uuid[]', edges: ['{}', `{${'a'.repeat(32)},NULL}`], random: (r) => list(r, () => hex(r, 32)) },
  { type: 'inet[]', edges: ['{}', '{10.0.0.1/8,::1}'], random: (r) => list(r, address) },
  {
    type: 'timestamptz[]',
    edges: ['{}', '{infinity,"2026-01-01 00:00:00+00"}'],
    random: (r) => list(r, (one) => `${day(one)} ${clock(one)}${zone(one)}`),
  },
  { type: 'float8[]', edges: ['{}', '{NaN,Infinity,-0,1e300}'], random: (r) => list(r, small) },
  { type: 'int4range[]', edges: ['{}', '{"[1,5)",empty,NULL}'], random: () => '{"[1,2)","(,3)"}' },
  { type: 'money[]', edges: ['{}', '{"$1,000.50",-$2.00}'], random: (r) => list(r, small) },
  {
    type: 'bytea[]',
    edges: ['{}', String.raw`{"\\x00","\\xff00"}`],
    random: () => String.raw`{"\\x0102",NULL}`,
  },
  { type: 'xid8', edges: ['0', '18446744073709551615'], random: (r) => String(int(r, 0, 1e9)) },
  {
    type: 'tid',
    edges: ['(0,0)', '(4294967295,65535)', '(2,10)', '(10,2)'],
    random: (r) => `(${int(r, 0, 99)},${int(r, 0, 99)})`,
  },
  {
    type: 'bit(9)',
    edges: ['000000000', '111111111', '000000001'],
    random: (r) => Array.from({ length: 9 }, () => int(r, 0, 1)).join(''),
  },
  {
    type: 'numeric(12, 3)',
    edges: ['0', '-999999999.999', '999999999.999', '0.001', 'NaN'],
    random: (r) => `${int(r, -1e6, 1e6)}.${digits(r, 3)}`,
  },
  {
    type: 'varchar(40)',
    edges: words,
    random: (r) => `${pick(r, words)}${pick(r, words)}`,
    isOrderUnknown: true,
  },
  {
    type: 'char(5)',
    edges: ['', 'a', 'ab   ', '=1+1', '00012'],
    random: (r) => pick(r, ['a', 'b', 'é', '1']),
    isOrderUnknown: true,
  },
  { type: 'name', edges: ['', 'a', 'é', '-x'], random: (r) => pick(r, words), isOrderUnknown: true },
  {
    type: '"char"',
    edges: ['', 'a', ',', '"', '='],
    random: (r) => pick(r, ['x', 'y', ';']),
    isOrderUnknown: true,
  },
  {
    type: 'mood',
    edges: ['sad', 'ok', 'very, "happy"', ''],
    random: (r) => pick(r, ['sad', 'ok']),
    isOrderUnknown: true,
  },
  {
    type: 'mood[]',
    edges: ['{}', String.raw`{sad,NULL,"very, \"happy\"",""}`],
    random: (r) => list(r, () => pick(r, ['sad', 'ok'])),
    isOrderUnknown: true,
  },
  {
    type: 'positive',
    base: 'numeric',
    edges: ['0.001', '999999999.999'],
    random: (r) => `${int(r, 1, 1e6)}.${digits(r, 3)}`,
  },
  {
    type: 'email',
    base: 'text',
    edges: ['', '@a', 'a@b.c'],
    random: (r) => `${pick(r, words)}@example.com`,
    isOrderUnknown: true,
  },
  {
    type: 'pair',
    edges: ['(,,)', '("a, ""b""",1.50,"2026-01-01 00:00:00+00")', '("",NaN,infinity)', String.raw`("\\",,)`],
    random: (r) => `(${pick(r, ['a', '"b c"', ''])},${decimal(r)},)`,
    isOrderUnknown: true,
  },
  {
    type: 'pair[]',
    edges: ['{}', '{"(a,1,)",NULL}'],
    random: () => String.raw`{"(\"x y\",2.0,)"}`,
    isOrderUnknown: true,
  },
  {
    type: 'tsvector',
    edges: ['', `'a':1A,2B 'b''c':3`],
    random: (r) => pick(r, ['a b', 'c:1 d:2']),
    isOrderUnknown: true,
  },
  {
    type: 'tsquery',
    edges: ['', `'a' & !'b' <-> 'c'`],
    random: (r) => pick(r, ['a|b', '!c']),
    isOrderUnknown: true,
  },
  {
    type: 'jsonpath',
    edges: ['$', '$."a b"[*] ? (@ > 1)'],
    random: () => '$.x',
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'point',
    edges: ['(0,-0)', '(1e300,NaN)', '(1.5,-Infinity)'],
    random: (r) => `(${small(r)},${small(r)})`,
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'box',
    edges: ['(1,1),(0,0)'],
    random: (r) => `(${small(r)},${small(r)}),(${small(r)},0)`,
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'box[]',
    edges: ['{}', '{(1,1),(0,0);(2,2),(1,1)}'],
    random: () => '{(3,3),(0,0)}',
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'polygon',
    edges: ['((0,0),(1,1),(1,0))'],
    random: (r) => `((${small(r)},0),(1,1))`,
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'circle',
    edges: ['<(0,0),1>'],
    random: (r) => `<(${small(r)},0),2>`,
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  {
    type: 'xml',
    edges: ['', '<a b="1">&lt;é😀</a>', 'text', '<a>\r\n</a>', '<!-- x -->'],
    random: (r) => `<v>${pick(r, ['a', '1', '&amp;'])}</v>`,
    isOrderUnknown: true,
    isEqualityUnknown: true,
  },
  { type: 'xml[]', edges: ['{}', '{"<a/>",NULL,x}'], random: () => '{<b/>}', ...unordered },
  {
    type: 'line',
    edges: ['{1,-1,0}', '{0,1,-2.5}'],
    random: (r) => `{1,${small(r)},${small(r)}}`,
    ...unordered,
  },
  { type: 'lseg', edges: ['[(0,0),(1,-1)]'], random: (r) => `[(${small(r)},0),(1,1)]`, ...unordered },
  {
    type: 'path',
    edges: ['[(0,0),(1,1)]', '((0,0),(1,1),(2,0))'],
    random: (r) => `[(${small(r)},0),(1,${small(r)})]`,
    ...unordered,
  },
  { type: 'xid', edges: ['0', '4294967295'], random: (r) => String(int(r, 0, 1e9)), ...unordered },
  { type: 'cid', edges: ['0', '4294967295'], random: (r) => String(int(r, 0, 1e9)), ...unordered },
  {
    type: 'oidvector',
    edges: ['', '1 2', '4294967295'],
    random: (r) => `${int(r, 0, 99)} 7`,
    isOrderUnknown: true,
  },
  { type: 'int2vector', edges: ['', '1 -2'], random: (r) => `${small(r)} 7`, ...unordered },
  {
    type: 'aclitem',
    edges: ['postgres=r/postgres', '=arwd*/postgres'],
    random: (r) => pick(r, ['postgres=w/postgres', '=r/postgres']),
    isOrderUnknown: true,
  },
  {
    type: 'aclitem[]',
    edges: ['{}', '{postgres=arwdDxtm/postgres,=r/postgres}'],
    random: () => '{=U/postgres}',
    isOrderUnknown: true,
  },
  { type: 'refcursor', edges: ['', '<unnamed portal 1>', '=a'], random: (r) => pick(r, words), ...unordered },
  { type: 'pg_snapshot', edges: ['1:1:', '10:20:10,14,15'], random: () => '7:9:8', ...unordered },
  { type: 'txid_snapshot', edges: ['1:1:', '10:20:10,14,15'], random: () => '7:9:8', ...unordered },
  ...Object.entries(registered).map(([type, names]): TypedValues => ({
    type,
    edges: names,
    random: () => names[0] ?? '',
    isOrderUnknown: true,
  })),
  {
    type: 'int8multirange',
    edges: ['{}', '{[-9223372036854775808,5),[9,)}'],
    random: (r) => `{${orderedRange(r, () => int(r, -99, 99))}}`,
  },
  {
    type: 'nummultirange',
    edges: ['{}', '{(,1.50],(2.0,)}', '{[10,11],[2,3)}'],
    random: (r) => `{${orderedRange(r, () => int(r, -99, 99))}}`,
  },
  {
    type: 'tstzmultirange',
    edges: ['{}', '{(,infinity)}', '{["2026-01-01 00:00:00+00","2026-01-02 00:00:00+00")}'],
    random: (r) =>
      `{${orderedRange(
        r,
        () => int(r, 1_000, 3_000),
        (year) => `"${year}-01-01 00:00:00+00"`,
      )}}`,
  },
  {
    type: 'tsmultirange',
    edges: ['{}', '{(,infinity)}', '{["2026-01-01 00:00:00","2026-01-02 00:00:00.5")}'],
    random: (r) =>
      `{${orderedRange(
        r,
        () => int(r, 1_000, 3_000),
        (year) => `"${year}-01-01 00:00:00"`,
      )}}`,
  },
  {
    type: 'int8[]',
    edges: ['{}', '{9223372036854775807,NULL,-9223372036854775808}'],
    random: (r) => list(r, small),
  },
  { type: 'int2[]', edges: ['{}', '{1,2}'], random: (r) => list(r, small) },
  { type: 'time[]', edges: ['{}', '{24:00:00,NULL}'], random: (r) => list(r, clock) },
  {
    type: 'timetz[]',
    edges: ['{}', '{24:00:00+14,NULL}'],
    random: (r) => list(r, (one) => `${clock(one)}${zone(one)}`),
  },
  { type: 'cidr[]', edges: ['{}', '{10.0.0.0/8,::/0}'], random: () => '{10.1.0.0/16}' },
  { type: 'macaddr[]', edges: ['{}', '{08:00:2b:01:02:03,NULL}'], random: () => '{08:00:2b:01:02:04}' },
  {
    type: 'json[]',
    edges: ['{}', String.raw`{"{\"a\": 1}",NULL,1.50,"\"x\""}`],
    random: () => '{1,"[2]"}',
    ...unordered,
  },
  { type: 'pg_lsn[]', edges: ['{}', '{0/0,FFFFFFFF/FFFFFFFF,NULL}'], random: () => '{1/A}' },
  { type: 'tsvector[]', edges: ['{}', `{"'a':1",NULL}`], random: () => '{b}', isOrderUnknown: true },
  {
    type: 'varchar(9)[]',
    edges: ['{}', '{a,"",NULL,"b c"}'],
    random: (r) => list(r, () => 'x'),
    isOrderUnknown: true,
  },
];

function orderedRange(
  random: Random,
  number: () => number,
  write: (value: number) => string = String,
): string {
  const bounds = [number(), number()].sort((a, b) => a - b).map(write);
  if (random() < 0.1) return 'empty';
  const bound = (text = '') => (random() < 0.2 ? '' : text);
  return `${pick(random, ['[', '('])}${bound(bounds[0])},${bound(bounds[1])}${pick(random, [']', ')'])}`;
}

/** Returns texts of a type's values: the edges, then random ones. */
export function valuesOf({ edges, random }: TypedValues, count: number, seed: number): readonly string[] {
  const next = seeded(seed);
  return [...edges, ...Array.from({ length: count }, () => random(next))];
}
