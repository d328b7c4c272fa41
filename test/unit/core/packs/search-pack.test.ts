/** Searching the bundled library. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { fitOf } from '#core/packs/fit.ts';
import { folderFiles } from '#core/packs/pack-files.ts';
import { readPack } from '#core/packs/read-pack.ts';
import {
  fitOfQuery,
  libraryQueries,
  searchLibrary,
  topicOf,
  type LibraryQuery,
} from '#core/packs/search-pack.ts';
import { shippedPackFolder } from '#core/packs/shipped-packs.ts';

let queries: readonly LibraryQuery[];
before(async () => {
  const folder = shippedPackFolder(
    'identity-review-essentials',
    path.resolve(import.meta.dirname, '../../../..'),
  );
  assert.ok(folder !== undefined);
  const read = await readPack(folderFiles(folder));
  assert.ok('pack' in read, JSON.stringify(read));
  queries = libraryQueries(read.pack);
});

const found = (text: string) => searchLibrary(queries, text).map(({ control }) => control?.id);

describe('the library', () => {
  it('is searched by title, tag, severity, advice and column, with all words', () => {
    assert.deepEqual(found('left nothing-has-this'), []);
    assert.deepEqual(found('ADMINISTRATORS who left'), ['LV-03']);
    assert.ok(found('soc2=CC6.6').includes('PR-09'));
    assert.ok(found('critical').includes('LV-02') && !found('critical').includes('LV-05'));
    assert.ok(found('expiration_date').includes('DO-06'));
    assert.ok(found('vault').includes('SV-03'));
    assert.equal(found('').length, queries.length);
    assert.deepEqual(found('.*'), []);
  });

  it('is ordered by topic and ID', () => {
    const topics = queries.map(topicOf);
    assert.deepEqual(
      topics,
      topics.toSorted((a, b) => a.localeCompare(b, 'en')),
    );
    assert.deepEqual(found('leavers/'), ['LV-01', 'LV-02', 'LV-03', 'LV-04', 'LV-05', 'LV-06', 'LV-07']);
  });

  it('shows how each query fits', () => {
    const [query] = searchLibrary(queries, 'LV-04');
    assert.ok(query !== undefined);
    assert.deepEqual(fitOfQuery(undefined, query), { kind: 'unknown' });
    const requires = { [query.query.file]: query.columns };
    const report = fitOf([query.query.file], requires, []);
    assert.deepEqual(fitOfQuery(report, query), { kind: 'lacks', names: ['platform_governance'] });
  });

  it('is searched in no other fields', () => {
    assert.equal(shippedPackFolder('../library', import.meta.dirname), undefined);
    assert.equal(shippedPackFolder('identity-review-essentials', '/'), undefined);
  });
});
