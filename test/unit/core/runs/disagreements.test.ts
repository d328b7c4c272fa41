/** Rules that the service contradicted for a query: their severity is lowered for that query only. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Disagreements } from '#core/runs/disagreements.ts';

function open(stored = new Map<string, unknown>()) {
  let changes = 0;
  const store = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
  return { stored, disagreements: new Disagreements(store, () => (changes += 1)), changes: () => changes };
}

suite('disagreements', () => {
  test('lower a rule for exactly the text that the service ran', async () => {
    const { disagreements, changes } = open();
    assert.deepEqual(await disagreements.accept('SELECT 1', ['UNKNOWN_TABLE', 'UNKNOWN_TABLE']), [
      'UNKNOWN_TABLE',
    ]);
    assert.ok(disagreements.isLowered('SELECT 1', 'UNKNOWN_TABLE'));
    assert.ok(!disagreements.isLowered('SELECT 1 ', 'UNKNOWN_TABLE'));
    assert.ok(!disagreements.isLowered('SELECT 1', 'UNKNOWN_COLUMN'));
    assert.ok(disagreements.mayBeLowered('UNKNOWN_TABLE'));
    assert.ok(!disagreements.mayBeLowered('UNKNOWN_COLUMN'));
    assert.deepEqual(await disagreements.accept('SELECT 1', ['UNKNOWN_TABLE']), [], 'known already');
    assert.equal(changes(), 1);
  });

  test('do not lower advice, which makes no claim about the service', async () => {
    const { disagreements } = open();
    assert.deepEqual(await disagreements.accept('SELECT *', ['SELECT_STAR', 'NULL_COMPARISON']), []);
    assert.ok(!disagreements.mayBeLowered('SELECT_STAR'));
  });

  test('survive a restart, without the text', async () => {
    const { stored, disagreements } = open();
    await disagreements.accept('SELECT confidential', ['QUERY_PARSE_ERROR']);
    assert.doesNotMatch(JSON.stringify([...stored]), /confidential/);
    assert.ok(open(stored).disagreements.isLowered('SELECT confidential', 'QUERY_PARSE_ERROR'));
  });

  test('are kept for five hundred texts, and ignored if another version stored them differently', async () => {
    const { stored, disagreements } = open();
    for (let index = 0; index < 505; index += 1)
      await disagreements.accept(`SELECT ${index}`, ['UNKNOWN_TABLE']);
    assert.ok(!disagreements.isLowered('SELECT 4', 'UNKNOWN_TABLE'));
    assert.ok(disagreements.isLowered('SELECT 5', 'UNKNOWN_TABLE'));
    stored.set('identityQueries.loweredRules', ['not', 'this']);
    assert.ok(!open(stored).disagreements.mayBeLowered('UNKNOWN_TABLE'));
  });
});
