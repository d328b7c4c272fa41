import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readControl } from '#core/controls/control.ts';
import { rowsThatSettle } from '#core/controls/rules.ts';
import { hasTag } from '#core/controls/tags.ts';
import { parseTag } from '#server/language/text/control-directives.ts';

const read = (...lines: readonly string[]) => readControl([...lines, 'SELECT 1'].join('\n'));
const problemsOf = (...lines: readonly string[]) =>
  read(...lines)?.problems.map(({ line, message }) => `${line}: ${message.split(/[.:]/)[0] ?? ''}`);

describe('a control', () => {
  it('is defined by its directives', () => {
    const control = read(
      '-- @control AC-07 Admins without MFA',
      '-- Administrators must use a second factor.',
      '-- @expect no rows',
      '-- @warn_if rows > 0',
      '-- @error_if sum( "Amount" ) >= 5.50',
      '-- @severity High',
      '-- @key account_id, "Application Id"',
      '-- @owner iam-team',
      '-- @tags soc2=CC6.1 iso27001=A.8.2',
      '-- @tags quarterly',
      "-- @param since date = 'today - 90 days'",
    );
    assert.ok(control !== undefined);
    assert.deepEqual(control.problems, []);
    const { id, title, description, severity, key, owner, tags, lines, parameters, rules } = control;
    assert.deepEqual(
      { id, title, description, severity, key, owner, lines },
      {
        id: 'AC-07',
        title: 'Admins without MFA',
        description: 'Administrators must use a second factor.',
        severity: 'high',
        key: ['account_id', 'Application Id'],
        owner: 'iam-team',
        lines: { control: 1, expect: 3, warn: 4 },
      },
    );
    assert.deepEqual(tags, [
      { name: 'soc2', value: 'CC6.1' },
      { name: 'iso27001', value: 'A.8.2' },
      { name: 'quarterly' },
    ]);
    assert.equal(parameters[0]?.defaultText, 'today - 90 days');
    assert.equal(rules.warnIf?.text, 'rows > 0');
    assert.equal(rules.errorIf?.text, 'sum("Amount") >= 5.50');
    assert.equal(rules.expected, 'sum("Amount") < 5.50');
  });

  it('is in error if something is written like a directive and is none', () => {
    const ineffective = [
      '-- @expect: rows',
      '-- @expect=rows',
      '-- @expect\u00A0rows',
      '-- @ expect rows',
      '-- @\u00A0expect rows',
      '--- @expect rows',
      '--\u00A0@expect rows',
      '--\u200B@expect rows',
      '-- -- @expect rows',
      '-- (@expect rows)',
      '-- 1. @expect rows',
      '-- Admins. @expect rows',
      '-- Admins.@EXPECT rows',
      '-- @owner iam-team @expect rows',
      '/* @expect rows */',
      '/* Admins. @expect rows */',
      '/* Admins\n * @expect rows */',
    ];
    for (const line of ineffective) {
      assert.match(problemsOf('-- @control AC-1', line)?.join() ?? '', /^[23]: @expect has no effect/, line);
      const late = readControl(`-- @control AC-1\nSELECT 1 ${line}`)?.problems ?? [];
      assert.ok(
        late.some(({ message }) => message.startsWith('@expect has no effect')),
        line,
      );
    }
    for (const line of ['-- @Expect rows', '-- @expct: rows', '-- @ expected rows', '--- @todo'])
      assert.match(problemsOf('-- @control AC-1', line)?.join() ?? '', /^2: There is no directive @/, line);
  });

  it('is one if only the word that makes it one is written wrongly', () => {
    for (const line of [
      ...[
        '-- @control: AC-1',
        '-- @control=AC-1',
        '-- @Control AC-1',
        '--- @control AC-1',
        '-- @ control AC-1',
      ],
      ...['-- Admins. @control AC-1', '/* Admins\n@control AC-1 */', '-- @owner me @control AC-1'],
    ]) {
      const control = read(line, '-- @expect no rows');
      assert.equal(control?.id, 'AC-1', line);
      assert.equal(control.problems.length, 1, line);
    }
  });

  it('is none by a word in the middle of prose alone, nor beside what any query has', () => {
    for (const line of ['-- see the @control docs', '/* Replaces @control AC-0 Old */'])
      for (const other of ['-- @param since date', '-- @model m', '-- @keep 3 runs', '-- Admins'])
        assert.equal(read(line, other), undefined, line);
    assert.equal(readControl('SELECT 1 -- not the @control of last year'), undefined);
  });

  it('may mention a directive in quotes, and addresses', () => {
    const lines = [
      '-- Before, it said \'@expect rows\' and "@severity low", `@key a`.',
      '-- Ask joe@control.example or admin@expect, see @todo and @expect.md.',
      '-- The values are in @params.txt and (@keys.csv), the owners in @owners.example now.',
      '/* @params.txt\n * @severitys.md and more */',
      "-- @param since text = '@expect' first",
      '/** @author me */',
    ];
    assert.deepEqual(problemsOf('-- @control AC-1', ...lines), []);
    assert.equal(read(...lines), undefined);
  });

  it('is in error if a directive is where it has no effect', () => {
    const messagesOf = (text: string) =>
      readControl(text)?.problems.map(({ line, message }) => `${line}: ${message.slice(0, 21)}`);
    const head = '-- @control AC-1 Admins\n';
    for (const [text, line] of [
      [`${head}SELECT 1\n-- @expect rows`, 3],
      [`${head}SELECT 1 -- @expect rows`, 2],
      [`${head}SELECT 1; -- @expect rows`, 2],
      [`${head}SELECT 1 /* @expect rows */`, 2],
      [`${head}/* @expect rows */ SELECT 1`, 2],
      [`/*\n@expect rows */\n${head}SELECT 1`, 2],
      [`${head}WITH a AS (\n  -- @expect rows\n  SELECT 1)\nSELECT * FROM a`, 3],
    ] as const)
      assert.deepEqual(messagesOf(text), [`${line}: @expect has no effect`], text);
    for (const name of ['warn_if', 'error_if', 'key', 'severity', 'param', 'tags', 'owner', 'model'])
      assert.equal(messagesOf(`${head}SELECT 1\n-- @${name} x`)?.length, 1, name);
    const late = readControl('SELECT 1\n-- @control AC-1 Late');
    assert.deepEqual(
      [late?.id, late?.title, late?.problems.length, late?.lines.control],
      ['AC-1', 'Late', 1, 2],
    );
    // Other words with an at sign, and text that is no comment, are not directives.
    for (const text of [
      "SELECT '-- @expect rows'",
      'SELECT $$\n-- @expect rows\n$$',
      'SELECT 1 -- mail @expect',
    ])
      assert.deepEqual(readControl(head + text)?.problems, []);
  });

  it('requires @control', () => {
    assert.equal(readControl('-- @expect no rows\nSELECT 1'), undefined);
  });

  it('reports each invalid line', () => {
    assert.deepEqual(
      problemsOf(
        '-- @control',
        '-- @expct no rows',
        '-- @expect nothing',
        '-- @error_if rows > many',
        '-- @warn_if rows',
        '-- @severity urgent',
        '-- @key',
        '-- @tags =',
      ),
      [
        '1: Write an ID and a title',
        '2: There is no directive @expct',
        '3: Write what is expected',
        '4: A threshold is a number',
        '5: Write a count and a number',
        '6: This is not a severity',
        '7: Write the columns that identify a row',
        '8: Write tags separated by spaces',
      ],
    );
    assert.deepEqual(problemsOf('-- @control A b', '-- @expect rows', '-- @expect no rows'), [
      '3: A control has one @expect',
    ]);
  });

  it('accepts pasted text of any kind without failing', () => {
    for (const text of [
      '-- @control __proto__',
      '-- @key constructor',
      '-- @control A\u202Eb',
      `-- @tags ${'a '.repeat(50_000)}`,
    ])
      assert.ok(read('-- @control X y', text) !== undefined);
  });
});

describe('rows that decide an outcome', () => {
  const settles = (...lines: readonly string[]) => {
    const control = read('-- @control A b', ...lines);
    return control === undefined ? undefined : rowsThatSettle(control.rules);
  };
  it('are one more than the threshold', () => {
    assert.equal(settles(), 1);
    assert.equal(settles('-- @expect one row'), 2);
    assert.equal(settles('-- @expect rows'), 1);
    assert.equal(settles('-- @warn_if rows > 0', '-- @error_if rows > 5'), 6);
    assert.equal(settles('-- @warn_if rows > 9', '-- @error_if rows < 5'), 10);
    assert.equal(settles('-- @error_if rows >= 2.5'), 3);
  });
  it('are all rows if each row counts', () => {
    assert.equal(settles('-- @error_if max(days) > 90'), Infinity);
    assert.equal(settles('-- @expect column status'), Infinity);
  });
});

describe('tags', () => {
  it('also match everything below them', () => {
    const tags = [{ name: 'soc2', value: 'CC6.1' }];
    const means = (text: string) => {
      const tag = parseTag(text);
      return tag !== undefined && hasTag(tags, tag);
    };
    assert.deepEqual(['soc2', 'SOC2=CC6', 'soc2=CC6.1', 'soc2=CC61', 'soc2=CC', 'iso27001'].map(means), [
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
