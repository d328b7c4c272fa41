/** Displayed cell text: a single line, with invisible characters made visible. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { shownText } from '#webview/results/ui/shown-text.ts';

suite('cell texts', () => {
  test('are a single line that shows the content', () => {
    assert.equal(shownText('a\r\nb\nc\td\u0000\u007f'), 'a↵b↵c→d␀␡');
  });

  test('show bidi, zero-width and tag characters', () => {
    assert.equal(
      shownText('ad\u200bmin\u202efdp\u{e0041}\u0085'),
      'ad<U+200B>min<U+202E>fdp<U+E0041><U+0085>',
    );
  });
});
