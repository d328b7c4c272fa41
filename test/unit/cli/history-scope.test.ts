/** Which runs of a history are of the same choice of controls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '#cli/controls/run-controls.ts';

test('the order of files and connections makes no other choice', () => {
  const scope = scopeOf(['b.sql', 'a.sql'], { tag: [], on: ['prod-us', 'prod-eu'] });
  assert.equal(scopeOf(['a.sql', 'b.sql'], { tag: [], on: ['prod-eu', 'prod-us'] }), scope);
  assert.notEqual(scopeOf(['a.sql', 'b.sql'], { tag: [], on: ['prod-eu'] }), scope);
  assert.notEqual(scopeOf(['a.sql'], { tag: [], on: ['prod-eu', 'prod-us'] }), scope);
});
