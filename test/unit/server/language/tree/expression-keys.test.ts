import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExpressionKeys } from '#server/language/tree/expression-keys.ts';

const column = (...names: string[]) => ({
  ColumnRef: { fields: names.map((sval) => ({ String: { sval } })), location: names.length },
});
const sum = (left: unknown, right: unknown) => ({
  A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: '+' } }], lexpr: left, rexpr: right },
});

describe('keys of expressions', () => {
  it('are equal for the same meaning, wherever it is and however columns are qualified', () => {
    const keys = new ExpressionKeys();
    assert.equal(keys.of(sum(column('a'), column('b'))), keys.of(sum(column('t', 'a'), column('b'))));
  });

  it('differ for a different operand, order or kind of value', () => {
    const keys = new ExpressionKeys();
    const all = [
      sum(column('a'), column('b')),
      sum(column('b'), column('a')),
      sum(column('a'), column('c')),
      column('a'),
      { value: '1' },
      { value: 1 },
      { value: '1,2' },
      { value: ['1', '2'] },
      { value: [1, 2] },
      {},
      [],
      null,
      'null',
    ];
    assert.equal(new Set(all.map((one) => keys.of(one))).size, all.length);
  });

  it('read each node once, so that every part of a deep expression gets its key quickly', () => {
    let reads = 0;
    const counted = (node: object): object =>
      new Proxy(node, {
        ownKeys: (target) => {
          reads++;
          return Reflect.ownKeys(target);
        },
      });
    const depth = 500;
    const levels: object[] = [counted({ leaf: 1 })];
    for (let level = 1; level < depth; level++) levels.push(counted({ inner: levels.at(-1), level }));
    const keys = new ExpressionKeys();
    const found = levels.toReversed().map((level) => keys.of(level));
    assert.equal(new Set(found).size, depth);
    assert.equal(reads, depth);
  });
});
