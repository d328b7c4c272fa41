/** A window restores its last connection by target, never by name alone. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LastConnection, sameConnection } from '#client/features/connection/last-connection.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { connectionOfFolder } from '#core/connections/folder-entry.ts';
import { profileOf } from '#core/connections/parse-connection.ts';

function own(name: string, host = 'api.example.com'): ConnectionProfile {
  const authUrl = `https://${host}/token`;
  return profileOf({ name, baseUrl: `https://${host}`, authUrl, clientId: 'reader' });
}
function ofFolder(name: string, host?: string): ConnectionProfile {
  return connectionOfFolder(own(name, host), { folder: 'repo', uri: 'file:///repo' }, () => undefined);
}
const rememberedOf = (profile: ConnectionProfile) => ({ key: connectionKeyOf(profile), name: profile.name });

class Memory {
  readonly #values = new Map<string, unknown>();
  keys = () => [...this.#values.keys()];
  get = <T>(key: string, otherwise?: T) => (this.#values.get(key) as T | undefined) ?? otherwise;
  update(key: string, value: unknown) {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, structuredClone(value));
    return Promise.resolve();
  }
}

suite('the last connection', () => {
  test('a connection with the same name and another address is a different one', () => {
    const remembered = rememberedOf(own('Production'));
    assert.equal(sameConnection(remembered, [ofFolder('Production', 'evil.example.com')]), undefined);
    assert.equal(sameConnection(remembered, [own('Production', 'other.example.com')]), undefined);
  });

  test('under another name it is still the same connection', () => {
    const renamed = own('Renamed');
    const taken = ofFolder('Production', 'evil.example.com');
    assert.equal(sameConnection(rememberedOf(own('Production')), [taken, renamed]), renamed);
  });

  test("of several with the same target, the one with the same name is preferred, then the user's own", () => {
    const [first, second, theirs] = [own('First'), own('Second'), ofFolder('Theirs')];
    assert.equal(sameConnection(rememberedOf(second), [theirs, first, second]), second);
    assert.equal(sameConnection(rememberedOf(own('Gone')), [theirs, first]), first);
    assert.equal(sameConnection(rememberedOf(own('Gone')), [theirs]), theirs);
  });

  test('nothing is restored if nothing is remembered', () => {
    assert.equal(sameConnection(undefined, [own('Production')]), undefined);
  });

  test('it is remembered for the workspace, then for the user; a disconnected one is not restored', async () => {
    const user = new Memory();
    const last = new LastConnection(new Memory(), user);
    const production = own('Production');
    await last.set(production);
    assert.deepEqual(last.get(), rememberedOf(production));
    const elsewhere = new LastConnection(new Memory(), user);
    assert.deepEqual(elsewhere.get(), rememberedOf(production));
    await elsewhere.set(undefined);
    assert.equal(elsewhere.get(), undefined);
    assert.deepEqual(elsewhere.real, rememberedOf(production));
    await last.set({ ...production, source: 'environment' });
    assert.equal(last.get(), undefined);
  });

  test('names that earlier versions remembered are ignored', async () => {
    const memory = new Memory();
    await memory.update('identityQueries.lastConnection', 'Production');
    const remembered = new LastConnection(memory, memory).get();
    assert.equal(sameConnection(remembered, [own('Production')]), undefined);
  });
});
