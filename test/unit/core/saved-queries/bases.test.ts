/** The version a save names is that of the text in the buffer, whatever was read in between. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { Bases, isSameText } from '../../../../core/src/saved-queries/bases.ts';

const record = (version: number, query_string: string): SavedQuery => ({
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string,
});

suite('Bases', () => {
  test('a read alone is no base', () => {
    const bases = new Bases();
    bases.noteRead('k', record(1, 'SELECT 1'));
    assert.equal(bases.get('k'), undefined);
    assert.equal(bases.latestRead('k')?.version, 1);
  });

  test('a clean buffer with the text of a read has that read as its base', () => {
    const bases = new Bases();
    bases.noteRead('k', record(1, 'SELECT 1'));
    bases.noteClean('k', 'SELECT 1');
    assert.equal(bases.get('k')?.version, 1);
  });

  test('a later read that did not fill the buffer does not move the base', () => {
    const bases = new Bases();
    bases.noteRead('k', record(1, 'SELECT 1'));
    bases.noteClean('k', 'SELECT 1');
    bases.noteRead('k', record(2, 'SELECT 2'));
    assert.equal(bases.get('k')?.version, 1);
  });

  test('a reload that fills the buffer moves the base', () => {
    const bases = new Bases();
    bases.noteRead('k', record(1, 'SELECT 1'));
    bases.noteClean('k', 'SELECT 1');
    bases.noteRead('k', record(2, 'SELECT 2'));
    bases.noteClean('k', 'SELECT 2');
    assert.equal(bases.get('k')?.version, 2);
  });

  test('of two versions with the same text the newer is the base', () => {
    const bases = new Bases();
    bases.noteRead('k', record(2, 'SELECT 1'));
    bases.noteRead('k', record(1, 'SELECT 1'));
    bases.noteClean('k', 'SELECT 1');
    assert.equal(bases.get('k')?.version, 2);
  });

  test('a clean buffer with a text nobody read keeps the base it had', () => {
    const bases = new Bases();
    bases.noteRead('k', record(1, 'SELECT 1'));
    bases.noteClean('k', 'SELECT 1');
    bases.noteClean('k', 'SELECT 3');
    assert.equal(bases.get('k')?.version, 1);
  });

  test('a forgotten query has neither reads nor base', () => {
    const bases = new Bases();
    bases.set('k', record(4, 'SELECT 4'));
    bases.forget('k');
    assert.equal(bases.get('k'), undefined);
    assert.equal(bases.latestRead('k'), undefined);
  });
});

test('line ends and a byte order mark do not make a text another one', () => {
  assert.ok(isSameText('a\r\nb\rc', '\uFEFFa\nb\nc'));
  assert.ok(!isSameText('a', 'a '));
});
