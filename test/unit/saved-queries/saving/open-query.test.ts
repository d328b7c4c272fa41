/** The version that a save names is that of the text in the buffer, whatever was read in between. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { OpenQuery } from '../../../../client/src/features/saved-queries/saving/open-query.ts';

const record = (version: number, query_string: string): SavedQuery => ({
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string,
});

suite('the base of an open query', () => {
  test('a read alone is no base', () => {
    const query = new OpenQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    assert.equal(query.base, undefined);
    assert.equal(query.buffer.reads.newest()?.version, 1);
  });

  test('a clean buffer with the text of a read has that read as its base', () => {
    const query = new OpenQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    query.noteClean('SELECT 1');
    assert.equal(query.base?.version, 1);
  });

  test('a later read that did not fill the buffer does not move the base', () => {
    const query = new OpenQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    query.noteClean('SELECT 1');
    query.buffer.reads.note(record(2, 'SELECT 2'));
    assert.equal(query.base?.version, 1);
  });

  test('a reload that fills the buffer moves the base', () => {
    const query = new OpenQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    query.noteClean('SELECT 1');
    query.buffer.reads.note(record(2, 'SELECT 2'));
    query.noteClean('SELECT 2');
    assert.equal(query.base?.version, 2);
  });

  test('of two versions with the same text the newer is the base', () => {
    const query = new OpenQuery();
    query.buffer.reads.note(record(2, 'SELECT 1'));
    query.buffer.reads.note(record(1, 'SELECT 1'));
    query.noteClean('SELECT 1');
    assert.equal(query.base?.version, 2);
  });

  test('a clean buffer with a text nobody read keeps the base it had', () => {
    const query = new OpenQuery();
    query.buffer.reads.note(record(1, 'SELECT 1'));
    query.noteClean('SELECT 1');
    query.noteClean('SELECT 3');
    assert.equal(query.base?.version, 1);
  });

  test('a deleted query has neither reads nor base', () => {
    const query = new OpenQuery();
    query.fill(record(4, 'SELECT 4'));
    query.noteDeleted();
    assert.equal(query.base, undefined);
    assert.equal(query.buffer.reads.newest(), undefined);
  });
});
