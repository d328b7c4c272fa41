/** Small pure modules of the client: directives, identifiers, disposal. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DisposableStore } from '#base/disposables.ts';
import { quoteIdentifier, splitNames } from '#base/sql-names.ts';
import { modelDirectiveOf, modelDirectiveEdit } from '#client/features/documents/model-directive.ts';
import { selectAll } from '#core/models/sql-text.ts';

suite('the model directive', () => {
  const cases: readonly [string, string | undefined][] = [
    ['-- @model platform_governance\nSELECT 1', 'platform_governance'],
    ['-- who\n\n--@model  m \r\nSELECT 1', 'm'],
    ['-- @model "m"\nSELECT 1', 'm'],
    ['\uFEFF-- @model m', 'm'],
    ['SELECT 1 -- @model m', undefined],
    ['SELECT 1;\n-- @model m', undefined],
    ['-- @models m\nSELECT 1', undefined],
    ['', undefined],
  ];
  for (const [text, model] of cases) {
    test(JSON.stringify(text), () => assert.equal(modelDirectiveOf(text), model));
  }
  test('is changed in place', () => {
    assert.deepEqual(modelDirectiveEdit('-- a\n-- @model x\nSELECT 1', 'y'), {
      line: 1,
      text: '-- @model y',
      isNew: false,
    });
  });
  test('is added at the top, with the line endings of the text', () => {
    assert.deepEqual(modelDirectiveEdit('SELECT 1\r\n', 'y'), {
      line: 0,
      text: '-- @model y\r\n',
      isNew: true,
    });
  });
});

suite('identifiers', () => {
  const cases: readonly [string, string][] = [
    ['accounts', 'accounts'],
    ['Accounts', '"Accounts"'],
    ['user', '"user"'],
    ['a"b', '"a""b"'],
    ['2fa', '"2fa"'],
  ];
  for (const [name, quoted] of cases) test(name, () => assert.equal(quoteIdentifier(name), quoted));
  test('a query for a table lists its columns', () => {
    const text = selectAll('m', {
      name: 'roles',
      columns: [
        { name: 'id', type: 'text' },
        { name: 'order', type: 'text' },
      ],
    });
    assert.equal(text, '-- @model m\nSELECT\n  id,\n  "order"\nFROM roles\nLIMIT 100\n');
  });
});

suite('a list of names', () => {
  for (const [text, names] of [
    ['public, hr', ['public', 'hr']],
    ['hr,"Odd Näme"', ['hr', 'Odd Näme']],
    ['"a,b" , " c ", "d""e", f"g', ['a,b', ' c ', 'd"e', 'f"g']],
    ['hr,,hr, "hr"', ['hr']],
    ['"open, hr', ['"open', 'hr']],
    [' , ""', []],
  ] as const)
    test(text, () => assert.deepEqual(splitNames(text), names));
});

suite('DisposableStore', () => {
  test('disposes in reverse order, and disposes late additions immediately', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    for (const name of ['a', 'b']) store.add({ dispose: () => order.push(name) });
    store.dispose();
    store.add({ dispose: () => order.push('late') });
    assert.deepEqual(order, ['b', 'a', 'late']);
  });
  test('disposes everything even if one throws, then throws', () => {
    let isDisposed = false;
    const store = new DisposableStore();
    store.add({ dispose: () => (isDisposed = true) });
    store.add({
      dispose: () => {
        throw new Error('no');
      },
    });
    assert.throws(() => store.dispose(), AggregateError);
    assert.ok(isDisposed);
  });
});
