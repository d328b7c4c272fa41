/** The collection of known queries: order, names, change notifications, and records newer than the list. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { QueryCollection } from '#core/saved-queries/query-collection.ts';
import { QueryTexts } from '#core/saved-queries/query-texts.ts';

function query(id: string, fields: Partial<SavedQuery> = {}): SavedQuery {
  return {
    query_id: id,
    name: id,
    query_string: `SELECT '${id}'`,
    model: 'platform_identity',
    version: 1,
    ...fields,
  };
}

const namesOf = (collection: QueryCollection) => collection.list().map(({ name }) => name);

suite('known queries', () => {
  test('are in natural order', () => {
    const collection = new QueryCollection();
    collection.putListed(['b', 'Query 10', 'a', 'query 9', 'É', 'F'].map((name) => query(name)));
    assert.deepEqual(namesOf(collection), ['a', 'b', 'É', 'F', 'query 9', 'Query 10']);
  });

  test('are the same array until something changes', () => {
    const collection = new QueryCollection();
    collection.put(query('a'));
    const before = collection.list();
    assert.equal(collection.list(), before);
    assert.deepEqual(collection.put(query('a')), { changed: [], isOrderChanged: false });
    assert.equal(collection.list(), before);
    collection.put(query('a', { version: 2 }));
    assert.notEqual(collection.list(), before);
  });

  test('a new version of a query changes only that query', () => {
    const collection = new QueryCollection();
    collection.putListed(['a', 'b', 'c'].map((name) => query(name)));
    const change = collection.put(query('b', { version: 2, query_string: 'SELECT 2' }));
    assert.deepEqual(change, { changed: ['b'], isOrderChanged: false });
    assert.deepEqual(
      collection.list().map(({ name, version }) => [name, version]),
      [
        ['a', 1],
        ['b', 2],
        ['c', 1],
      ],
    );
    assert.equal(collection.texts.get('b', 2), 'SELECT 2');
  });

  test('a different name changes the order', () => {
    const collection = new QueryCollection();
    collection.putListed(['a', 'b'].map((name) => query(name)));
    assert.equal(collection.put(query('a', { version: 2, name: 'z' })).isOrderChanged, true);
    assert.deepEqual(namesOf(collection), ['b', 'z']);
  });

  test('a record that is older than the known one is ignored', () => {
    const collection = new QueryCollection();
    collection.put(query('a', { version: 3, name: 'new' }));
    assert.deepEqual(collection.put(query('a', { version: 2, name: 'old' })), {
      changed: [],
      isOrderChanged: false,
    });
    assert.deepEqual(namesOf(collection), ['new']);
    assert.equal(collection.texts.get('a', 3), "SELECT 'a'");
  });

  test('names match regardless of case, outer spaces and Unicode form', () => {
    const collection = new QueryCollection();
    collection.put(query('a', { name: 'Caf\u00e9 reviews' }));
    for (const name of ['Caf\u00e9 reviews', ' CAF\u00c9 REVIEWS ', 'cafe\u0301 reviews']) {
      assert.equal(collection.hasName(name), true, name);
    }
    assert.equal(collection.hasName('Cafe reviews'), false);
    collection.remove('a');
    assert.equal(collection.hasName('Caf\u00e9 reviews'), false);
  });

  test('reading the list again reports changes, and removes missing queries', () => {
    const collection = new QueryCollection();
    collection.putListed(['a', 'b', 'c'].map((name) => query(name)));
    collection.beginReading();
    assert.deepEqual(collection.putListed([query('a'), query('b', { version: 2 })]), {
      changed: ['b'],
      isOrderChanged: false,
    });
    assert.deepEqual(namesOf(collection), ['a', 'b', 'c'], 'what is known stays until the list has ended');
    assert.equal(collection.endReading(new Set(['a', 'b'])).isOrderChanged, true);
    assert.deepEqual(namesOf(collection), ['a', 'b']);
    assert.equal(collection.texts.get('c', 1), undefined);
  });

  test('a list with older versions replaces the known queries, for example of a restored service', () => {
    const collection = new QueryCollection();
    collection.putListed([query('a', { version: 5 })]);
    collection.beginReading();
    assert.deepEqual(collection.putListed([query('a', { version: 4 })]).changed, ['a']);
    assert.equal(collection.get('a')?.version, 4);
  });

  test('a record written while the list is read takes precedence over the list', () => {
    const collection = new QueryCollection();
    collection.putListed([query('a'), query('b'), query('c')]);
    collection.beginReading();
    collection.put(query('a', { version: 2 }));
    collection.put(query('new'));
    collection.remove('b');
    collection.putListed([query('a'), query('b'), query('c')]);
    collection.endReading(new Set(['a', 'b', 'c']));
    assert.deepEqual(namesOf(collection), ['a', 'c', 'new']);
    assert.equal(collection.get('a')?.version, 2);
  });

  test('a list without texts adds queries, and keeps known texts', () => {
    const collection = new QueryCollection();
    collection.put(query('a'));
    const { query_string: _text, ...summary } = query('a');
    collection.putListed([summary, { ...summary, query_id: 'b', name: 'b' }]);
    assert.deepEqual(namesOf(collection), ['a', 'b']);
    assert.equal(collection.texts.get('a', 1), "SELECT 'a'");
    assert.equal(collection.texts.get('b', 1), undefined);
  });

  test('a saved text is not replaced by a text from an older list', () => {
    const collection = new QueryCollection();
    collection.beginReading();
    collection.put(query('a', { version: 2, query_string: 'SELECT 2' }));
    collection.putListed([query('a')]);
    assert.equal(collection.texts.get('a', 2), 'SELECT 2');
  });
});

suite('texts of known queries', () => {
  test('the least recently used are dropped first if there is too little space', () => {
    const texts = new QueryTexts(10);
    texts.set('a', 1, 'aaaa');
    texts.set('b', 1, 'bbbb');
    assert.equal(texts.get('a', 1), 'aaaa');
    texts.set('c', 1, 'cccc');
    assert.equal(texts.get('b', 1), undefined);
    assert.equal(texts.get('a', 1), 'aaaa');
    assert.equal(texts.length, 8);
  });

  test('a text that exceeds the whole space is not kept, and displaces nothing', () => {
    const texts = new QueryTexts(4);
    texts.set('a', 1, 'aaaa');
    texts.set('b', 1, 'bbbbb');
    assert.equal(texts.get('b', 1), undefined);
    assert.equal(texts.get('a', 1), 'aaaa');
  });

  test('a text belongs to its version', () => {
    const texts = new QueryTexts();
    texts.set('a', 2, 'two');
    texts.set('a', 1, 'one');
    assert.equal(texts.get('a', 1), undefined);
    assert.equal(texts.get('a', 2), 'two');
    texts.set('a', 3, 'three');
    assert.equal(texts.get('a', 2), undefined);
    assert.equal(texts.length, 5);
  });
});
