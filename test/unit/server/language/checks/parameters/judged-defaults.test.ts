/** Compares what is said of defaults and lists with PostgreSQL's input functions. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { bracedList } from '#base/values/braced-list.ts';
import { isWrongDefault, parameterLine } from '#server/language/checks/parameters/parameter-line.ts';
import { readByPostgres } from '#test/helpers/read-literals.ts';
import { literalsByType } from '../../types/literals-by-type.ts';

let database: PGlite;
before(async () => {
  database = await PGlite.create();
});
after(() => database.close());

function isRefused(type: string, text: string): boolean {
  const line = parameterLine({ argument: `p ${type} = '${text.replaceAll("'", "''")}'` });
  assert.ok(line?.defaultValue !== undefined, text);
  return isWrongDefault(line);
}

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
