/** Text that a decision depends on is shown exactly, character by character. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { exactText } from '#base/words/exact-text.ts';

suite('exactText', () => {
  const cases: readonly (readonly [name: string, text: string, shown: string])[] = [
    ['plain text stays', 'vault read -field=secret', '"vault read -field=secret"'],
    ['accents and emoji stay', 'Zürich 🔑', '"Zürich 🔑"'],
    ['quotes and backslashes', 'a"b\\c', '"a\\"b\\\\c"'],
    ['line breaks and control characters', 'a\n\u0007\u007f\u009b', '"a\\n\\u0007\\u{7f}\\u{9b}"'],
    ['text that runs backwards', 'a\u202eb\u2066', '"a\\u{202e}b\\u{2066}"'],
    [
      'what cannot be seen',
      'a\u200b\u00ad\ufeff\u3164\u{e0041}',
      '"a\\u{200b}\\u{ad}\\u{feff}\\u{3164}\\u{e0041}"',
    ],
    ['spaces that are none, and breaks that are', 'a\u00a0\u2028', '"a\\u{a0}\\u{2028}"'],
    ['half a character', 'a\ud800', '"a\\ud800"'],
  ];
  for (const [name, text, shown] of cases) test(name, () => assert.equal(exactText(text), shown));
});
