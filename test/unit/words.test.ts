/** User-facing text uses plain English and the terms in docs/glossary.md; `npm run check` covers all of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemsOf, shownTexts } from '#scripts/lib/words.js';

describe('visible texts', () => {
  for (const text of [
    'Export Rows…',
    'Somebody saved a newer version.',
    'Log in to the service.',
    'The query is not there any more.',
    'Going on at 10:00.',
    'It stops by itself.',
    'The run was canceled.',
    'Please try again.',
    'There is no table {0}.',
    'The result has no column {0}.',
    'The file is there already.',
    'Paste them, one a line.',
    'Print what became of it.',
    'The query is not proven to only read.',
    'Replace it by a SELECT.',
    'Choose a window of time.',
    'The file begins anew.',
  ])
    it(`have a problem: ${text}`, () => {
      assert.equal(problemsOf(text).length, 1);
    });

  for (const text of [
    'Export Rows...',
    'There is no table "{0}".',
    'Line {0}, column {1}',
    'Sign out of {0}.',
    'The log in a file is long.',
    'Go to the query',
    'Replace it with a SELECT.',
    'Enter one per line.',
  ])
    it(`have no problem: ${text}`, () => {
      assert.deepEqual(problemsOf(text), []);
    });

  it('are found in the manifest, the client, the panel, the server and the command line', () => {
    const places = [...shownTexts().values()].map((place) => place.split(/[/:]/)[0]);
    for (const part of ['package.nls.json', 'core', 'client', 'server', 'cli'])
      assert.ok(places.includes(part), part);
  });
});
