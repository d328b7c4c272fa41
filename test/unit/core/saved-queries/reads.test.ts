/** Finding the newest read whose text is in the buffer. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Reads } from '#core/saved-queries/reads.ts';

const record = (version: number, query_string = `SELECT ${version}`): SavedQuery => ({
  query_id: 'q',
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string,
});

suite('Reads', () => {
  test('the newest read with a text is found, whatever was read after it', () => {
    const reads = new Reads();
    for (const read of [record(2, 'SELECT 1'), record(1, 'SELECT 1'), record(3)]) reads.note(read);
    assert.equal(reads.withText('\uFEFFSELECT 1')?.version, 2);
    assert.equal(reads.withText('SELECT 4'), undefined);
    assert.equal(reads.newest()?.version, 3);
  });

  test('if a version was read again, the later read counts', () => {
    const reads = new Reads();
    reads.note(record(1, 'SELECT 1'));
    reads.note(record(1, 'SELECT 2'));
    assert.equal(reads.withText('SELECT 1'), undefined);
    assert.equal(reads.newest()?.query_string, 'SELECT 2');
  });

  test('four reads are kept', () => {
    const reads = new Reads();
    for (let version = 1; version <= 5; version += 1) reads.note(record(version));
    assert.equal(reads.withText('SELECT 1'), undefined);
    assert.equal(reads.withText('SELECT 2')?.version, 2);
  });

  test('forgotten reads are ignored', () => {
    const reads = new Reads();
    reads.note(record(1));
    reads.forget();
    assert.equal(reads.newest(), undefined);
  });
});
