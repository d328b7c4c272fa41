/** A query of one connection runs on another one only once the user has decided so, for each pair. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foreignHomeOf, QueriesElsewhere } from '#core/policy/query-home.ts';

function memory() {
  const kept = new Map<string, unknown>();
  return {
    kept,
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  };
}

const away = { connection: 'Sandbox', isHere: false };

describe('the connection of a query', () => {
  it('is not asked about at home, nor for a text of no connection', () => {
    const elsewhere = new QueriesElsewhere(memory());
    assert.equal(elsewhere.heldBy({ ...away, isHere: true }, 'Sandbox'), undefined);
    assert.equal(elsewhere.heldBy(undefined, 'Sandbox'), undefined);
    assert.equal(foreignHomeOf(undefined), undefined);
    assert.equal(foreignHomeOf({ ...away, isHere: true }), undefined);
    assert.equal(foreignHomeOf(away), 'Sandbox');
  });

  it('is asked about once for each pair, in each direction', async () => {
    const store = memory();
    const elsewhere = new QueriesElsewhere(store);
    assert.equal(elsewhere.heldBy(away, 'Staging'), 'Sandbox');
    await elsewhere.accept('Sandbox', 'Staging');
    assert.equal(new QueriesElsewhere(store).heldBy(away, 'Staging'), undefined);
    assert.equal(elsewhere.heldBy(away, 'Production'), 'Sandbox');
    assert.equal(elsewhere.heldBy({ connection: 'Staging', isHere: false }, 'Sandbox'), 'Staging');
  });

  it('a damaged memory asks again', () => {
    const store = memory();
    store.kept.set('identityQueries.queriesElsewhere', { 'not a list': 1 });
    assert.equal(new QueriesElsewhere(store).heldBy(away, 'Staging'), 'Sandbox');
  });
});
