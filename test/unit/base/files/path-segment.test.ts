/** Encoding strings as path segments: readable and reversible. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pathSegment } from '#base/files/path-segment.ts';

suite('path segments', () => {
  test('readable characters stay unchanged', () => {
    for (const text of ['Access reviews', 'Größe & Zahl: 100', 'acc:0001', 'a.b', '本番'])
      assert.equal(pathSegment(text), text);
  });

  test('special characters are encoded, and decoded again', () => {
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

  test('editor messages that quote a path contain no link', () => {
    const text = '[x](command:workbench.action.terminal.new)';
    assert.equal(pathSegment(text), '[x]%28command:workbench.action.terminal.new)');
    assert.equal(decodeURIComponent(pathSegment(text)), text);
    assert.equal(pathSegment('sum(a)'), 'sum(a)');
  });
});
