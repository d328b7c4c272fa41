/** The editor's own normalization does not count as a difference. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameText } from '../../../../core/src/saved-queries/same-text.ts';

test('line endings and a byte order mark do not make a text different', () => {
  assert.ok(isSameText('a\r\nb\rc', '\uFEFFa\nb\nc'));
  assert.ok(!isSameText('a', 'a '));
});
