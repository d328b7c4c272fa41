/** Which runs of a history are of the same choice of controls. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathsIn, scopeOf } from '#cli/controls/run-controls.ts';

test('the order of files and connections makes no other choice', () => {
  const scope = scopeOf(['b.sql', 'a.sql'], { tag: [], on: ['prod-us', 'prod-eu'] });
  assert.equal(scopeOf(['a.sql', 'b.sql'], { tag: [], on: ['prod-eu', 'prod-us'] }), scope);
  assert.notEqual(scopeOf(['a.sql', 'b.sql'], { tag: [], on: ['prod-eu'] }), scope);
  assert.notEqual(scopeOf(['a.sql'], { tag: [], on: ['prod-eu', 'prod-us'] }), scope);
});

test('the same paths are one choice, however they are written, and others are another one', () => {
  const root = path.resolve('work');
  const inRoot = (...paths: readonly string[]) => pathsIn(root, paths, { cwd: root });
  const written = inRoot('queries', './queries', 'queries/', path.join(root, 'queries'));
  assert.deepEqual([...new Set(written)], ['queries']);
  const cwd = path.join(root, 'queries');
  assert.deepEqual(pathsIn(root, ['.', 'a/b.sql', '..'], { cwd }), ['queries', 'queries/a/b.sql', '']);
  assert.notDeepEqual(inRoot('.'), pathsIn(root, ['.'], { cwd }));
});
