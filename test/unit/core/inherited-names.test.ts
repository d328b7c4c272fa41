/** External names may equal inherited object members, such as `constructor`; they are names like any other. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ColumnAligner } from '#api/client/align-columns.ts';
import { parseJson } from '#api/client/json.ts';
import { decodeQueryPage } from '#api/client/query-page.ts';
import { parseValue } from '#base/values/parse-value.ts';
import { readSecretSource, SecretSourceFailure } from '#core/connections/secret-sources.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { fillFields, parameterFields, readForm } from '#core/parameters/form.ts';
import { ParameterMemory, type MemoryKey } from '#core/parameters/memory.ts';
import { canonicalJson } from '#core/rows/canonical-json.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { parseSeverities } from '#server/language/checks/finding.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const statement = {
  text: `SELECT ${names.map((name) => `:${name}`).join(', ')}`,
  placeholders: names.map((name) => ({ name, range })),
};

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

/** Creates a parameter memory backed by JSON, like the editor's. */
function memoryOfJson(): ParameterMemory {
  let stored = '{}';
  const store = {
    get: (key: string): unknown => (JSON.parse(stored) as Readonly<Record<string, unknown>>)[key], // the stored value
    update: (key: string, value: unknown) => {
      stored = JSON.stringify({ [key]: value });
      return Promise.resolve();
    },
  };
  return new ParameterMemory(store, () => true);
}

suite('parameters with inherited names', () => {
  const query: MemoryKey = { connection: 'c', query: 'q' };

  test('have a field without a value at first, and with that of the last run afterwards', async () => {
    const memory = memoryOfJson();
    const fieldsNow = () =>
      parameterFields(statement, { declarations: new Map(), recent: (name) => memory.recent(query, name) });
    assert.deepEqual(
      fieldsNow().map(({ name, text, recent }) => [name, text, recent]),
      names.map((name) => [name, '', []]),
    );
    const values = names.map((name) => [name, { text: `of ${name}`, isNull: false }] as const);
    await memory.remember(query, Object.fromEntries(values));
    await memory.remember(query, Object.fromEntries(values));
    assert.deepEqual(
      fieldsNow().map(({ text, recent }) => [text, recent]),
      names.map((name) => [`of ${name}`, [`of ${name}`]]),
    );
  });

  test('keep their value unless a value set contains one', () => {
    const fields = parameterFields(statement, {
      declarations: new Map(),
      recent: () => [{ text: 'before', isNull: false }],
    });
    assert.ok(fillFields(fields, {}).every(({ text }) => text === 'before'));
    const set = Object.fromEntries(names.map((name) => [name, { text: name, isNull: false }]));
    assert.deepEqual(
      fillFields(fields, set).map(({ text }) => text),
      names,
    );
  });

  test('are sent with their values', () => {
    const fields = parameterFields(statement, { declarations: new Map(), recent: () => [] });
    const entered = names.map((name) => ({ name, text: `of ${name}`, isNull: false, isEmpty: false }));
    const outcome = readForm(fields, entered, { now: new Date(0), words: ({ kind }) => kind });
    assert.ok(outcome.kind === 'valid');
    assert.equal(
      JSON.stringify(outcome.parameters),
      `{${names.map((name) => `"${name}":"of ${name}"`).join(',')}}`,
    );
  });

  test('are declared by that name', () => {
    const text = names.map((name) => `-- @param ${name} int4 = 3`).join('\n');
    const declarations = parameterDeclarations(`${text}\n${statement.text}`);
    const fields = parameterFields(statement, { declarations, recent: () => [] });
    assert.ok(fields.every(({ type, control }) => type === 'int4' && control === 'number'));
  });

  test('types with such a name accept a text', () => {
    for (const type of names) assert.deepEqual(parseValue(type, 'x', new Date(0)), { value: 'x' });
  });
});

suite('other inherited names', () => {
  test('columns hold their values', () => {
    const cells = names.map((name) => `"${name}":"of ${name}"`).join(',');
    const columns = JSON.stringify([...names, 'isPrototypeOf']);
    const page = decodeQueryPage(parseJson(`{"columns":${columns},"rows":[{${cells}}]}`), {
      status: 200,
      requestId: undefined,
      request: 'POST /v1/query/execute',
    });
    const { rows } = new ColumnAligner().align(page);
    assert.deepEqual(rows, [[...names.map((name) => `of ${name}`), null]]);
  });

  test('members are included in canonical JSON', () => {
    const text = '{"__proto__":{"b":1},"constructor":2,"toString":null}';
    assert.equal(canonicalJson(parseJson(text)), text);
  });

  test('models, tables and columns may have them', async () => {
    const columns = names.map((name) => ({ name, type: 'text' }));
    const tables = names.map((name) => ({ name, columns }));
    const catalogue = { models: names.map((name) => ({ name, tables })) };
    for (const name of names) {
      const codesOf = async (sql: string) =>
        (await analyser.analyse(sql, { isSavedQuery: false, catalogue, model: name }))?.findings.map(
          ({ code }) => code,
        );
      assert.deepEqual(await codesOf(`SELECT t."${name}" FROM "${name}" AS t`), [], name);
      assert.deepEqual(await codesOf(`SELECT t."isPrototypeOf" FROM "${name}" AS t`), ['UNKNOWN_COLUMN']);
      assert.deepEqual(await codesOf('SELECT 1 AS n FROM "isPrototypeOf" AS t'), ['UNKNOWN_TABLE']);
    }
  });

  test('the advice on a syntax error is a text', async () => {
    for (const name of ['constructor', 'valueof', '__proto__']) {
      const texts = [
        `SELECT a b ${name} FROM t`,
        `SELECT ${name} ${name} ${name}`,
        `SELECT * FROM t ORDER BY a ${name} ${name}`,
        `SELECT a FROM t WHERE ${name} )`,
        `SELECT a FROM t WHERE a = ${name} =`,
      ];
      for (const text of texts) {
        const found = (await analyser.analyse(text, { isSavedQuery: false }))?.findings ?? [];
        assert.equal(found[0]?.code, 'QUERY_PARSE_ERROR', text);
        assert.doesNotMatch(JSON.stringify(found), /native code|\[object/, text);
      }
    }
  });

  test('settings of unknown rules are omitted', () => {
    const settings = Object.fromEntries(names.map((name) => [name, 'off']));
    assert.deepEqual(Object.keys(parseSeverities(settings)), []);
  });

  test('an environment variable that is not set is not a secret', async () => {
    for (const name of names)
      await assert.rejects(readSecretSource({ kind: 'variable', name }), SecretSourceFailure);
  });

  test('data sets of such a name have a title', () => {
    assert.deepEqual(names.map(contextTitle).slice(0, 3), ['Constructor', '__proto__', 'To string']);
  });
});
