import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readControl } from '#core/controls/control.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { parameterFields, readForm } from '#core/parameters/form.ts';
import { problemWords } from '#core/parameters/problem-messages.ts';
import { isWrongDefault, parameterLine } from '#server/language/checks/parameters/parameter-line.ts';

describe('a default', () => {
  const clear: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['p date = today Only events after this day', 'today', 'Only events after this day'],
    ['p date = today', 'today', undefined],
    ['p date = today-7days Since', 'today-7days', 'Since'],
    ["p date = 'today - 7 days' Since", 'today - 7 days', 'Since'],
    ["p text = 'it''s me' - whose", "it's me", '- whose'],
    ["p date = 'today' - the first day", 'today', '- the first day'],
    ["p text = 'Sales' minus its subsidiaries", 'Sales', 'minus its subsidiaries'],
    ['p text = sales The department', 'sales', 'The department'],
    ['p text = Sales The department of the Person', 'Sales', 'The department of the Person'],
    ['p text = sales The Department Of A Person', 'sales', 'The Department Of A Person'],
    ['p text = sales 部門 の名前', 'sales', '部門 の名前'],
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
    ['p date = today And later', 'today', 'And later'],
    ["p integer = '5' to keep", '5', 'to keep'],
    ["p text = 'Sales' and 5 others", 'Sales', 'and 5 others'],
    ['p integer = 3 Days allowed', '3', 'Days allowed'],
    ['p integer = 7 保留天数', '7', '保留天数'],
    ['p date = today – the first day', 'today', '– the first day'],
    ['p timestamptz = now Zone of the service', 'now', 'Zone of the service'],
    ['p interval = 30days Kept', '30days', 'Kept'],
    ['p numeric = 5 Kilobytes', '5', 'Kilobytes'],
    ['p enum(open, in progress) = open Which', 'open', 'Which'],
    ['p boolean = true Whether', 'true', 'Whether'],
    ["p text = 'Sales' The department's name", 'Sales', "The department's name"],
    ['p date = today (the first day)', 'today', '(the first day)'],
    ['p text[] = a,b Departments', 'a,b', 'Departments'],
    ['p text = %admin%', '%admin%', undefined],
    ['p text = adm% Beginning of the name', 'adm%', 'Beginning of the name'],
    ['p timestamptz = now (in the evening)', 'now', '(in the evening)'],
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
    // Quoting the beginning alone would cut the value.
    ['p date = today + 1 month 2 days', undefined],
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
    ["p date = 'today' - '7 days'", undefined],
    ["p date = 'today' - interval '7 days'", undefined],
    ["p date = 'today' – 7 days", undefined],
    ["p date = 'today' (- 7 days)", undefined],
    ["p date = 'today' minus 7 days", undefined],
    ["p date = 'today' (minus a week)", undefined],
    ["p integer = '5' * 3", undefined],
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
    ['p integer = 7 days of history', "p integer = '7' days of history"],
    ['p bigint = 7\u00a0days', "p bigint = '7'\u00a0days"],
    ['p date = yesterday evening', undefined],
    ['p date = yesterday Evening', undefined],
    ['p date = 0044-03-15 BC', undefined],
    ['p timestamp = 2026-01-01T08:00 UTC', undefined],
    ['p timestamptz = 2026-01-01T08:00 Europe/Berlin', undefined],
    ['p time = 10:00 CET', undefined],
    ['p bigint = 5 GB', "p bigint = '5' GB"],
    ['p numeric = 5 € Limit', "p numeric = '5' € Limit"],
    ['p numeric = 1 .5', undefined],
    ['p float8 = 1 e5', "p float8 = '1' e5"],
    ['p integer = 5 Percent', undefined],
    ['p integer = 7 -- days', undefined],
    ['p integer = 7 /* days */', undefined],
    ['p integer = 7 #days', undefined],
    ['p interval = 7 Tage', "p interval = '7' Tage"],
    ['p boolean = on weekdays', "p boolean = 'on' weekdays"],
    [
      'p uuid = 123e4567-e89b-12d3-a456-426614174000 of Ann',
      "p uuid = '123e4567-e89b-12d3-a456-426614174000' of Ann",
    ],
    ['p inet = 10.0.0.1 and up', "p inet = '10.0.0.1' and up"],
    ['p text = john smith', "p text = 'john smith'"],
    ['p = john smith', "p = 'john smith'"],
    ['p text[] = a b', "p text[] = 'a b'"],
    ['p text[] = A; B', "p text[] = 'A; B'"],
    ['p integer[] = 1,2 and 3', undefined],
    ['p enum(open, open Late) = open Late', "p enum(open, open Late) = 'open Late'"],
    ['p jsonb = {} or null', undefined],
    ['p date "last day" = today', "p date = 'today' last day"],
    ['p date = today (minus 7 days)', undefined],
    ['p date = today (- 7 days)', undefined],
    ['p date = today Minus seven days', undefined],
    ['p date = today MINUS Seven', undefined],
    ['p date = today Plus one week', undefined],
    ['p date = today — minus 7 days', undefined],
    ['p date = today Seven days ago', undefined],
    ['p date = today の7日前', "p date = 'today' の7日前"],
    ['p date = 2026-01-01 B.C.', undefined],
    ['p integer = 5 (* 3)', undefined],
    ['p integer = 5 Times three', undefined],
    ['p integer = 3 X 4', "p integer = '3' X 4"],
    ['p integer = 10 Lakh', "p integer = '10' Lakh"],
    ['p integer = 5 Tausend', "p integer = '5' Tausend"],
    ['p integer = 5 万', "p integer = '5' 万"],
    ['p numeric = 1.5 E3', "p numeric = '1.5' E3"],
    ['p time = 10:00 MEZ', undefined],
    ['p time = 10:00 午後', undefined],
    ['p text = “Sales Team” The x', undefined],
    ["p text = 'Sales' Team'", undefined],
    ["p text = E'Sales Team'", undefined],
    ['p text = $x$Sales Team$x$', undefined],
    ['p text = a AND b', "p text = 'a AND b'"],
    ['p text = New York', "p text = 'New York'"],
    ['p text = New York City Hall', "p text = 'New York City Hall'"],
    ['p text = Sales Team Of North America And Asia', "p text = 'Sales Team Of North America And Asia'"],
    ['p text = United States of America', "p text = 'United States of America'"],
    ['p text = South Bank of the United Kingdom', "p text = 'South Bank of the United Kingdom'"],
    ['p text = 서울 특별시', "p text = '서울 특별시'"],
    ['p text = 山田 太郎', "p text = '山田 太郎'"],
    ['p text[] = Sales,Marketing Team Of New York', "p text[] = 'Sales,Marketing Team Of New York'"],
    ['p timestamptz = 2026-01-01T08:00 (UTC)', undefined],
    ['p time = 10:00 (p.m.)', undefined],
    ['p date = 0044-03-15 (BC)', undefined],
    ['p enum(open, open late) = open Late', undefined],
    ['p date[] = today, yesterday', "p date[] = 'today, yesterday'"],
    ["p text[] = ARRAY['a','b']", undefined],
    ['p text = admin% OR x', "p text = 'admin% OR x'"],
    ['p text[] = Sales,Marketing Team', "p text[] = 'Sales,Marketing Team'"],
  ];
  for (const [line, meant] of unclear)
    it(`is not cut: ${line}`, () => {
      const found = parameterLine({ argument: line });
      assert.ok(found?.problem !== undefined);
      assert.equal(found.defaultValue, undefined);
      assert.equal(found.problem.meant, meant);
      assert.equal(parameterDeclarations(`-- @param ${line}`).get('p')?.defaultText, undefined);
    });

  for (const [line, advised] of [
    ['p date = today - 7 days', "'today - 7 days'"],
    ['p integer = 5 - 3', undefined],
    ['p time = 10:00 to 11:00', undefined],
    ['p inet = 10.0.0.1, 10.0.0.2', undefined],
    ['p uuid = "x y"', undefined],
    ['p varchar(3) = ab cd', undefined],
    ['p text = ab cd', "'ab cd'"],
    ['p timestamp = 2026-01-01  08:00', "'2026-01-01 08:00'"],
    ['p integer "Count" = some', undefined],
    ['p integer default 5 of them', '= 5'],
  ] as const)
    it(`is never advised as no value of its type: ${line}`, () => {
      const message = parameterLine({ argument: line })?.problem?.message ?? '';
      if (advised === undefined) assert.doesNotMatch(message, /quote it|= [^.]/);
      else assert.ok(message.endsWith(advised), message);
    });

  for (const [line, why] of [
    ['p date = yesterday evening', 'It is not clear where this default ends.'],
    ['p date = soon', 'The default of "p" is not of type date.'],
    ['p date = today\n-- @param p date = yesterday', '"p" is declared twice.'],
  ] as const)
    it(`gives a run no value, and the finding: ${JSON.stringify(line)}`, () => {
      const [field] = parameterFields(
        {
          text: 'SELECT :p',
          placeholders: [
            { name: 'p', range: { start: { line: 0, character: 7 }, end: { line: 0, character: 9 } } },
          ],
        },
        { declarations: parameterDeclarations(`/* Why */\n-- @param ${line}\nSELECT :p`), recent: () => [] },
      );
      assert.ok(field !== undefined);
      const read = (text: string) =>
        readForm([field], [{ name: 'p', text, isNull: false, isEmpty: false }], {
          now: new Date(0),
          words: problemWords,
        });
      assert.ok(read('').fields[0]?.problem?.startsWith(why));
      assert.equal(read('2026-01-01').kind, 'valid');
    });

  for (const line of [
    'p date = soon',
    'p integer = x',
    'p timestamp = 25:00',
    'p integer[] = 1,x',
    "p date = ''",
    'p time = soon',
    'p timetz = 25:00',
    'p inet = 10.0.0.256',
    'p cidr = 10.0.0.1/8',
    'p macaddr = 08:00:2b:01:02',
    'p interval = soon',
    'p bytea = \\xabc',
    'p bit(3) = 10',
    'p varchar(2) = abc',
    'p numeric(3,1) = 100',
    'p uuid[] = x',
    'p inet[] = 10.0.0.1,x',
  ])
    it(`of the wrong type is found: ${line}`, () => {
      const found = parameterLine({ argument: line });
      assert.ok(found !== undefined && isWrongDefault(found));
    });

  for (const line of [
    'p date = today - 7 days',
    'p date = soon',
    "p text = 'open",
    'p text[] = a, b',
    'p date\n-- @param p date = now',
  ])
    it(`makes a control an error: ${line}`, () => {
      const control = readControl(`-- @control C-1 Title\n-- @expect no rows\n-- @param ${line}\nSELECT :p`);
      assert.deepEqual(
        control?.problems.map((problem) => problem.line),
        [line.includes('\n') ? 4 : 3],
      );
    });
});
