/** Text is the same if it differs only by the editor's normalization. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameText } from '#core/saved-queries/same-text.ts';

test('texts that differ only in line endings or a byte order mark are the same', () => {
  assert.ok(isSameText('a\r\nb\rc', '\uFEFFa\nb\nc'));
  assert.ok(!isSameText('a', 'a '));
});
