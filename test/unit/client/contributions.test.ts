/** package.json and contributions.ts name the same things, and every text of the manifest exists. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import {
  commands,
  contextKeys,
  settings,
  settingsSection,
  views,
} from '../../../client/src/contributions.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
    readonly keybindings: readonly {
      readonly command: string;
      readonly when?: string;
      readonly key: string;
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly contents: string; readonly when: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('package.json', root), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = JSON.parse(readFileSync(new URL('package.nls.json', root), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const sorted = (values: Iterable<string>) => [...values].sort();

suite('contributions', () => {
  test('commands are the same in the manifest and in the code', () => {
    const inManifest = contributes.commands.map((each) => each.command);
    const inCode = Object.values(commands).filter((id) => !id.startsWith('_'));
    assert.deepEqual(sorted(inManifest), sorted(inCode));
  });

  test('menus and keys name commands that exist', () => {
    const known = new Set<string>(Object.values(commands));
    const named = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map(
      (each) => each.command,
    );
    assert.deepEqual(
      named.filter((id) => !known.has(id)),
      [],
    );
  });

  test('views are the same', () => {
    const inManifest = Object.values(contributes.views)
      .flat()
      .map((each) => each.id);
    assert.deepEqual(sorted(inManifest), sorted(Object.values(views)));
  });

  test('settings are the same', () => {
    const inCode = Object.values(settings).map((name) => `${settingsSection}.${name}`);
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(inCode));
  });

  test('context keys in when clauses exist in the code', () => {
    const used = text.match(/identityQueries\.\w+(?= ==| !=|\b(?=[^."]* &&))/g) ?? [];
    const known = new Set<string>([...Object.values(contextKeys), ...Object.values(views)]);
    assert.deepEqual(
      used.filter((key) => !known.has(key)),
      [],
    );
  });

  test('every text of the manifest exists, and none is left over', () => {
    const used = [...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? '');
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(nls)));
  });

  test('links in welcome texts lead to commands that exist', () => {
    const known = new Set<string>([
      ...Object.values(commands),
      'workbench.action.openWalkthrough',
      'workbench.action.openSettings',
    ]);
    const links = Object.values(nls).flatMap((value) =>
      [...value.matchAll(/\(command:([\w.]+)/g)].map((m) => m[1] ?? ''),
    );
    assert.ok(links.length > 0);
    assert.deepEqual(
      links.filter((id) => !known.has(id) && !id.endsWith('.focus')),
      [],
    );
  });

  test('keys are bound in our languages only', () => {
    for (const key of contributes.keybindings)
      assert.match(key.when ?? '', /editorLangId == identity-(sql|record)/);
  });

  test('what decides where a token goes is restricted in untrusted workspaces', () => {
    const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    assert.ok(restricted.has('identityQueries.connections'));
    const network = Object.keys(contributes.configuration.properties).filter((name) =>
      name.startsWith('identityQueries.network.'),
    );
    assert.ok(network.length > 0);
    assert.deepEqual(
      network.filter((name) => !restricted.has(name)),
      [],
    );
  });
});
