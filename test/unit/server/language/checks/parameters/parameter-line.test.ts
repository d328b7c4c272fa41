import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readControl } from '#core/controls/control.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { isWrongDefault, parameterLine } from '#server/language/checks/parameters/parameter-line.ts';

describe('a default', () => {
  const clear: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['p date = today Only events after this day', 'today', 'Only events after this day'],
    ['p date = today', 'today', undefined],
    ['p date = today-7days Since', 'today-7days', 'Since'],
    ["p date = 'today - 7 days' Since", 'today - 7 days', 'Since'],
    ["p text = 'it''s me' - whose", "it's me", '- whose'],
    ['p text = sales The department', 'sales', 'The department'],
    ['p text = a (one letter)', 'a', '(one letter)'],
    ['p text[] = a,b,c Departments', 'a,b,c', 'Departments'],
    ['p integer = 5 Days – not weeks', '5', 'Days – not weeks'],
    ['p integer = -5', '-5', undefined],
    ['p timestamp with time zone = now Since', 'now', 'Since'],
    ['p timestamp(3) without time zone = now', 'now', undefined],
    ['p double precision = 1e5 Limit', '1e5', 'Limit'],
    ['p character varying(20) = x', 'x', undefined],
    ['p enum(active, locked) = active Which', 'active', 'Which'],
    ['p interval = 1day Age', '1day', 'Age'],
    ['p jsonb = {"a":1} Filter', '{"a":1}', 'Filter'],
    ['p = 5', '5', undefined],
    ['p date where active = 1', undefined, 'where active = 1'],
    ['p text default department', undefined, 'default department'],
    ['p date = today and later', 'today', 'and later'],
    ['p integer = 5 to keep', '5', 'to keep'],
    ['p text = Sales and 5 others', 'Sales', 'and 5 others'],
  ];
  for (const [line, defaultValue, description] of clear)
    it(`is one word or a quoted text: ${line}`, () => {
      const found = parameterLine({ argument: line });
      assert.equal(found?.problem, undefined);
      assert.deepEqual([found?.defaultValue, found?.description], [defaultValue, description]);
      assert.equal(found !== undefined && isWrongDefault(found), false);
    });

  const unclear: readonly (readonly [string, string | undefined])[] = [
    ['p date = today - 7 days', "p date = 'today - 7 days'"],
    ['p date = today - 7 days Only events after', "p date = 'today - 7 days' Only events after"],
    ['p date = today -7days', "p date = 'today -7days'"],
    ['p date = today- 7 days', "p date = 'today- 7 days'"],
    ['p date = start of month', "p date = 'start of month'"],
    ['p date = start of month Since', "p date = 'start of month' Since"],
    ['p timestamp = 2026-01-01 08:00', "p timestamp = '2026-01-01 08:00'"],
    ['p timestamp = 2026-01-01 08:00 Since', "p timestamp = '2026-01-01 08:00' Since"],
    ['p timestamptz = 2026-01-01 T08:00', undefined],
    ['p text[] = a, b, c', "p text[] = 'a, b, c'"],
    ['p text[] = a , b', "p text[] = 'a , b'"],
    ['p integer = 5 - 3', undefined],
    ['p integer = 5 -3', undefined],
    ['p integer = 1 000', undefined],
    ['p text = a || b', "p text = 'a || b'"],
    ["p text = 'open quote", undefined],
    ['p text = "a b"', `p text = '"a b"'`],
    ["p text = a 'b'", "p text = 'a ''b'''"],
    ['p interval = 1 day', "p interval = '1 day'"],
    ['p interval = 1 day 04:05:06 Age', "p interval = '1 day 04:05:06' Age"],
    ['p jsonb = {"a": 1}', `p jsonb = '{"a": 1}'`],
    ['p jsonb = {"a": true}', `p jsonb = '{"a": true}'`],
    ['p integer[] = [1, 2]', "p integer[] = '[1, 2]'"],
    ["p text[] = 'a', 'b'", undefined],
    ["p date = 'today' - 7 days", undefined],
    ["p text = 'a'b", undefined],
    ['p integer =', undefined],
    ['p time = 10:00 PM', "p time = '10:00 PM'"],
    ['p date = today – 7 days', undefined],
    ['p date big = 2026-01-01', undefined],
    ['p timestamp with local time zone = now', undefined],
    ['p date = today minus 7 days', undefined],
    ['p date = 2026-01-01 to 2026-02-01', undefined],
    ['p date = yesterday or today', undefined],
    ['p timestamp = 2026-01-01 noon', undefined],
    ['p integer = 5 million', undefined],
    ['p date first day = today - 7 days', undefined],
    ['p date := today', undefined],
    ['p text := sales', undefined],
    ['p date default today', undefined],
    ['p date DEFAULT = today - 7 days', undefined],
  ];
  for (const [line, meant] of unclear)
    it(`is not cut: ${line}`, () => {
      const found = parameterLine({ argument: line });
      assert.ok(found?.problem !== undefined);
      assert.equal(found.defaultValue, undefined);
      assert.equal(found.problem.meant, meant);
      assert.equal(parameterDeclarations(`-- @param ${line}`).get('p')?.defaultText, undefined);
    });

  for (const line of [
    'p date = soon',
    'p integer = x',
    'p timestamp = 25:00',
    'p integer[] = 1,x',
    "p date = ''",
  ])
    it(`of the wrong type is found: ${line}`, () => {
      const found = parameterLine({ argument: line });
      assert.ok(found !== undefined && isWrongDefault(found));
    });

  for (const line of ['p date = today - 7 days', 'p date = soon', "p text = 'open", 'p text[] = a, b'])
    it(`makes a control an error: ${line}`, () => {
      const control = readControl(`-- @control C-1 Title\n-- @expect no rows\n-- @param ${line}\nSELECT :p`);
      assert.deepEqual(
        control?.problems.map((problem) => problem.line),
        [3],
      );
    });
});
