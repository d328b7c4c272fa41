/** The parts of a cell's text that the search marks are those that the search finds. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { matchParts } from '#webview/results/grid/match-parts.ts';

suite('marked matches of the search', () => {
  const marked = (text: string, sought: string, matchCase = false) =>
    matchParts(text, { text: sought, matchCase })
      ?.map((part) => (part.isMatch ? `[${part.text}]` : part.text))
      .join('');

  test('every match is a part, at the ends too', () => {
    assert.equal(marked('Finance, fin and FIN', 'fin'), '[Fin]ance, [fin] and [FIN]');
    assert.equal(marked('aaaa', 'aa'), '[aa][aa]');
    assert.equal(marked('finance', 'finance'), '[finance]');
  });

  test('case counts on request', () => {
    assert.equal(marked('Finance, fin', 'fin', true), 'Finance, [fin]');
    assert.equal(marked('Finance', 'fin', true), undefined);
  });

  test('no match and no text mark nothing', () => {
    assert.equal(marked('Finance', 'sales'), undefined);
    assert.equal(marked('Finance', ''), undefined);
  });

  test('if lower case moves the positions, the whole text is marked', () => {
    assert.equal(marked('İzmir Finance', 'fin'), '[İzmir Finance]');
  });
});
