/** Findings that the editor shows already are not shown again, since that cancels a Quick Fix that is still loading. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShownDiagnostics, type ShownFinding } from '#client/features/language/shown-diagnostics.ts';

const uri = 'file:///q.identity.sql';

const found = (changes: Partial<ShownFinding> = {}): ShownFinding => ({
  range: { start: { line: 1, character: 2 }, end: { line: 1, character: 7 } },
  message: 'There is no column "emial" here.',
  severity: 0,
  code: { value: 'UNKNOWN_COLUMN', target: new URL('command:explain') },
  ...changes,
});

test('equal findings for the same text are shown once', () => {
  const shown = new ShownDiagnostics();
  assert.equal(shown.areNews(uri, 3, [found()]), true);
  assert.equal(shown.areNews(uri, 3, [found()]), false, 'the server repeats them when the models arrive');
  assert.equal(shown.areNews('file:///other.identity.sql', 3, [found()]), true, 'in another document');
  assert.equal(shown.areNews(uri, 4, [found()]), true, 'an edit may have moved what is shown');
});

test('any difference is shown', () => {
  const shown = new ShownDiagnostics();
  const location = { uri: new URL(uri), range: [0, 1] };
  const others = [
    [],
    [found()],
    [found(), found()],
    [found({ severity: 3 })],
    [found({ message: 'There is no column "email" here.' })],
    [found({ code: 'UNKNOWN_COLUMN' })],
    [found({ code: { value: 'UNKNOWN_COLUMN', target: new URL('command:other') } })],
    [found({ tags: [1] })],
    [found({ relatedInformation: [{ location, message: 'declared here' }] })],
    [found({ range: { start: { line: 1, character: 2 }, end: { line: 1, character: 8 } } })],
  ];
  for (const findings of others)
    assert.equal(shown.areNews(uri, 3, findings), true, JSON.stringify(findings));
});

test('a document that is opened again with the same text shows its findings again', () => {
  const shown = new ShownDiagnostics();
  shown.areNews(uri, 1, [found()]);
  assert.equal(shown.areNews(uri, undefined, []), true, 'closed');
  assert.equal(shown.areNews(uri, 1, [found()]), true);
});
