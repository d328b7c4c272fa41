/**
 * Parameters on real PostgreSQL, sent separately or written into the query: values arrive unchanged, and no value can
 * end its literal.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { RunRequest, ServiceClient } from '#api/client/client.ts';
import { createClient } from '#api/client/client.ts';
import { RejectedError } from '#api/client/errors.ts';
import type { ParameterValue } from '#api/contract/execute.ts';
import { parseValue } from '#base/values/parse-value.ts';
import type { ParameterField } from '#core/parameters/parameter-field.ts';
import { ownQuery, sendQuery } from '#core/policy/send-query.ts';
import { buildRequest } from '#core/runs/run-request.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const bindings = ['parameters', 'literals'] as const;
type Binding = (typeof bindings)[number];
const now = new Date(2026, 2, 31, 15, 30);

let sandbox: RunningSandbox;
let client: ServiceClient;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
  client = createClient(sandbox);
});
after(async () => {
  await client.close();
  await sandbox.stop();
});

interface Bound {
  readonly type?: string;
  readonly value: ParameterValue;
}

function prepared(text: string, values: Readonly<Record<string, Bound>>, binding: Binding) {
  const placeholders = [...text.matchAll(/(?<![:']):([a-z_]\w*)/g)].map((match) => ({
    name: match[1] ?? '',
    range: {
      start: positionAt(text, match.index),
      end: positionAt(text, match.index + match[0].length),
    },
  }));
  const fields = Object.entries(values).map(([name, { type }]): ParameterField => ({
    ...{ name, type: type ?? 'text', typeFrom: type === undefined ? 'nothing' : 'declared' },
    ...{ control: 'text', choices: [], isClosed: false, isSecret: false, mayBeEmpty: true },
    ...{ text: '', isNull: false, isEmpty: false, recent: [] },
  }));
  const parameters = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
  const range = { start: { line: 0, character: 0 }, end: positionAt(text, text.length) };
  return buildRequest({ text, range, placeholders }, { parameters, fields, sentAs: binding });
}

function positionAt(text: string, offset: number) {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

async function rowOf(text: string, values: Readonly<Record<string, Bound>>, binding: Binding) {
  const { request } = prepared(text, values, binding);
  const page = await client.queries.execute({ ...request, pageSize: 10 });
  assert.equal(page.rows.length, 1, 'one row: no value changed the shape of the query');
  return page.rows[0] ?? [];
}

/** Text like that pasted by users, and injection attempts. */
const wild = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed()),
  fc
    .array(
      fc.constantFrom(
        "'",
        "''",
        '\\',
        "\\'",
        '"',
        '$$',
        '$a$',
        '--',
        '/*',
        '*/',
        ';',
        '\n',
        '🙂',
        "E'",
        ':a',
        '%',
        '{',
        '}',
        ',',
        ' OR 1=1',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

for (const binding of bindings) {
  suite(`values as ${binding}`, () => {
    const runs = { numRuns: 120 };

    test('any text arrives as typed, and the rest of the query stays unchanged', async () => {
      await fc.assert(
        fc.asyncProperty(wild, wild, async (a, b) => {
          const row = await rowOf(
            "SELECT :a::text, 'between', :b::text, ':a', length(:a::text)::text",
            { a: { value: a }, b: { value: b } },
            binding,
          );
          assert.deepEqual(row, [a, 'between', b, ':a', String([...a].length)]);
        }),
        runs,
      );
    });

    test('any list of texts arrives as typed, whatever its items contain', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.option(wild), { maxLength: 6 }), async (items) => {
          const [row] = await rowOf('SELECT to_json(:items::text[])', { items: { value: items } }, binding);
          assert.deepEqual(row, items);
        }),
        runs,
      );
    });

    test('integers up to the limits of their type, even after a minus sign', async () => {
      const edges = [-(2n ** 63n), -(2n ** 63n) + 1n, -1n, 0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n];
      const integers = fc.oneof(
        fc.constantFrom(...edges),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      );
      await fc.assert(
        fc.asyncProperty(integers, async (number) => {
          const { value } = parseValue('int8', number.toString(), now);
          assert.ok(value !== undefined);
          const row = await rowOf(
            'SELECT (:n)::int8::text, (0 -:n::numeric)::text',
            { n: { type: 'int8', value } },
            binding,
          );
          assert.deepEqual(row, [number.toString(), (-number).toString()]);
        }),
        runs,
      );
    });

    const typed: readonly (readonly [type: string, typed: string, expected: string])[] = [
      ['numeric', '12345678901234567890.123456789', '12345678901234567890.123456789'],
      ['numeric', '1.10', '1.10'],
      ['numeric', 'NaN', 'NaN'],
      ['float8', 'NaN', 'NaN'],
      ['float8', '-Infinity', '-Infinity'],
      ['float8', '1e308', '1e+308'],
      ['float8', '-0', '-0'],
      ['int2', '-32768', '-32768'],
      ['int4', '-5', '-5'],
      ['bool', 'no', 'false'],
      ['date', '0001-01-01', '0001-01-01'],
      ['date', '9999-12-31', '9999-12-31'],
      ['date', '5874897-12-31', '5874897-12-31'],
      ['date', 'infinity', 'infinity'],
      ['date', 'today - 30 days', '2026-03-01'],
      ['timestamp', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999'],
      ['timestamp', '2026-01-31 08:00', '2026-01-31 08:00:00'],
      ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
      ['jsonb', '{"a": "it\'s \\\\ \\u00e4"}', '{"a": "it\'s \\\\ ä"}'],
      ['interval', '1 year 2 days', '1 year 2 days'],
      ['inet', '10.0.0.1/24', '10.0.0.1/24'],
    ];
    for (const [type, text, expected] of typed) {
      test(`${type} ${text}`, async () => {
        const { value } = parseValue(type, text, now);
        assert.ok(value !== undefined);
        const row = await rowOf(`SELECT (:v)::${type}::text`, { v: { type, value } }, binding);
        assert.deepEqual(row, [expected]);
      });
    }

    test('NULL is NULL, of any type', async () => {
      const row = await rowOf(
        'SELECT :a::text IS NULL, :b::date IS NULL',
        {
          ...{ a: { value: null }, b: { type: 'date', value: null } },
        },
        binding,
      );
      assert.deepEqual(row, [true, true]);
    });

    test('lists: IN, NOT IN, ANY, ALL, empty ones, with other items, with comments between', async () => {
      const list = (value: ParameterValue, type?: string) => ({
        list: { value, ...(type === undefined ? {} : { type }) },
      });
      const ask = async (sql: string, value: ParameterValue, type?: string) =>
        (await rowOf(sql, list(value, type), binding))[0];
      assert.equal(await ask("SELECT 'b' IN (:list)", ['a', 'b']), true);
      assert.equal(await ask("SELECT 'b' NOT IN (:list)", ['a', 'b']), false);
      assert.equal(await ask("SELECT 'b' IN (:list)", []), false);
      assert.equal(await ask("SELECT 'b' NOT IN (:list)", []), true);
      assert.equal(await ask("SELECT 'b' not /* of */ in\n(:list)", []), true);
      assert.equal(await ask("SELECT 'b' IN ('x', :list)", ['a', 'b']), true);
      assert.equal(await ask("SELECT 'b' IN (:list, 'x')", ['a', 'b']), true);
      assert.equal(await ask("SELECT 'b' = ANY(:list)", ["it's", 'b', 'c,"d"\\']), true);
      assert.equal(await ask("SELECT 'b' <> ALL(:list)", []), true);
      assert.equal(await ask('SELECT 7 IN (:list)', [-7, 7], 'int4[]'), true);
      assert.equal(await ask('SELECT 7 = ANY(:list)', [-7, 7], 'int4[]'), true);
      assert.equal(await ask('SELECT (:list::int4[])[2]', [-7, 7], 'int4[]'), 7);
    });

    test('an error after values is reported at its position in the typed text', async () => {
      const text =
        'SELECT :a AS x, :list::text[],\n  no_such, :a\nFROM accounts WHERE alias IN (:list) AND other = :a';
      const { request, locate } = prepared(
        text,
        { a: { value: "it's long, and\nof two lines \\ 🙂" }, list: { value: ['one', "two'", 'three'] } },
        binding,
      );
      await assert.rejects(client.queries.execute(request), (error) => {
        assert.ok(error instanceof RejectedError && error.position !== undefined);
        assert.deepEqual(locate(error.position), { line: 1, character: 2 });
        return true;
      });
      const later = prepared(
        'SELECT :a AS x, no_such FROM accounts',
        { a: { value: "it's long, and\nof two lines \\ 🙂" } },
        binding,
      );
      await assert.rejects(client.queries.execute(later.request), (error) => {
        assert.ok(error instanceof RejectedError && error.position !== undefined);
        assert.deepEqual(later.locate(error.position), { line: 0, character: 16 });
        return true;
      });
    });
  });
}

suite('values written into the text', () => {
  test('only the text is sent', () => {
    const { request } = prepared('SELECT :a', { a: { value: "it's" } }, 'literals');
    assert.deepEqual(request, { query_string: "SELECT 'it''s'" });
  });

  test("the program's own queries have them in their text too", async () => {
    const sent: RunRequest[] = [];
    const queries: ServiceClient['queries'] = {
      ...client.queries,
      values: 'literals',
      execute: (request, options) => client.queries.execute((sent.push(request), request), options),
    };
    const page = await sendQuery({ queries }, ownQuery(), {
      query_string: "SELECT :id AS id, 'b' = ANY (:list) AS found, ':id' AS text",
      parameters: { id: "it's", list: ['a', 'b'] },
    });
    assert.deepEqual(page.rows, [["it's", true, ':id']]);
    assert.deepEqual(Object.keys(sent[0] ?? {}), ['query_string']);
  });

  test('an empty list beside other items is refused before anything is sent', () => {
    assert.throws(() => prepared("SELECT 'b' IN (:list, 'x')", { list: { value: [] } }, 'literals'), {
      name: 'EmptyListError',
    });
  });

  test('a literal never merges with the words around it', () => {
    const { request } = prepared("SELECT 1AS:a, x:a'y'", { a: { value: 'v\\' } }, 'literals');
    assert.equal(request.query_string, "SELECT 1AS E'v\\\\', x E'v\\\\' 'y'");
  });
});
