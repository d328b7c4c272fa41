/** What the editor keeps and asks about a database of the user's own. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import type { ServerDescription } from '#api/contract/server-description.ts';
import type { KeyValueStore } from '#base/key-value-store.ts';
import { silentLogger } from '#base/logger.ts';
import { forgetTold, tellOnce } from '#client/features/own-data/told-notes.ts';
import { ServedCollections } from '#client/features/records/served-collections.ts';

test('notes about a login are told once, again if they change, and after the database was forgotten', async () => {
  const values = new Map<string, unknown>();
  const store: KeyValueStore = {
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
  assert.equal(await tellOnce(store, 'one', []), false);
  assert.equal(await tellOnce(store, 'one', ['a']), true);
  assert.equal(await tellOnce(store, 'two', ['a']), true);
  assert.equal(await tellOnce(store, 'one', ['a']), false);
  assert.equal(await tellOnce(store, 'one', ['b']), true);
  await forgetTold(store, 'one');
  assert.equal(JSON.stringify([...values]).includes('one'), false);
  assert.equal(await tellOnce(store, 'two', ['a']), false);
  assert.equal(await tellOnce(store, 'one', ['b']), true);
});

suite('the collections of a service', () => {
  /** A client whose answers the test gives, one after the other. */
  const clientOf = (...answers: readonly (() => Promise<ServerDescription | undefined>)[]) => {
    let asked = 0;
    const server = () => answers[asked++]?.() ?? Promise.reject(new Error('asked too often'));
    return { models: { server } } as unknown as ServiceClient; // only this is called
  };
  const accounts = () => Promise.resolve({ collections: ['accounts'] } as unknown as ServerDescription); // the rest is not read
  const made = () => {
    const seen: (readonly string[] | undefined)[] = [];
    const lines: string[] = [];
    const log = { ...silentLogger, warn: (line: string) => void lines.push(line) };
    const served = new ServedCollections(log, (names) => seen.push(names && [...names]));
    return { seen, lines, served };
  };

  test('are asked once for each client', async () => {
    const { seen, served } = made();
    const client = clientOf(accounts);
    await served.follow(client);
    await served.follow(client);
    await served.follow(undefined);
    assert.deepEqual(seen, [undefined, ['accounts'], undefined]);
  });

  test('are asked again after a failure, which is logged without what the service said', async () => {
    const { seen, lines, served } = made();
    const client = clientOf(() => Promise.reject(new TypeError('S3CRET')), accounts);
    await served.follow(client);
    assert.deepEqual(lines, ['the collections of the service were not read: TypeError']);
    await served.follow(client);
    assert.deepEqual(seen, [undefined, ['accounts']]);
  });

  test('of a client that was replaced do not count', async () => {
    const { seen, served } = made();
    const late = Promise.withResolvers<ServerDescription | undefined>();
    const first = served.follow(clientOf(() => late.promise));
    await served.follow(clientOf(() => Promise.resolve(undefined)));
    late.resolve(await accounts());
    await first;
    assert.deepEqual(seen, [undefined, undefined]);
  });
});
