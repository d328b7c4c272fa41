/**
 * Settings that a folder may set. Each setting needs a decision and a reason, and package.json must match. A new
 * setting fails this test until there is a decision about hostile folders.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { decisions } from '#test/helpers/setting-trust.ts';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly scope?: string }>>;
    }[];
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Manifest;
const properties = Object.fromEntries(
  manifest.contributes.configuration.flatMap((topic) => Object.entries(topic.properties)),
);
const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
const named = (isMeant: (decision: string) => boolean) =>
  Object.entries(decisions)
    .filter(([, [decision]]) => isMeant(decision))
    .map(([name]) => name)
    .sort();

suite('settings that a folder may change', () => {
  test('each setting has a decision, and each decision a setting (test/helpers/setting-trust.ts)', () => {
    assert.deepEqual(Object.keys(decisions).sort(), Object.keys(properties).sort());
  });

  test('each decision has its own reason', () => {
    for (const [name, [, reason]] of Object.entries(decisions)) assert.ok(reason.length > 20, name);
  });

  test('settings that are not safe are restricted in package.json, and no others', () => {
    assert.deepEqual(
      [...restricted].sort(),
      named((decision) => decision !== 'safe'),
    );
    assert.equal(new Set(restricted).size, restricted.length);
  });

  test('settings that only the user may set have machine scope, so no folder can set them, trusted or not', () => {
    const ofMachine = Object.entries(properties)
      .filter(([, { scope }]) => scope === 'machine')
      .map(([name]) => name);
    assert.deepEqual(
      ofMachine.sort(),
      named((decision) => decision === 'user'),
    );
  });
});
