/** Texts in paths: readable, one segment each, and reversible. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pathSegment } from '../../../../../core/src/util/files/path-segment.ts';

suite('segments of paths', () => {
  test('readable characters stay unchanged', () => {
    for (const text of ['Access reviews', 'Größe & Zahl: 100', 'acc:0001', 'a.b', '本番'])
      assert.equal(pathSegment(text), text);
  });

  test('special characters of paths are encoded, and come back', () => {
    const texts = [
      'a/b',
      'a\\b',
      '100%',
      '%20',
      'a\tb\nc',
      '.',
      '..',
      '/',
      '...',
      'A: prod',
      'c:',
      'a\u202eb\u200b',
    ];
    for (const text of texts) {
      const segment = pathSegment(text);
      assert.doesNotMatch(segment, /[/\\\p{Cc}\p{Cf}]|^\.{1,2}$|^[A-Za-z]:/u);
      assert.equal(decodeURIComponent(segment), text);
    }
  });

  test('no link remains in editor messages that quote a path', () => {
    const text = '[x](command:workbench.action.terminal.new)';
    assert.equal(pathSegment(text), '[x]%28command:workbench.action.terminal.new)');
    assert.equal(decodeURIComponent(pathSegment(text)), text);
    assert.equal(pathSegment('sum(a)'), 'sum(a)');
  });
});
