/** Parameters: what is typed is what is sent, exactly; what is wrong is said before anything is sent. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  isListPlace,
  parameterDeclarations,
} from '../../../client/src/features/runs/parameters/declarations.ts';
import { parameterFields, readForm } from '../../../client/src/features/runs/parameters/form.ts';
import { ParameterMemory } from '../../../client/src/features/runs/parameters/memory.ts';
import { parseValue, splitList } from '../../../client/src/features/runs/parameters/parse-value.ts';

const now = new Date(2026, 2, 31, 15, 30);
const value = (type: string, text: string) => parseValue(type, text, now).value;
const problem = (type: string, text: string) => parseValue(type, text, now).problem?.kind;

suite('parameter values', () => {
  test('texts are sent as typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(value('text', text), text)),
    );
  });

  test('integers never lose a digit', () => {
    assert.equal(value('int4', ' 42 '), 42);
    assert.equal(value('int8', '9007199254740993'), '9007199254740993');
    assert.equal(value('int8', '-9223372036854775808'), '-9223372036854775808');
    assert.equal(value('int8', '+7'), 7);
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (number) => {
        assert.equal(String(value('int8', number.toString())), number.toString());
      }),
    );
  });

  test('integers that do not fit are refused', () => {
    assert.equal(problem('int4', '2147483648'), 'out-of-range');
    assert.equal(problem('int2', '-32769'), 'out-of-range');
    assert.equal(problem('int8', '9223372036854775808'), 'out-of-range');
    assert.equal(problem('int4', '4.5'), 'not-integer');
    assert.equal(problem('int4', ''), 'empty');
  });

  test('decimals keep their digits', () => {
    assert.equal(value('numeric(10, 2)', '0.1'), 0.1);
    assert.equal(value('numeric', '1.10'), '1.10');
    assert.equal(value('numeric', '12345678901234567890.5'), '12345678901234567890.5');
    assert.equal(value('float8', 'NaN'), 'NaN');
    assert.equal(problem('numeric', '1,5'), 'not-number');
  });

  test('dates are real days, and may be relative', () => {
    assert.equal(value('date', '2024-02-29'), '2024-02-29');
    assert.equal(problem('date', '2026-02-29'), 'not-date');
    assert.equal(problem('date', '31.01.2026'), 'not-date');
    assert.equal(value('date', 'today'), '2026-03-31');
    assert.equal(value('date', 'today - 30 days'), '2026-03-01');
    assert.equal(value('date', 'today - 1 month'), '2026-02-28');
    assert.equal(value('date', 'Today + 2 weeks'), '2026-04-14');
    assert.equal(value('date', 'infinity'), 'infinity');
  });

  test('timestamps likewise', () => {
    assert.equal(value('timestamptz', 'now - 2 hours'), new Date(2026, 2, 31, 13, 30).toISOString());
    assert.equal(value('timestamp', '2026-01-31 08:00'), '2026-01-31 08:00');
    assert.equal(
      value('timestamptz', '2026-01-31T08:00:00.123456+02:00'),
      '2026-01-31T08:00:00.123456+02:00',
    );
    assert.equal(problem('timestamptz', '2026-01-31 25:00'), 'not-timestamp');
  });

  test('booleans and UUIDs', () => {
    assert.equal(value('bool', 'Yes'), true);
    assert.equal(value('boolean', 'f'), false);
    assert.equal(problem('boolean', 'maybe'), 'not-boolean');
    assert.equal(
      value('uuid', '123e4567-e89b-12d3-a456-426614174000'),
      '123e4567-e89b-12d3-a456-426614174000',
    );
    assert.equal(problem('uuid', '123'), 'not-uuid');
  });

  test('lists: lines or commas, quoted items, none at all', () => {
    assert.deepEqual(splitList('a, b\n c ,\n\n"d, e" , "say ""hi"""\r\nf'), [
      'a',
      'b',
      'c',
      'd, e',
      'say "hi"',
      'f',
    ]);
    assert.deepEqual(value('text[]', ' \n '), []);
    assert.deepEqual(value('int4[]', '1\n2,3'), [1, 2, 3]);
    assert.deepEqual(parseValue('int4[]', '1\nx', now).problem, {
      kind: 'in-list',
      item: 2,
      problem: { kind: 'not-integer' },
    });
    assert.deepEqual(value('text[]', '"",a'), ['', 'a']);
  });

  test('any list of texts can be written', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (items) => {
        const written = items.map((item) => `"${item.replaceAll('"', '""')}"`).join('\n');
        assert.deepEqual(splitList(written), items);
      }),
    );
  });
});

suite('parameter declarations', () => {
  test('name, type, default and description', () => {
    const text = `-- @model platform_identity
-- @param since date = 2026-01-01 Only events after this day
-- @param :departments text[]
-- @param name text = 'it''s me' Whose
-- plain words
SELECT 1
-- @param late text`;
    const found = parameterDeclarations(text);
    assert.deepEqual([...found.keys()], ['since', 'departments', 'name']);
    assert.deepEqual(found.get('since'), {
      name: 'since',
      type: 'date',
      defaultText: '2026-01-01',
      description: 'Only events after this day',
    });
    assert.equal(found.get('departments')?.type, 'text[]');
    assert.equal(found.get('name')?.defaultText, "it's me");
  });

  test('a place for a list is known by the words around it', () => {
    assert.ok(isListPlace('a IN (', ' )'));
    assert.ok(isListPlace('a = ANY( ', ')'));
    assert.ok(!isListPlace('a IN (', ', 2)'));
    assert.ok(!isListPlace('a = (', ')'));
  });
});

suite('parameter form', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const statement = {
    text: 'SELECT * FROM a WHERE d IN (:departments) AND s > :since AND t > :since',
    placeholders: ['departments', 'since', 'since'].map((name) => ({ name, range })),
  };
  const fields = () =>
    parameterFields(statement, parameterDeclarations('-- @param since date = 2026-01-01'), (name) =>
      name === 'since' ? [{ text: '2026-02-02', isNull: false }] : [],
    );

  test('one field a name, prefilled with the last value, else the default', () => {
    assert.deepEqual(
      fields().map(({ name, type, control, text }) => [name, type, control, text]),
      [
        ['departments', 'text[]', 'list', ''],
        ['since', 'date', 'date', '2026-02-02'],
      ],
    );
  });

  test('valid values are sent by type, NULL as NULL', () => {
    const outcome = readForm(
      fields(),
      [
        { name: 'departments', text: 'Sales\nLegal', isNull: false },
        { name: 'since', text: 'nonsense', isNull: true },
      ],
      { now, words: (wrong) => wrong.kind },
    );
    assert.deepEqual(outcome.kind === 'valid' ? outcome.parameters : outcome.fields, {
      departments: ['Sales', 'Legal'],
      since: null,
    });
  });

  test('what is wrong stands at its field, and nothing typed is lost', () => {
    const outcome = readForm(fields(), [{ name: 'since', text: 'soon', isNull: false }], {
      now,
      words: (wrong) => wrong.kind,
    });
    assert.equal(outcome.kind, 'invalid');
    assert.deepEqual(
      outcome.fields.map(({ text, problem: wrong }) => [text, wrong]),
      [
        ['', undefined],
        ['soon', 'not-date'],
      ],
    );
  });
});

suite('remembered values', () => {
  function memoryOf(isOn = true) {
    const stored = new Map<string, unknown>();
    const store = {
      get: (key: string) => stored.get(key),
      update: (key: string, next: unknown) => Promise.resolve(void stored.set(key, next)),
    };
    return { stored, memory: new ParameterMemory(store, () => isOn) };
  }

  test('the newest first, each once, ten at most, per query', async () => {
    const { memory } = memoryOf();
    for (let index = 0; index < 15; index += 1) {
      await memory.remember('q', { p: { text: String(index % 12), isNull: false } });
    }
    assert.deepEqual(
      memory.recent('q', 'p').map((one) => one.text),
      ['2', '1', '0', '11', '10', '9', '8', '7', '6', '5'],
    );
    assert.deepEqual(memory.recent('other', 'p'), []);
  });

  test('can be forgotten, and be off', async () => {
    const { memory } = memoryOf();
    await memory.remember('a', { p: { text: '1', isNull: false } });
    await memory.remember('b', { p: { text: '2', isNull: false } });
    await memory.forget('a');
    assert.deepEqual(memory.recent('a', 'p'), []);
    assert.equal(memory.recent('b', 'p').length, 1);
    await memory.forgetAll();
    assert.deepEqual(memory.recent('b', 'p'), []);
    const off = memoryOf(false);
    await off.memory.remember('a', { p: { text: 'secret', isNull: false } });
    assert.equal(off.stored.size, 0);
  });

  test('what another version stored otherwise is ignored', () => {
    const { stored, memory } = memoryOf();
    stored.set('identityQueries.parameterValues', { q: { p: 'not a list' } });
    assert.deepEqual(memory.recent('q', 'p'), []);
  });
});
