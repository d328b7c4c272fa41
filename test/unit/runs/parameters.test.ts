/** Parameters: values are sent exactly as typed, and errors are reported before anything is sent. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseValue } from '#base/values/parse-value.ts';
import { listItem, splitList } from '#base/values/split-list.ts';
import { isListPlace, parameterDeclarations } from '#core/parameters/declarations.ts';
import {
  draftForm,
  fillFields,
  parameterFields,
  readForm,
  type Parameters as StatementParameters,
} from '#core/parameters/form.ts';
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';

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
    assert.equal(value('int4', '1_000'), 1_000);
    assert.equal(value('int4', '-0x_1F'), -31);
    assert.equal(value('int8', '0x7fffffffffffffff'), '9223372036854775807');
    assert.equal(value('numeric', '1_000.5_0'), '1000.50');
    assert.equal(value('boolean', 'tru'), true);
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (number) => {
        assert.equal(String(value('int8', number.toString())), number.toString());
      }),
    );
  });

  test('integers out of range are refused', () => {
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
    assert.equal(value('date', 'start of quarter - 3 months'), '2025-10-01');
    assert.equal(value('date', 'start of week'), '2026-03-30');
    assert.equal(value('date', 'yesterday + 1 year - 2 days'), '2027-03-28');
    assert.equal(value('date', '5874897-12-31'), '5874897-12-31');
    assert.equal(problem('date', '0000-01-01'), 'not-date');
    assert.equal(problem('date', '1900-02-29'), 'not-date');
    assert.equal(problem('date', 'today - 999999 years'), 'not-date');
  });

  test('timestamps are real times, and may be relative', () => {
    assert.equal(value('timestamptz', 'now - 2 hours'), new Date(2026, 2, 31, 13, 30).toISOString());
    assert.equal(value('timestamp', '2026-01-31 08:00'), '2026-01-31 08:00');
    assert.equal(value('timestamp', 'today'), '2026-03-31 00:00:00.000');
    assert.equal(problem('timestamp', '294277-01-01'), 'not-timestamp');
    assert.equal(problem('timestamptz', '2026-01-31 08:00+99'), 'not-timestamp');
    assert.equal(
      value('timestamptz', '2026-01-31T08:00:00.123456+02:00'),
      '2026-01-31T08:00:00.123456+02:00',
    );
    assert.equal(problem('timestamptz', '2026-01-31 25:00'), 'not-timestamp');
  });

  test('text that PostgreSQL cannot hold is refused beside its field', () => {
    assert.equal(problem('text', 'a\0b'), 'not-storable');
    assert.equal(problem('text', 'half \ud83d of it'), 'not-storable');
    assert.equal(value('text', 'whole 🙂'), 'whole 🙂');
    assert.equal(problem('jsonb', '{"a": }'), 'not-json');
    assert.equal(value('jsonb', '{"a": 1}'), '{"a": 1}');
    assert.equal(problem('float4', '1e39'), 'out-of-range');
    assert.equal(problem('float8', '1e309'), 'out-of-range');
  });

  test('booleans and UUIDs are validated', () => {
    assert.equal(value('bool', 'Yes'), true);
    assert.equal(value('boolean', 'f'), false);
    assert.equal(problem('boolean', 'maybe'), 'not-boolean');
    assert.equal(
      value('uuid', '123e4567-e89b-12d3-a456-426614174000'),
      '123e4567-e89b-12d3-a456-426614174000',
    );
    assert.equal(problem('uuid', '123'), 'not-uuid');
  });

  test('lists have lines or commas, quoted items, or no items', () => {
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

  test('lists may be arrays of PostgreSQL or JSON', () => {
    assert.deepEqual(value('text[]', ' {a,"b c",NULL,"NULL","x\\"y"} '), ['a', 'b c', null, 'NULL', 'x"y']);
    assert.deepEqual(value('text[]', '["a", "b, c", null]'), ['a', 'b, c', null]);
    assert.deepEqual(value('int8[]', '[1, 9007199254740993]'), [1, '9007199254740993']);
    assert.deepEqual(value('int4[]', '{1,2}'), [1, 2]);
    assert.deepEqual(value('bool[]', '[true, false]'), [true, false]);
    assert.deepEqual(value('text[]', '{}'), []);
    assert.deepEqual(value('text[]', "'s-Hertogenbosch, O'Neil's, (none), arrayed"), [
      "'s-Hertogenbosch",
      "O'Neil's",
      '(none)',
      'arrayed',
    ]);
    assert.deepEqual(value('text[]', '"{a,b}"'), ['{a,b}']);
    assert.deepEqual(value('jsonb[]', '{"a":1}'), ['{"a":1}']);
    assert.deepEqual(value('jsonb[]', ' {"a":1,"b":[2,3]} '), ['{"a":1,"b":[2,3]}']);
    assert.deepEqual(value('text[]', '[0:1]={a,b}'), ['a', 'b']);
    assert.deepEqual(value('text[]', ' [2] = { "a" , b c }'), ['a', 'b c']);
  });

  test('what only begins like an array or a quoted text is refused', () => {
    const odd = {
      1: [
        ...['{a,b', '{a}b', '{a,}', '{,a}', '{"a"b}', '{a"b"}', '{"a', '{a}}', '{{a,b}', '{{a},{b}}'],
        ...['["a"', '["a",]', '[a]', '[1,5)', '[[1],[2]]', '[0:1]=', '[0:1]={a}', '[0:1]{a,b}', '["a"] b'],
        ...['"a" b', '"a, b', '"', '{"a":1,}'],
        ...["'a'", "'a', 'b'", "('a', 'b')", "('a')", '(a, b)', "ARRAY['a', 'b']", 'array[1]'],
      ],
      2: ["a, 'b'", 'a, {b,c}', 'a\n[b]', '"a", "b', '"{a,b}", {c,d}', 'a, "b" c'],
    };
    for (const [item, texts] of Object.entries(odd))
      for (const text of texts) {
        const { problem: found } = parseValue('text[]', text, now);
        const told = { kind: 'in-list', item: Number(item), problem: { kind: 'odd-item' } };
        assert.deepEqual(found, told, text);
      }
  });

  test('any list of texts can be entered', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '(', ')', '"', "'", ',', 'a', '1', ' ') }),
          ),
        ),
        (items) => {
          const quoted = items.map((item) => `"${item.replaceAll('"', '""')}"`);
          assert.deepEqual(splitList(quoted.join('\n')), items);
          assert.deepEqual(splitList(items.map(listItem).join('\n')), items);
        },
      ),
    );
  });
});

suite('parameter declarations', () => {
  test('have a name, type, default and description', () => {
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

  test('recognize a placeholder for a list by the words around it', () => {
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
    parameterFields(statement, {
      declarations: parameterDeclarations('-- @param departments text[]\n-- @param since date = 2026-01-01'),
      recent: (name) => (name === 'since' ? [{ text: '2026-02-02', isNull: false }] : []),
    });
  const entered = (name: string, text: string, more: Partial<EnteredValue> = {}): EnteredValue => ({
    name,
    text,
    isNull: false,
    isEmpty: false,
    ...more,
  });

  test('has one field per name, prefilled with the last value, or else the default', () => {
    assert.deepEqual(
      fields().map(({ name, type, control, text }) => [name, type, control, text]),
      [
        ['departments', 'text[]', 'list', ''],
        ['since', 'date', 'date', '2026-02-02'],
      ],
    );
  });

  test('has the declared fields first, in the order of their declarations', () => {
    const declarations = parameterDeclarations(
      '-- @param since date\n-- @param gone text\n-- @param kind text',
    );
    const used = ['departments', 'kind', 'since', 'kind'].map((name) => ({ name, range }));
    const found = parameterFields({ text: '', placeholders: used }, { declarations, recent: () => [] });
    assert.deepEqual(
      found.map(({ name }) => name),
      ['since', 'kind', 'departments'],
    );
  });

  test('sends valid values by type, and NULL as NULL', () => {
    const outcome = readForm(
      fields(),
      [entered('departments', 'Sales\nLegal'), entered('since', 'nonsense', { isNull: true })],
      { now, words: (wrong) => wrong.kind },
    );
    assert.deepEqual(outcome.kind === 'valid' ? outcome.parameters : outcome.fields, {
      departments: ['Sales', 'Legal'],
      since: null,
    });
  });

  test('shows problems at their fields, and loses no input', () => {
    const outcome = readForm(fields(), [entered('departments', 'Sales'), entered('since', 'soon')], {
      now,
      words: (wrong) => wrong.kind,
    });
    assert.equal(outcome.kind, 'invalid');
    assert.deepEqual(
      outcome.fields.map(({ text, problem: wrong }) => [text, wrong]),
      [
        ['Sales', undefined],
        ['soon', 'not-date'],
      ],
    );
  });

  test('checks a field on every change once it was wrong', () => {
    const words = (wrong: { readonly kind: string }) => wrong.kind;
    const draft = (known: readonly ParameterField[], text: string) =>
      draftForm(known, [entered('departments', ''), entered('since', text)], { now, words });
    const problems = (known: readonly ParameterField[]) => known.map((one) => one.problem);
    assert.deepEqual(problems(draft(fields(), '2026-99-01')), [undefined, undefined], 'not submitted yet');
    const wrong = readForm(fields(), [entered('departments', 'a'), entered('since', '2026-99-01')], {
      now,
      words,
    }).fields;
    assert.deepEqual(problems(wrong), [undefined, 'not-date']);
    const corrected = draft(wrong, '2026-01-31');
    assert.deepEqual(problems(corrected), [undefined, undefined]);
    assert.deepEqual(problems(draft(corrected, '2026-01-32')), [undefined, 'not-date']);
  });

  const formOf = (declaration: string, sql: string, more: Partial<StatementParameters> = {}) => {
    const names = [...sql.matchAll(/:(\w+)/g)].map((match) => ({ name: match[1] ?? '', range }));
    return parameterFields(
      { text: sql, placeholders: names, ...more },
      {
        declarations: parameterDeclarations(declaration),
        recent: () => [],
        choices: ({ table, column }) => (`${table}.${column}` === 'roles.type' ? ['Custom', 'Standard'] : []),
      },
    );
  };
  const outcomeOf = (declaration: string, answer: Partial<EnteredValue>) => {
    const outcome = readForm(formOf(declaration, 'SELECT :x'), [entered('x', '', answer)], {
      now,
      words: (wrong) => wrong.kind,
    });
    return outcome.kind === 'valid' ? outcome.parameters['x'] : outcome.fields[0]?.problem;
  };

  test('requires a value unless there is a default, and an empty value must be explicit', () => {
    assert.equal(outcomeOf('', {}), 'empty-text');
    assert.equal(outcomeOf('', { isEmpty: true }), '');
    assert.equal(outcomeOf('', { text: ' ' }), ' ');
    assert.equal(outcomeOf('-- @param x date', {}), 'empty');
    assert.equal(outcomeOf('-- @param x date', { isEmpty: true }), 'empty');
    assert.equal(outcomeOf('-- @param x date = 2026-01-01', { text: '  ' }), '2026-01-01');
    assert.equal(outcomeOf('-- @param x text[]', { text: ' , \n' }), 'no-items');
    assert.deepEqual(outcomeOf('-- @param x text[]', { isEmpty: true, text: 'kept' }), []);
    assert.equal(outcomeOf('-- @param x text[]', { isNull: true }), null);
  });

  test('takes the type from the declaration, or else from the compared column, or else it is text', () => {
    const parameters = [
      {
        name: 'since',
        type: 'timestamptz',
        isList: false,
        comparedWith: { model: 'm', table: 'accounts', column: 'created' },
      },
      {
        name: 'kinds',
        type: 'text',
        isList: true,
        comparedWith: { model: 'm', table: 'roles', column: 'type' },
      },
      { name: 'other', isList: false },
    ];
    const found = formOf('-- @param since date', 'SELECT :since, :kinds, :other', { parameters });
    assert.deepEqual(
      found.map(({ type, typeFrom, control, choices }) => [type, typeFrom, control, choices]),
      [
        ['date', 'declared', 'date', []],
        ['text[]', 'compared', 'list', ['Custom', 'Standard']],
        ['text', 'nothing', 'text', []],
      ],
    );
    assert.equal(formOf('', 'SELECT :since', { parameters })[0]?.type, 'timestamptz');
    assert.equal(formOf('', 'SELECT :since', { parameters })[0]?.comparedWith, 'accounts.created');
  });

  test('accepts only the values of a declared enumeration', () => {
    const [field] = formOf('-- @param x enum(active,locked) = active Which accounts', 'SELECT :x');
    assert.deepEqual([field?.choices, field?.isClosed, field?.text], [['active', 'locked'], true, 'active']);
    assert.equal(outcomeOf('-- @param x enum(active,locked)', { text: 'locked' }), 'locked');
    assert.equal(outcomeOf('-- @param x enum(active,locked)', { text: 'gone' }), 'not-choice');
  });

  test('shows no earlier values of a secret', () => {
    const [field] = parameterFields(
      { text: 'SELECT :pin', placeholders: [{ name: 'pin', range }] },
      {
        declarations: parameterDeclarations('-- @param pin secret The PIN'),
        recent: () => [{ text: '1234', isNull: false }],
      },
    );
    assert.deepEqual([field?.isSecret, field?.text, field?.recent], [true, '', []]);
  });

  test('fills in the fields in a value set and leaves the others unchanged', () => {
    const filled = fillFields(fields(), { departments: { text: 'Legal', isNull: false } });
    assert.deepEqual(
      filled.map((field) => field.text),
      ['Legal', '2026-02-02'],
    );
  });
});
