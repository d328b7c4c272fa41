/** Names of runs: text that differs from the saved version never carries only the version's name. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileTitle, runTitle, versionTitle } from '#core/runs/run-title.ts';

suite('the name of a run', () => {
  const saved = { title: 'A Tour/Conflict', version: 4, parameters: [] };

  test('has the version, and says if the query was edited', () => {
    assert.equal(versionTitle(saved), 'A Tour/Conflict v4');
    assert.equal(versionTitle({ ...saved, isModified: false }), 'A Tour/Conflict v4');
    assert.equal(versionTitle({ ...saved, isModified: true }), 'A Tour/Conflict v4 (edited)');
    assert.equal(versionTitle({ title: 'Untitled-1' }), 'Untitled-1');
  });

  test('names both connections in a file if the text belongs to another one', () => {
    const here = { ...saved, connection: 'Staging' };
    assert.equal(fileTitle(here), 'A Tour/Conflict v4');
    assert.equal(
      fileTitle({ ...here, home: 'Production' }),
      'A Tour/Conflict v4 (Staging, text of Production)',
    );
  });

  test('ends with the part on a tab', () => {
    assert.equal(
      runTitle({ ...saved, isModified: true, part: 'March' }),
      'A Tour/Conflict v4 (edited) · March',
    );
    assert.equal(runTitle(saved), 'A Tour/Conflict v4');
  });
});
