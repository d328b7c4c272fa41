/** A malicious folder: the settings that it controls before it is trusted, and trust in its connection names. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { listen } from '../helpers/http.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { decisions } from '../helpers/setting-trust.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
};
const properties = Object.fromEntries(
  manifest.contributes.configuration.flatMap((topic) => Object.entries(topic.properties)),
);

/** Returns a hostile folder's value for a setting, which always differs from the default. */
function hostileValue(setting: Setting): unknown {
  const { type, default: usual, enum: choices } = setting;
  if (choices !== undefined) return choices.findLast((choice) => choice !== usual);
  if (type === 'boolean') return usual !== true;
  if (type === 'number' || type === 'integer') return Number(usual) + 1;
  if (type === 'string') return 'theirs';
  if (type === 'object')
    return Object.fromEntries(Object.keys(setting.properties ?? {}).map((code) => [code, 'off']));
  return [{ name: 'Theirs', baseUrl: 'https://a.invalid', authUrl: 'https://a.invalid', clientId: 'x' }];
}

const hostile: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.entries(properties).map(([name, setting]) => [name, hostileValue(setting)])),
  'identityQueries.dialect': 'bigquery',
};

interface Seen {
  readonly isTrusted: boolean;
  readonly values: Readonly<Record<string, { readonly value?: unknown; readonly folder?: unknown }>>;
}

/** Writes an extension that records our settings as code sees them, after each possible change. */
async function writeProbe(
  folder: string,
): Promise<{ readonly development: string; readonly seen: () => Seen }> {
  const development = path.join(folder, 'probe');
  const file = path.join(folder, 'seen.json');
  await mkdir(development);
  const activationEvents = ['onStartupFinished'];
  const about = { name: 'probe', publisher: 'test', version: '0.0.1', engines: { vscode: '^1.90.0' } };
  const capabilities = { untrustedWorkspaces: { supported: true } };
  await writeFile(
    path.join(development, 'package.json'),
    JSON.stringify({ ...about, main: './main.js', activationEvents, capabilities }),
  );
  await writeFile(
    path.join(development, 'main.js'),
    `const vscode = require('vscode');
    const fs = require('fs');
    function write() {
      const configuration = vscode.workspace.getConfiguration();
      const values = {};
      for (const name of ${JSON.stringify(Object.keys(properties))})
        values[name] = { value: configuration.get(name), folder: configuration.inspect(name)?.workspaceValue };
      fs.writeFileSync(${JSON.stringify(`${file}.new`)}, JSON.stringify({ isTrusted: vscode.workspace.isTrusted, values }));
      fs.renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
    }
    exports.activate = (context) => {
      context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(write));
      context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(write));
      write();
    };`,
  );
  const nothing: Seen = { isTrusted: false, values: {} };
  return {
    development,
    seen: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Seen) : nothing),
  };
}

const connections = 'identityQueries.connections';

/** A connection in the user's settings. */
function ownConnection({ baseUrl, authUrl, clientId }: RunningSandbox) {
  return { name: 'Production', baseUrl, authUrl, clientId, secretVariable: 'IDENTITY_TEST_SECRET' };
}

async function openFile(workbench: Workbench, file: string): Promise<void> {
  await workbench.runCommand('Go to File...');
  await workbench.quickInput.fill(file);
  await workbench.quickPick(file).first().click();
  await workbench.tab(file).waitFor();
}

async function connectTo(workbench: Workbench, name: string): Promise<void> {
  await workbench.runCommand('Identity Queries: Connect to Service...');
  await workbench.quickPick(name).first().click();
}

suite('a hostile folder', () => {
  test('is checked, its connections do not exist, and it sets nothing that weakens protection until it is trusted, and no network settings even then', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'hostile-folder-'));
    const { development, seen } = await writeProbe(folder);
    const elsewhere = await listen((_, response) => response.end('{}'));
    const sandbox = await startSandbox({ from: 'dist', accounts: 50 });
    const mine = ownConnection(sandbox);
    const theirs = { ...mine, baseUrl: elsewhere.url, authUrl: `${elsewhere.url}/token` };
    const marker = path.join(folder, 'started');
    const program = {
      ...theirs,
      name: 'Program',
      secretVariable: undefined,
      secretCommand: ['touch', marker],
    };
    const ours: Readonly<Record<string, unknown>> = { [connections]: [mine] };
    const set: Readonly<Record<string, unknown>> = { ...hostile, [connections]: [theirs, program] };
    const valueOf = (settings: Readonly<Record<string, unknown>>, name: string): unknown =>
      // As it is read from the file.
      settings[name] === undefined ? undefined : JSON.parse(JSON.stringify(settings[name]));
    try {
      await withWorkbench(
        {
          name: 'hostile-untrusted',
          asksForTrust: true,
          development,
          env: { IDENTITY_TEST_SECRET: sandbox.clientSecret },
          settings: { ...ours, 'security.workspace.trust.startupPrompt': 'never' },
          workspaceFiles: {
            '.vscode/settings.json': JSON.stringify(set),
            // BigQuery treats the backslash as an escape, so the string continues. PostgreSQL ends the string there and
            // finds a DELETE.
            'hidden.identity.sql': "SELECT 'a\\'; DELETE FROM accounts; --' AS found\n",
          },
        },
        async (workbench) => {
          await workbench.page.getByText('Restricted Mode').first().waitFor();
          await openFile(workbench, 'hidden.identity.sql');
          await workbench.errorSquiggles.first().waitFor();
          await workbench.screenshot('restricted');
          await workbench.until('the settings are read', () =>
            Promise.resolve(Object.keys(seen().values).length > 0),
          );
          const restricted = seen();
          assert.equal(restricted.isTrusted, false);
          for (const [name, [decision]] of Object.entries(decisions)) {
            const isSafe = decision === 'safe';
            const expected = valueOf(isSafe ? set : ours, name) ?? properties[name]?.default;
            assert.deepEqual(restricted.values[name]?.value, expected, name);
            assert.deepEqual(restricted.values[name]?.folder, isSafe ? set[name] : undefined, name);
          }

          // Of its connections, the one with a name of ours is not asked, and the other one is not there.
          await workbench.openIdentityView();
          await workbench.runCommand('Identity Queries: Connect to Service...');
          await workbench.quickPick('Production').waitFor();
          assert.equal(await workbench.quickPick('Program').count(), 0);
          assert.equal(await workbench.quickPick(new RegExp(new URL(elsewhere.url).port)).count(), 0);
          await workbench.screenshot('picker');
          await workbench.quickPick('Production').click();
          await workbench.treeItem(/owner left/).waitFor();
          assert.equal(elsewhere.seen.length, 0);
          assert.ok((await sandbox.requests()).some((each) => each.path === '/oauth/token'));
          assert.equal(existsSync(marker), false, 'a program of the folder was started');

          await workbench.runCommand('Workspaces: Manage Workspace Trust');
          await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
          await workbench.until('the folder is trusted', () => Promise.resolve(seen().isTrusted));
          await openFile(workbench, 'hidden.identity.sql');
          await workbench.until(
            'its dialect counts',
            async () => (await workbench.errorSquiggles.count()) === 0,
          );
          for (const [name, [decision]] of Object.entries(decisions)) {
            const isOurs = decision === 'user';
            const expected = isOurs ? properties[name]?.default : valueOf(set, name);
            assert.deepEqual(seen().values[name]?.value, expected, name);
          }
        },
      );
    } finally {
      await sandbox.stop();
      await elsewhere.close();
      await rm(folder, { recursive: true });
    }
  });

  test("is not connected to because of its name, asks before its program runs, and the user's own is restored automatically", async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const elsewhere = await listen((_, response) => response.end('{}'));
    const marker = path.join(tmpdir(), `identity-queries-${crypto.randomUUID()}`);
    const mine = ownConnection(sandbox);
    const theirs = {
      name: 'Production',
      baseUrl: elsewhere.url,
      authUrl: `${elsewhere.url}/token`,
      clientId: 'reader',
      allowChanges: true,
      secretCommand: ['touch', marker],
    };
    const env = { IDENTITY_TEST_SECRET: sandbox.clientSecret };
    const untouched = () => {
      assert.equal(elsewhere.seen.length, 0);
      assert.equal(existsSync(marker), false);
    };
    try {
      await withWorkbench(
        { name: 'hostile-name', env, settings: { [connections]: [mine] } },
        async (workbench) => {
          await workbench.openIdentityView();
          await connectTo(workbench, 'Production');
          await workbench.treeItem(/owner left/).waitFor();
          const settingsFile = path.join(workbench.workspace, '.vscode/settings.json');
          await mkdir(path.dirname(settingsFile), { recursive: true });
          await writeFile(settingsFile, JSON.stringify({ [connections]: [theirs] }));
          await workbench
            .notification(/is not used because you have your own connection "Production"/)
            .waitFor();

          // Without the user's connection, only the folder's is left, and nothing connects automatically.
          await workbench.useSettings({ [connections]: [] });
          await workbench.page.reload();
          await workbench.statusBar('Identity: not connected').waitFor();
          await workbench.runCommand('Identity Queries: Connect to Service...');
          const row = workbench.quickPick(/Production.*from the folder "access-reviews"/);
          await row.waitFor();
          assert.match(
            await row.innerText(),
            /Not allowed for the folder: the program for its secret, data changes/,
          );
          await workbench.screenshot('1-picker');
          await row.click();
          await workbench.dialog.getByText(marker).waitFor();
          const chosenByEnter = workbench.dialog.locator('.monaco-button:focus');
          assert.equal(await chosenByEnter.innerText(), 'Do Not Allow');
          await workbench.screenshot('2-question');
          await workbench.page.keyboard.press('Enter');
          await workbench.quickInput.waitFor(); // prompts for the secret instead of running the program
          await workbench.page.keyboard.press('Escape');
          await workbench.statusBar('Identity: not connected').waitFor();
          untouched();

          // The user's own connection is kept, even if the folder uses its name for a different address.
          await workbench.useSettings({ [connections]: [mine] });
          await workbench.page.reload();
          await workbench.treeItem(/owner left/).waitFor();
          untouched();
        },
      );
    } finally {
      await sandbox.stop();
      await elsewhere.close();
    }
  });
});
