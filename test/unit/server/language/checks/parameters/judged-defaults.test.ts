/** Compares what is said of defaults and lists with PostgreSQL's input functions. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { bracedList } from '#base/values/braced-list.ts';
import { isWrongDefault, parameterLine } from '#server/language/checks/parameters/parameter-line.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { readByPostgres } from '#test/helpers/read-literals.ts';
import { literalsByType } from '../../types/literals-by-type.ts';

let database: PGlite;
before(async () => {
  database = await newDatabase();
});
after(() => database.close());

function isRefused(type: string, text: string): boolean {
  const line = parameterLine({ argument: `p ${type} = '${text.replaceAll("'", "''")}'` });
  assert.ok(line?.defaultValue !== undefined, text);
  return isWrongDefault(line);
}

/** Spellings of numbers, right ones and wrong ones. */
const spelled = [
  ...[
    '1_000',
    '1__0',
    '_1',
    '1_',
    '+1_0',
    '-1_0',
    '0_1',
    '0x1F',
    '0X1f',
    '-0x1F',
    '0x_1F',
    '0x',
    '0x1_',
    '0xG',
    '0x1F.5',
  ],
  ...[
    '0o17',
    '0o8',
    '0O1_7',
    '0b101',
    '0b2',
    '0b_1',
    '0b1e1',
    '1e3',
    '1E3',
    '1e',
    '1e+2',
    '1e_5',
    '1_0e1_0',
    '1e5_',
    '1.5',
  ],
  ...[
    '1_0.5_0',
    '1._5',
    '._5',
    '1_.5',
    '.5',
    '5.',
    '.',
    '',
    ' 7 ',
    '- 7',
    '--7',
    '+-7',
    '1,000',
    '1 000',
    "1'000",
    '1d',
    '7n',
  ],
  ...['١', '１', '½', '²', 'Ⅷ', '\u22127', 'e5', '007', '-0', '1e131071', '1e131072', '1e200000', '0e200000'],
  ...[
    '1e-16383',
    '1e-16384',
    '0e-16384',
    '.1e-16382',
    '.1e-16383',
    '100e131069',
    '100e131070',
    '0x7fff',
    '0x8000',
  ],
  ...[
    '0x7fffffff',
    '0x80000000',
    '-0x80000000',
    '0x7fffffffffffffff',
    '-0x8000000000000000',
    '0x8000000000000000',
  ],
];

/** Texts that fit some types of a size and not others. */
const sized = {
  'varchar(3)': ['abc', 'abcd', 'abc  ', '😀😀😀', '😀😀😀😀'],
  'character varying(2)': ['ab', 'abc', 'a   '],
  'char(2)': ['ab', 'abc', 'ab '],
  character: ['a', 'ab', 'a '],
  'bit(3)': ['101', '10', '1010', 'xa', 'b101', '102', ''],
  bit: ['1', '0', '10', ''],
  'bit varying(4)': ['101', '10101', 'xa', 'xab', ''],
  'numeric(4,2)': [
    '99.99',
    '99.994',
    '99.995',
    '-99.995',
    '100',
    '1e1',
    '1e2',
    '1e-9',
    '0e9',
    '.5',
    '5.',
    'NaN',
    'Infinity',
  ],
  'numeric(3)': ['999', '999.4', '999.5', '0.00', '1000'],
  'numeric(2,3)': ['0.099', '0.0994', '0.0995', '0.1', '-0.05'],
  'decimal(5, 1)': ['9999.9', '9999.95', '12345'],
  ...Object.fromEntries(
    ['smallint', 'integer', 'bigint', 'numeric', 'numeric(3)', 'numeric(6,2)'].map((type) => [type, spelled]),
  ),
  real: [
    '1e38',
    '1e39',
    '-1e39',
    '1e-44',
    '1e-46',
    '0e-99',
    '3.4028235677973366e38',
    '.5',
    '5.',
    '1_0',
    '١',
    'inf',
    'nan',
  ],
  float8: ['1e308', '1e309', '1e-323', '1e-324', '1e-999', '0e-999', '.5', '5.', '1_0', '１', '-inf', 'NaN'],
  boolean: [
    ...[
      't',
      'tr',
      'tru',
      'true',
      'TRUE',
      'truee',
      'f',
      'fa',
      'fal',
      'fals',
      'false',
      'y',
      'ye',
      'yes',
      'n',
      'no',
    ],
    ...['o', 'on', 'of', 'off', '1', '0', '2', '10', ' on ', 'nope'],
  ],
  'numeric(2,-2)': ['9900', '9949', '9950', '49', '50', '12345'],
} as const;

describe('a default', () => {
  for (const [type, texts] of Object.entries(sized))
    it(`of ${type} is judged as by PostgreSQL`, async () => {
      const read = await readByPostgres(database, type, texts);
      assert.deepEqual(
        texts.filter((text) => isRefused(type, text)),
        texts.filter((text) => !read.has(text)),
      );
    });

  for (const type of ['time', 'timetz', 'interval', 'inet', 'cidr', 'macaddr', 'bytea', 'uuid', 'jsonb'])
    it(`of ${type} is judged as by PostgreSQL`, async () => {
      const texts = (literalsByType[type]?.literals ?? []).filter((text) => !text.includes('\0'));
      assert.ok(texts.length > 0);
      const read = await readByPostgres(database, type, texts);
      assert.deepEqual(
        texts.filter((text) => isRefused(type, text)),
        texts.filter((text) => !read.has(text)),
      );
    });
});

describe('an array', () => {
  it('is read as by PostgreSQL', async () => {
    const unit = fc.constantFrom(
      '{',
      '}',
      '{',
      '}',
      ',',
      ',',
      '"',
      '\\',
      ' ',
      '\t',
      '\u00a0',
      'a',
      'NULL',
      '[0:1]=',
      '[1]=',
    );
    const texts = [...new Set(fc.sample(fc.string({ unit, maxLength: 9 }), { numRuns: 6_000, seed: 44 }))];
    const drawn = [
      ...texts,
      ...texts.map((text) => `{${text}}`),
      '[0:1]={a,b}',
      '[2] = {a,b}',
      '[1:0]={}',
      '{{a},{b}}',
    ];
    const read = await readByPostgres(database, 'text[]', drawn);
    const { rows } = await database.query<{ text: string; items: (string | null)[] }>(
      'SELECT text, array_to_json(text::text[]) AS items FROM unnest($1::text[]) AS given (text)',
      [drawn.filter((text) => read.has(text))],
    );
    assert.ok(rows.length > 300, String(rows.length));
    const items = new Map(rows.map((row) => [row.text, row.items]));
    const isFlat = (list: readonly unknown[] | undefined) => list?.every((item) => !Array.isArray(item));
    for (const text of drawn) {
      const found = bracedList(text);
      if (isFlat(found) !== false) assert.deepEqual(found, items.get(text), text);
    }
  });
});
