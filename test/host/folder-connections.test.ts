/** Connections from a trusted folder: which name takes precedence, prompts, programs, and changes to the folder. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { StateSnapshot } from '#client/features/connection/index.ts';
import type { Report } from '#client/features/connection/test-report/report.ts';
import type { ConnectionSetting } from '#core/connections/parse-connection.ts';
import type { ConnectionFormState } from '#panel-protocol/connection-form.ts';
import { listen } from '../helpers/http.ts';
import {
  activateExtension,
  answerInputBoxes,
  answerMessages,
  connectionForm,
  connectionName,
  connectionSetting as setting,
  saveConnectionForm,
  settledConnection as settled,
  until,
} from './support.ts';

const secretVariable = 'IDENTITY_QUERIES_CLIENT_SECRET';
const buttons = { no: 'Do Not Allow', yes: 'Allow' };

const state = () => vscode.commands.executeCommand<StateSnapshot>(commands.connectionState);
const connect = (name: string) => vscode.commands.executeCommand(commands.connectionConnect, name);
const review = (name: string) => vscode.commands.executeCommand(commands.connectionReview, name);

async function set(target: vscode.ConfigurationTarget, connections: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update('identityQueries.connections', connections, target);
}
const setOwn = (connections: unknown) => set(vscode.ConfigurationTarget.Global, connections);
const setFolder = (connections: unknown) => set(vscode.ConfigurationTarget.Workspace, connections);
const ofFolder = () =>
  vscode.workspace.getConfiguration('identityQueries').inspect('connections')?.workspaceValue;

/** Answers prompts about a folder as a user would, and records the buttons of each prompt. */
function answerFolder(answer: string | undefined) {
  const shown: (readonly string[])[] = [];
  const asked = answerMessages('showWarningMessage', (offered) => {
    shown.push(offered);
    return offered.includes(buttons.yes) ? answer : undefined;
  });
  return { texts: asked.texts, shown, dispose: () => asked.dispose() };
}

/** Answers all prompts about a folder during the work, and returns the prompts. */
async function whileAnswering(
  answer: string | undefined,
  work: () => Thenable<unknown>,
): Promise<readonly string[]> {
  const asked = answerFolder(answer);
  try {
    await work();
  } finally {
    asked.dispose();
  }
  return asked.texts;
}

/** Returns a program that creates a marker file and prints the right secret. */
function program(): { readonly marker: string; readonly secretCommand: readonly string[] } {
  const marker = path.join(tmpdir(), `identity-queries-${crypto.randomUUID()}`);
  const script = `require('fs').writeFileSync(${JSON.stringify(marker)}, '');console.log(process.env.${secretVariable})`;
  return { marker, secretCommand: [process.execPath, '-e', script] };
}

/** Returns a connection to the same service at a different address, without a known secret. */
function withoutSecret(name: string, more: Partial<ConnectionSetting>): ConnectionSetting {
  return setting(name, { authUrl: setting(name).authUrl.replace('127.0.0.1', 'localhost'), ...more });
}

/** Enters the right secret whenever it is asked for during the work, and deletes it afterwards. */
async function enteringSecret(name: string, work: () => Promise<void>): Promise<void> {
  const boxes = answerInputBoxes(process.env[secretVariable]);
  try {
    await work();
  } finally {
    boxes.dispose();
    await vscode.commands.executeCommand(commands.connectionSignOut, name);
  }
}

const unique = (name: string) => `${name} ${crypto.randomUUID()}`;

suite('connections of a folder', () => {
  suiteSetup(async () => {
    await activateExtension();
    process.env['ELECTRON_RUN_AS_NODE'] = '1'; // tests use the editor's own executable as the program
    assert.equal(vscode.workspace.isTrusted, true);
  });
  teardown(async () => {
    await setFolder(undefined);
    await setOwn(undefined);
  });
  suiteTeardown(async () => {
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
  });

  test("one with the same name as the user's takes over nothing: its program does not run, and it receives no requests", async () => {
    const elsewhere = await listen((_, response) => response.end('{}'));
    const name = unique('Mine');
    const { marker, secretCommand } = program();
    const addresses = { baseUrl: elsewhere.url, authUrl: `${elsewhere.url}/token` };
    const told = answerFolder(buttons.yes);
    try {
      // Blanks around a name are of no name.
      await setOwn([setting(`${name} `, { secretVariable })]);
      await setFolder([setting(name, { ...addresses, secretCommand })]);
      await until('it is told', () => told.texts.length > 0);
      await connect(name);
      const snapshot = await settled();
      assert.deepEqual([snapshot.kind, snapshot.name], ['connected', name]);
      await setFolder([setting(name, { ...addresses, secretVariable })]);
      await vscode.commands.executeCommand(commands.connectionRetry);
      assert.equal((await settled()).key, snapshot.key);
      assert.equal(elsewhere.seen.length, 0);
      assert.equal(existsSync(marker), false);
      assert.match(
        told.texts[0] ?? '',
        /connections\[0\] in .+ is not used because you have your own connection "Mine /,
      );
      assert.deepEqual(told.shown.flat().includes(buttons.yes), false);
    } finally {
      told.dispose();
      await elsewhere.close();
    }
  });

  test("the user's and the folder's connections are all listed", async () => {
    const [mine, theirs] = [unique('Mine'), unique('Theirs')];
    await setOwn([setting(mine, { secretVariable })]);
    await setFolder([setting(theirs)]);
    await enteringSecret(theirs, async () => {
      for (const name of [mine, theirs]) {
        assert.deepEqual(await whileAnswering(buttons.yes, () => connect(name)), []); // no new approval needed
        const snapshot = await settled();
        assert.deepEqual([snapshot.kind, snapshot.name], ['connected', name]);
      }
    });
  });

  test('the person is asked once about its requests, shown completely, with no as the default, and can allow them later', async () => {
    const name = unique('Team');
    const { marker, secretCommand } = program();
    const entry = withoutSecret(name, { secretCommand, allowChanges: true });
    await setFolder([entry]);
    const folder = vscode.workspace.name ?? '';

    const left = answerFolder(undefined);
    const before = await state();
    await connect(name);
    left.dispose();
    assert.deepEqual(await state(), before);
    const quoted = (text: string) => JSON.stringify(text);
    assert.deepEqual(left.texts, [
      [
        `Allow this for the connection "${quoted(name)}" of the folder "${quoted(folder)}"?`,
        `It connects to ${quoted(entry.baseUrl)} with the client ${quoted(entry.clientId)} and gets its tokens from ${quoted(entry.authUrl)}.`,
        'The folder wants to:',
        `\u2022 run this program each time a token is needed, and send the first line it prints to ${quoted(entry.authUrl)}: [${secretCommand.map(quoted).join(', ')}]`,
        "\u2022 let commands change the service's data (allowChanges)",
        'Allow it only if you trust its author. You are asked again if any of it changes.',
      ].join('\n'),
    ]);
    assert.deepEqual(left.shown, [[buttons.no, buttons.yes]]);

    const report = await vscode.commands.executeCommand<Report>(commands.connectionTest, name);
    assert.equal(report.hasFailed, true);
    assert.equal(existsSync(marker), false); // the connection test does not run unapproved programs either
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');

    const secret = answerInputBoxes(undefined); // without the program, the user is prompted for the secret
    try {
      assert.equal((await whileAnswering(buttons.no, () => connect(name))).length, 1);
      assert.equal((await whileAnswering(buttons.yes, () => connect(name))).length, 0);
    } finally {
      secret.dispose();
    }
    assert.deepEqual(secret.texts, [`Client secret of ${name}`, `Client secret of ${name}`]);
    assert.equal(existsSync(marker), false);

    assert.equal((await whileAnswering(buttons.yes, () => review(name))).length, 1);
    assert.equal(existsSync(marker), false); // approval alone does not connect
    assert.equal((await whileAnswering(buttons.no, () => connect(name))).length, 0);
    const snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.name, snapshot.allowChanges], ['connected', name, true]);
    assert.equal(existsSync(marker), true);

    assert.equal((await whileAnswering(buttons.no, () => review(name))).length, 1);
    assert.equal((await settled()).kind, 'disconnected'); // only the program provides the secret
  });

  test('the person is asked again if a folder changes after it was allowed; until then, nothing new takes effect', async () => {
    const name = unique('Changing');
    const allowed = setting(name, { secretVariable, allowChanges: true });
    await setFolder([allowed]);
    assert.equal((await whileAnswering(buttons.yes, () => connect(name))).length, 1);
    assert.deepEqual([(await settled()).kind, (await settled()).allowChanges], ['connected', true]);

    const { marker, secretCommand } = program();
    await setFolder([setting(name, { secretCommand, allowChanges: true })]);
    await until('the right to change is gone', async () => (await state()).allowChanges === false);
    await enteringSecret(name, async () => {
      const asked = await whileAnswering(buttons.no, () => connect(name));
      assert.equal(asked.length, 1);
      assert.ok(asked[0]?.includes(marker));
      const snapshot = await settled();
      assert.deepEqual([snapshot.kind, snapshot.allowChanges], ['connected', false]);
      assert.equal(existsSync(marker), false);
    });

    const elsewhere = await listen((_, response) => response.end('{}'));
    try {
      await setFolder([{ ...allowed, baseUrl: elsewhere.url, authUrl: `${elsewhere.url}/token` }]);
      assert.equal((await whileAnswering(undefined, () => connect(name))).length, 1);
      assert.equal(elsewhere.seen.length, 0);
    } finally {
      await elsewhere.close();
    }

    await setFolder([allowed]); // the approval persists
    assert.equal((await whileAnswering(undefined, () => connect(name))).length, 0);
    assert.deepEqual([(await settled()).kind, (await settled()).allowChanges], ['connected', true]);
  });

  test('without permission, nothing goes over http:// to another machine', async () => {
    const name = unique('Plain');
    const host = 'http://no-such-host.invalid';
    await setFolder([
      setting(name, { baseUrl: host, authUrl: `${host}/token`, secretVariable, allowPlainHttp: true }),
    ]);
    const secret = answerInputBoxes('never-sent');
    try {
      const asked = await whileAnswering(buttons.no, () => connect(name));
      assert.match(asked[0] ?? '', /use http:\/\/, so that others on the network can read the secret/);
    } finally {
      secret.dispose();
    }
    const snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'settings']);
    assert.match(snapshot.reason ?? '', /the folder is not allowed to use http:/);
    await vscode.commands.executeCommand(commands.connectionSignOut, name);
  });

  test('requests that are too long for a dialog are not allowed', async () => {
    const name = unique('Long');
    const { marker, secretCommand } = program();
    await setFolder([setting(name, { secretCommand: [...secretCommand, 'x'.repeat(3_000)] })]);
    const told = answerMessages('showErrorMessage', () => undefined);
    try {
      assert.equal((await whileAnswering(buttons.yes, () => connect(name))).length, 0);
    } finally {
      told.dispose();
    }
    assert.match(told.texts[0] ?? '', /asks for more than can be shown/);
    assert.equal(existsSync(marker), false);
  });

  test('a program in the folder does not run, and cannot be allowed', async () => {
    const name = unique('Script');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    const marker = path.join(tmpdir(), `identity-queries-${crypto.randomUUID()}`);
    const script = path.join(folder, `secret-${crypto.randomUUID()}.js`);
    const link = path.join(tmpdir(), `identity-queries-${crypto.randomUUID()}.js`);
    await writeFile(script, `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`);
    await symlink(script, link);
    const told = answerMessages('showErrorMessage', () => undefined);
    try {
      for (const given of [script, link]) {
        await setFolder([setting(name, { secretCommand: [process.execPath, given] })]);
        assert.equal((await whileAnswering(buttons.yes, () => connect(name))).length, 0, given);
        assert.match(told.texts.at(-1) ?? '', /contains the program/);
      }
      assert.equal(told.texts.length, 2);
      assert.equal(existsSync(marker), false);
    } finally {
      told.dispose();
      await rm(script);
      await rm(link);
    }
  });

  test("editing it keeps entries that are not allowed, in the file of the folder; a new one is the user's own", async () => {
    const name = unique('Edited');
    const entry = withoutSecret(name, {
      environment: 'prod',
      allowChanges: true,
      secretCommand: ['no-such-program'],
      ai: 'select',
      sensitiveColumns: ['salary*', '!salary_band'],
    });
    await setFolder([entry]);
    assert.equal(await saveConnectionForm(name), undefined);
    assert.deepEqual(ofFolder(), [entry]);
    await setOwn([setting(unique('Mine'), { secretVariable })]);
    const asked = answerMessages('showWarningMessage', (buttons) => buttons.at(-1));
    try {
      await vscode.commands.executeCommand(commands.connectionDelete, name);
    } finally {
      asked.dispose();
    }
    assert.deepEqual(ofFolder() ?? [], []);
  });

  test("the form's test runs nothing of a folder that the person did not allow", async () => {
    const name = unique('Probed');
    const { marker, secretCommand } = program();
    await setFolder([withoutSecret(name, { secretCommand })]);
    await vscode.commands.executeCommand(commands.connectionEdit, name);
    const texts = (await connectionForm({ kind: 'ready' }))?.answers;
    assert.ok(texts);
    let test: ConnectionFormState['test'] | undefined;
    const probe = async () => {
      test = (await connectionForm({ kind: 'test', texts, secret: '' }))?.test;
    };
    assert.equal((await whileAnswering(undefined, probe)).length, 1);
    assert.deepEqual(test, { kind: 'none' }, 'Escape tests nothing');
    assert.equal((await whileAnswering(buttons.no, probe)).length, 1);
    assert.match(JSON.stringify(test), /the folder is not allowed to name a source for it/);
    assert.equal(existsSync(marker), false);
    // The changed connection is a different entry, so there is another prompt.
    const changed = { ...texts, label: 'TEST' };
    const again = () => connectionForm({ kind: 'test', texts: changed, secret: '' });
    assert.equal((await whileAnswering(buttons.yes, again)).length, 1);
    assert.equal(existsSync(marker), true);
    await connectionForm({ kind: 'cancel' });
  });

  test('network settings are never taken from a folder, even if it is trusted', async () => {
    const network = {
      'identityQueries.network.caFile': '/their/own.pem',
      'identityQueries.network.clientCertificate': '/their/own.p12',
      'identityQueries.network.clientKey': '/their/own.key',
      'identityQueries.network.useEditorFetch': true,
    };
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    const file = path.join(folder, '.vscode/settings.json');
    const location = () => vscode.workspace.getConfiguration('identityQueries').get('results.location');
    await mkdir(path.dirname(file), { recursive: true });
    try {
      const look = { 'identityQueries.results.location': 'beside' };
      await writeFile(file, JSON.stringify({ ...network, ...look }));
      await until('the file is read', () => location() === 'beside');
      for (const name of Object.keys(network))
        assert.equal(vscode.workspace.getConfiguration().inspect(name)?.workspaceValue, undefined, name);
      await connect(connectionName);
      assert.equal((await settled()).kind, 'connected'); // fails if the file is missing
    } finally {
      await writeFile(file, '{}');
      await until('the file is read', () => location() === 'below');
    }
  });
});
