/** Connections in a real editor: sources of secrets, every state, every command, and the network settings. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { Step, StepName, StepOutcome } from '#api/client/network/connection-test.ts';
import { commands } from '#client/contributions.ts';
import { pickProfile } from '#client/features/connection/choose-connection.ts';
import type { StateSnapshot } from '#client/features/connection/index.ts';
import { reportHtml } from '#client/features/connection/test-report/report-html.ts';
import { reportOf, type Report } from '#client/features/connection/test-report/report.ts';
import type { ConnectionSetting } from '#core/connections/parse-connection.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import {
  createPrivateAuthority,
  freePort,
  privateHost,
  startNamingProxy,
  startTlsFront,
} from '../helpers/forward-proxy.ts';
import {
  activateExtension,
  answerDialogs,
  answerInputBoxes,
  answerMessages,
  answerPrompts,
  closeAllEditors,
  connectColleague,
  connectionForm,
  connectionName,
  connectionSetting as setting,
  createQuery,
  replaceAll,
  requestsTo,
  saveConnectionForm,
  setFaults,
  settledConnection as settled,
  until,
} from './support.ts';

const secretVariable = 'IDENTITY_QUERIES_TEST_SECRET';
const right = () => process.env['IDENTITY_QUERIES_CLIENT_SECRET'] ?? '';

const state = () => vscode.commands.executeCommand<StateSnapshot>(commands.connectionState);
const connect = (name: string) => vscode.commands.executeCommand(commands.connectionConnect, name);

async function configure(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}
const setConnections = (value: unknown) => configure('identityQueries.connections', value);
const stored = () =>
  vscode.workspace.getConfiguration('identityQueries').inspect<readonly unknown[]>('connections')
    ?.globalValue;

/** Returns a connection to the same service at a different address, so no other connection shares its secret. */
function own(name: string): ConnectionSetting {
  const { authUrl } = setting(name);
  return setting(name, { authUrl: authUrl.replace('127.0.0.1', 'localhost') });
}

/** Deletes a connection and returns the confirmation messages. */
async function remove(name: string, answer = { isYes: true }): Promise<readonly string[]> {
  const dialogs = answerDialogs(answer);
  try {
    await vscode.commands.executeCommand(commands.connectionDelete, name);
  } finally {
    dialogs.dispose();
  }
  return dialogs.texts;
}

suite('connections', () => {
  suiteSetup(async () => {
    await activateExtension();
    // The first query starts the database, which may take longer than one step of a connection test.
    const colleague = connectColleague();
    await colleague.queries.execute(
      { query_string: 'SELECT 1 AS one', model: 'platform_identity' },
      { timeoutMs: 600_000 },
    );
    await colleague.close();
  });
  setup(async () => {
    await setFaults([]);
    process.env[secretVariable] = right();
  });
  suiteTeardown(async () => {
    await setFaults([]);
    await setConnections(undefined);
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
  });

  test("the environment's connection is used, with its key and its permissions", async () => {
    await connect(connectionName);
    const snapshot = await settled();
    assert.equal(snapshot.kind, 'connected');
    assert.equal(snapshot.name, connectionName);
    assert.match(snapshot.key ?? '', /^[0-9a-f]{64}$/);
    assert.equal(snapshot.allowChanges, true);
    assert.equal(snapshot.models, 2);
  });

  test('a secret comes from an environment variable, or from a program without a shell', async () => {
    const program = [process.execPath, '-e', `console.log(process.env.${secretVariable})`];
    process.env['ELECTRON_RUN_AS_NODE'] = '1';
    await setConnections([
      setting('By variable', { secretVariable }),
      setting('By program', { secretCommand: program }),
      setting('By no program', { secretCommand: ['no-such-program-anywhere'] }),
      setting('By no variable', { secretVariable: 'IDENTITY_QUERIES_TEST_NOT_SET' }),
    ]);
    for (const name of ['By variable', 'By program']) {
      await connect(name);
      const snapshot = await settled();
      assert.deepEqual([snapshot.kind, snapshot.name, snapshot.allowChanges], ['connected', name, false]);
    }
    for (const [name, words] of [
      ['By no program', /can't be started: no-such-program-anywhere.*secretCommand/],
      ['By no variable', /IDENTITY_QUERIES_TEST_NOT_SET, which is not set/],
    ] as const) {
      await connect(name);
      const snapshot = await settled();
      assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'secret']);
      assert.match(snapshot.reason ?? '', words);
    }
  });

  test('a wrong secret is reported once, however often it is needed', async () => {
    await setConnections([setting('Wrong', { secretVariable })]);
    process.env[secretVariable] = 'wrong';
    const before = (await requestsTo('/oauth/token')).length;
    await connect('Wrong');
    const snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'secret']);
    assert.match(snapshot.reason ?? '', /client ID or secret is wrong/);
    for (const command of [commands.savedQueriesRefresh, commands.modelsRefresh])
      await vscode.commands.executeCommand(command);
    assert.equal((await requestsTo('/oauth/token')).length, before + 1);
  });

  test('a secret that expires during a session fails the session once; the right one restores it', async () => {
    await setConnections([setting('Rotated', { secretVariable })]);
    await connect('Rotated');
    assert.equal((await settled()).kind, 'connected');
    process.env[secretVariable] = 'ended';
    const before = (await requestsTo('/oauth/token')).length;
    await setFaults([{ path: '/v1/query/saved-queries', script: [{ kind: 'expire-tokens' }] }]);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await until('the session has failed', async () => (await state()).kind === 'failed');
    assert.equal((await state()).failure, 'secret');
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    assert.equal((await requestsTo('/oauth/token')).length, before + 1);
    process.env[secretVariable] = right();
    await vscode.commands.executeCommand(commands.connectionRetry);
    assert.equal((await settled()).kind, 'connected');
  });

  test('a secret that is no longer available fails the session once, too', async () => {
    await setConnections([setting('Vanishing', { secretVariable })]);
    await connect('Vanishing');
    assert.equal((await settled()).kind, 'connected');
    Reflect.deleteProperty(process.env, secretVariable);
    await setFaults([{ path: '/v1/query/saved-queries', script: [{ kind: 'expire-tokens' }] }]);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await until('the session has failed', async () => (await state()).kind === 'failed');
    assert.equal((await state()).failure, 'secret');
    assert.match((await state()).reason ?? '', /is not set/);
  });

  test('editing shows the current values; accepting all of them changes nothing, nor does Cancel', async () => {
    const all = {
      ...setting('Edited', {
        environment: 'prod',
        label: 'TEST',
        colour: 'green',
        protected: true,
        allowChanges: true,
        scopes: 'read and write',
        secretCommand: [process.execPath, '-e', 'console.log("a b")', "it's"],
        ai: 'select',
        sensitiveColumns: ['salary*', '!salary_band'],
      }),
      'x-team': 'reviews',
    };
    const before = setting('Before', { secretVariable });
    await setConnections([before, all]);
    assert.equal(await saveConnectionForm('Edited'), undefined, 'the form is still open');
    assert.deepEqual(stored(), [before, all]);
    await vscode.commands.executeCommand(commands.connectionEdit, 'Before');
    const texts = { ...(await connectionForm({ kind: 'ready' }))?.answers, clientId: 'else' };
    await connectionForm({ kind: 'change', texts, hasSecret: false });
    assert.equal(await connectionForm({ kind: 'cancel' }), undefined, 'the form is still open');
    assert.deepEqual(stored(), [before, all]);
  });

  test('a refused change opens the form that allows changes', async () => {
    const name = 'No changes';
    await setConnections([setting(name, { secretVariable })]);
    await connect(name);
    assert.equal((await settled()).kind, 'connected');
    const refused = answerMessages('showErrorMessage', (buttons) =>
      buttons.find((button) => button === 'Edit Connection...'),
    );
    try {
      await vscode.commands.executeCommand(commands.changesDisableAccount, { account: 'any' });
      await until(
        'the form is open',
        async () => (await connectionForm({ kind: 'ready' }))?.answers['name'] === name,
      );
      assert.match(refused.texts[0] ?? '', /^Changes are off for No changes\. .*"Data changes"/);
      await connectionForm({ kind: 'cancel' });
    } finally {
      refused.dispose();
    }
  });

  test('the form asks for scopes and whether data may be changed, and shows the current values', async () => {
    const both = setting('May change', { secretVariable });
    await setConnections([both]);
    const edit = async (name: 'changes' | 'scopes', answer: string) => {
      await vscode.commands.executeCommand(commands.connectionEdit, 'May change');
      const state = await connectionForm({ kind: 'ready' });
      assert.ok(state);
      const texts = { ...state.answers, [name]: answer };
      assert.equal(await connectionForm({ kind: 'save', texts, secret: '' }), undefined);
      return state.asked.includes(name) ? state.answers[name] : undefined;
    };
    assert.equal(await edit('changes', 'yes'), 'no');
    assert.deepEqual(stored(), [{ ...both, allowChanges: true }]);
    assert.equal(await edit('changes', 'no'), 'yes');
    assert.deepEqual(stored(), [both]);
    assert.equal(await edit('scopes', 'read'), 'read and write');
    assert.deepEqual(stored(), [{ ...both, scopes: 'read' }]);
    assert.equal(await edit('changes', 'no'), undefined, 'asked what reading alone rules out');
    assert.equal(await edit('scopes', 'read and write'), 'read');
    assert.deepEqual(stored(), [both]);
  });

  test('without any connection in the settings, Edit Connection offers to add one', async () => {
    await setConnections([]);
    let offered: readonly string[] = [];
    const answers = answerMessages('showErrorMessage', (buttons) => {
      offered = buttons;
      return undefined;
    });
    try {
      await vscode.commands.executeCommand(commands.connectionEdit);
      await until('it is offered', () => offered.includes('Add Connection...'));
    } finally {
      answers.dispose();
    }
  });

  test('a form refuses invalid values field by field, names a duplicate, and validates its names and secrets', async () => {
    await setConnections([setting('Taken', { secretVariable })]);
    const state = await saveConnectionForm(undefined, {
      name: 'Taken',
      baseUrl: 'ftp://a',
      environment: 'a/b',
    });
    assert.deepEqual(Object.keys(state?.problems ?? {}), [
      'name',
      'baseUrl',
      'authUrl',
      'environment',
      'clientId',
      'secret',
    ]);
    const { baseUrl, authUrl, clientId } = setting('');
    const texts = { ...state?.answers, name: 'Free', environment: '', baseUrl, authUrl, clientId };
    const free = await connectionForm({ kind: 'change', texts, hasSecret: true });
    assert.deepEqual(free?.problems, {});
    assert.equal(free.hints.clientId, 'Taken has the same addresses and client ID.');
    await connectionForm({ kind: 'cancel' });
    assert.deepEqual(stored(), [setting('Taken', { secretVariable })]);
  });

  test('a new connection is tested with the entered secret, then saved and connected; an edit keeps the secret', async () => {
    await setConnections([setting('Beside', { secretVariable })]);
    const name = `New ${crypto.randomUUID()}`;
    const { baseUrl, authUrl, clientId } = own(name);
    const texts = { name, baseUrl, authUrl, clientId, secretFrom: 'storage', scopes: 'read and write' };
    await vscode.commands.executeCommand(commands.connectionAdd);
    const refused = await connectionForm({ kind: 'test', texts, secret: 'wrong-4711' });
    assert.ok(refused?.test.kind === 'done' && refused.test.hasFailed);
    assert.match(JSON.stringify(refused.test.steps), /client ID or secret is wrong/);
    const tested = await connectionForm({ kind: 'test', texts, secret: right() });
    assert.ok(tested?.test.kind === 'done' && !tested.test.hasFailed, JSON.stringify(tested?.test));
    assert.equal(tested.test.secretOrigin, 'entered, not stored yet');
    for (const hidden of ['wrong-4711', right()])
      assert.ok(!JSON.stringify([refused, tested]).includes(hidden), 'the page gets the secret back');
    assert.deepEqual(stored(), [setting('Beside', { secretVariable })], 'a test saves nothing');

    assert.equal(await connectionForm({ kind: 'save', texts, secret: right() }), undefined);
    await until('it is connected', async () => {
      const { kind, name: connected } = await state();
      return kind === 'connected' && connected === name;
    });
    assert.deepEqual(stored(), [setting('Beside', { secretVariable }), own(name)]);
    const renamed = `Renamed ${crypto.randomUUID()}`;
    assert.equal(await saveConnectionForm(name, { name: renamed }), undefined);
    await vscode.commands.executeCommand(commands.connectionDisconnect);
    await connect(renamed); // a prompt here would hang the test
    assert.deepEqual([(await settled()).kind, (await settled()).name], ['connected', renamed]);
    // A different address requires its own secret.
    const elsewhere = await saveConnectionForm(renamed, { authUrl: setting('').authUrl + '/else' });
    assert.deepEqual(Object.keys(elsewhere?.problems ?? {}), ['secret']);
    assert.match(elsewhere?.hints.secret ?? '', /only for the previous addresses and client ID/);
    await connectionForm({ kind: 'cancel' });
    await remove(renamed);
  });

  test('a connection whose test has just failed is saved with one warning, whether it connects or not', async () => {
    await setConnections([setting('Kept', { secretVariable })]);
    await connect('Kept');
    assert.equal((await settled()).kind, 'connected');
    const errors = answerMessages('showErrorMessage', () => undefined);
    const offered: (readonly string[])[] = [];
    const warnings = answerMessages('showWarningMessage', (buttons) => {
      offered.push(buttons);
      return undefined;
    });
    try {
      // In use: it connects with the new values, which fails for the same reason.
      await vscode.commands.executeCommand(commands.connectionEdit, 'Kept');
      const now = await connectionForm({ kind: 'ready' });
      const texts = { ...now?.answers, clientId: 'wrong-client' };
      const tested = await connectionForm({ kind: 'test', texts, secret: '' });
      assert.ok(tested?.test.kind === 'done' && tested.test.hasFailed, JSON.stringify(tested));
      assert.equal(await connectionForm({ kind: 'save', texts, secret: '' }), undefined);
      await until('it has failed', async () => (await state()).failure === 'secret');
      // Not in use: it is only saved.
      await vscode.commands.executeCommand(commands.connectionDisconnect);
      await vscode.commands.executeCommand(commands.connectionEdit, 'Kept');
      const again = { ...texts, clientId: 'wrong-again' };
      await connectionForm({ kind: 'test', texts: again, secret: '' });
      assert.equal(await connectionForm({ kind: 'save', texts: again, secret: '' }), undefined);
      assert.deepEqual(stored(), [setting('Kept', { secretVariable, clientId: 'wrong-again' })]);
      assert.equal(warnings.texts.length, 2, warnings.texts.join('\n'));
      for (const text of warnings.texts)
        assert.match(text, /^"Kept" is saved, but its test failed\. .*client ID or secret is wrong/);
      assert.deepEqual(offered, [['Edit Connection...'], ['Edit Connection...']]);
      assert.deepEqual(errors.texts, []);
    } finally {
      warnings.dispose();
      errors.dispose();
    }
  });

  test("the form's test reports an error or a missing response, and a slow test can be stopped", async () => {
    await setConnections([setting('Probed', { secretVariable })]);
    const probe = async (change: Readonly<Record<string, string>> = {}) => {
      const now = await connectionForm({ kind: 'ready' });
      const texts = { ...now?.answers, ...change };
      return (await connectionForm({ kind: 'test', texts, secret: '' }))?.test;
    };
    const failed = async (change?: Readonly<Record<string, string>>) => {
      const test = await probe(change);
      assert.ok(test?.kind === 'done' && test.hasFailed, JSON.stringify(test));
      return test.steps.filter(({ status }) => status === 'failed').map(({ text }) => text);
    };
    await vscode.commands.executeCommand(commands.connectionEdit, 'Probed');
    await setFaults([{ path: '/v1/schema/models', always: { kind: 'status', status: 500 } }]);
    assert.match((await failed())[0] ?? '', /try again later/);
    await setFaults([{ path: '/v1/schema/models', always: { kind: 'status', status: 401 } }]);
    assert.equal((await failed()).length, 1);
    await setFaults([{ path: '/v1/*', always: { kind: 'html' } }]);
    assert.match((await failed())[0] ?? '', /HTML page instead of JSON/);
    await setFaults([]);
    const closed = `http://127.0.0.1:${await freePort()}`;
    const start = setting('');
    assert.match((await failed({ baseUrl: closed }))[0] ?? '', /refuses connections/);

    await setFaults([{ path: '/v1/schema/models', always: { kind: 'latency', ms: 600_000 } }]);
    const slow = probe({ baseUrl: start.baseUrl });
    await until('the models are asked for', async () => {
      const test = (await connectionForm({ kind: 'ready' }))?.test;
      return test?.kind === 'running' && test.done === 5;
    });
    await connectionForm({ kind: 'stop' });
    assert.deepEqual(await slow, { kind: 'none' });
    await setFaults([]);
    const works = await probe();
    assert.ok(works?.kind === 'done' && !works.hasFailed);
    assert.match(works.secretOrigin, new RegExp(`environment variable ${secretVariable}`));
    await connectionForm({ kind: 'cancel' });
  });

  test('a form that is closed without saving keeps the input, without the secret, until it is discarded', async () => {
    await setConnections([]);
    const offered: string[] = [];
    let answer: string | undefined;
    const told = answerMessages('showInformationMessage', (buttons) => {
      offered.push(...buttons);
      return answer;
    });
    const typed = { name: 'Half', clientId: 'half-typed', secretFrom: 'storage' };
    const close = async (texts: Readonly<Record<string, string>>) => {
      await connectionForm({ kind: 'change', texts, hasSecret: true });
      const before = told.texts.length;
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('it is told', () => told.texts.length > before);
    };
    try {
      await vscode.commands.executeCommand(commands.connectionAdd);
      answer = 'Continue';
      await close(typed);
      assert.match(told.texts[0] ?? '', /^Add Connection: nothing is saved\. Your input is kept/);
      assert.deepEqual(offered, ['Continue', 'Discard']);
      await until(
        'the form is open again',
        async () => (await connectionForm({ kind: 'ready' })) !== undefined,
      );
      const again = await connectionForm({ kind: 'ready' });
      assert.deepEqual([again?.answers.name, again?.answers.clientId], ['Half', 'half-typed']);
      assert.ok(again?.problems.secret, 'the secret was kept');
      answer = 'Discard';
      await close(again.answers);
      await vscode.commands.executeCommand(commands.connectionAdd);
      assert.equal((await connectionForm({ kind: 'ready' }))?.answers.name, '');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('the form is closed', async () => (await connectionForm({ kind: 'ready' })) === undefined);
      assert.equal(told.texts.length, 2, 'an untouched form asks nothing');
    } finally {
      told.dispose();
    }
    assert.deepEqual(stored() ?? [], []);
  });

  test('each failure has a kind', async () => {
    const closed = `http://127.0.0.1:${await freePort()}`;
    await setConnections([
      setting('Closed', { baseUrl: closed, authUrl: `${closed}/token`, secretVariable }),
      setting('Elsewhere', { baseUrl: 'https://no-such-host.invalid', secretVariable }),
      setting('Works', { secretVariable }),
    ]);
    await connect('Closed');
    let snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'network']);
    assert.match(snapshot.reason ?? '', /refuses connections/);
    await connect('Elsewhere');
    snapshot = await settled();
    // Scopes include the base address, so the token endpoint rejects the request first.
    assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'scope']);
    assert.match(snapshot.reason ?? '', /invalid_scope/);
    await setFaults([{ path: '/v1/schema/models', always: { kind: 'html' } }]);
    await connect('Works');
    snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'service']);
    await setFaults([]);
    await configure('identityQueries.network.caFile', path.join(tmpdir(), 'no-such-file.pem'));
    try {
      await connect('Works');
      snapshot = await settled();
      assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'certificate']);
      assert.match(snapshot.reason ?? '', /no-such-file\.pem/);
    } finally {
      await configure('identityQueries.network.caFile', undefined);
    }
  });

  test('marks and permissions changed in the settings apply immediately, without reconnecting', async () => {
    await setConnections([setting('Marked', { secretVariable })]);
    await connect('Marked');
    assert.equal((await settled()).isProtected, false);
    const before = (await requestsTo('/v1/schema/models')).length;
    await setConnections([setting('Marked', { secretVariable, protected: true, allowChanges: true })]);
    await until('the marks are there', async () => (await state()).isProtected === true);
    assert.equal((await state()).allowChanges, true);
    assert.equal((await requestsTo('/v1/schema/models')).length, before);
  });

  test('a wrong secret is reported once, whatever is changed about the connection meanwhile', async () => {
    const told: string[] = [];
    const original = vscode.window.showErrorMessage.bind(vscode.window);
    const note = (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showErrorMessage: note });
    try {
      process.env[secretVariable] = 'wrong';
      await setConnections([setting('Told', { secretVariable })]);
      await connect('Told');
      assert.equal((await settled()).failure, 'secret');
      await setConnections([setting('Told', { secretVariable, label: 'PROD', protected: true })]);
      await until('the mark is there', async () => (await state()).isProtected === true);
      assert.equal(told.length, 1);
      assert.match(told[0] ?? '', /^Not connected to Told\. .*client ID or secret is wrong/);
    } finally {
      Object.assign(vscode.window, { showErrorMessage: original });
    }
  });

  test('a secret in the settings is refused, moved on demand and gone from the file; sign out forgets it', async () => {
    const name = `Moved ${crypto.randomUUID()}`;
    await setConnections([{ ...own(name), clientSecret: right() }, setting('Beside', { secretVariable })]);
    await connect(name); // a connection with a secret in its settings is ignored
    assert.notEqual((await settled()).name, name);
    await vscode.commands.executeCommand(commands.connectionMoveSecrets);
    assert.ok(!JSON.stringify(stored()).includes(right()), 'the settings still hold the secret');
    assert.deepEqual(stored(), [own(name), setting('Beside', { secretVariable })]);
    await connect(name);
    const snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.name], ['connected', name]);

    await vscode.commands.executeCommand(commands.connectionSignOut, name);
    assert.equal((await state()).kind, 'disconnected');
    await answerPrompts('escape', connect(name));
    assert.equal((await state()).kind, 'disconnected');

    await remove(name);
    assert.deepEqual(stored(), [setting('Beside', { secretVariable })]);
  });

  test('a connection of the settings and one of the environment do not share a secret, and the report names its source', async () => {
    const name = `Entered ${crypto.randomUUID()}`;
    await setConnections([setting(name)]); // address and client of the environment's connection
    const secretOf = async (connection: string) => {
      const report = await vscode.commands.executeCommand<Report>(commands.connectionTest, connection);
      return [report.hasFailed, new Map(report.facts).get('Client secret')];
    };
    const update = async (secret: string) => {
      const boxes = answerInputBoxes(secret);
      await vscode.commands.executeCommand(commands.connectionUpdateSecret);
      boxes.dispose();
      return await settled();
    };
    const environment = 'from the environment of the editor (IDENTITY_QUERIES_CLIENT_SECRET).';
    const boxes = answerInputBoxes('wrong');
    try {
      await connect(name); // prompts for a secret, although the environment has one
      assert.equal(boxes.texts.length, 1);
      assert.equal((await settled()).failure, 'secret');
      assert.deepEqual(await secretOf(name), [true, 'entered, in the secret storage of this editor.']);
      await connect(connectionName);
      assert.equal((await settled()).kind, 'connected');
      assert.deepEqual(await secretOf(connectionName), [false, environment]);
    } finally {
      boxes.dispose();
      await remove(name);
    }
    assert.equal((await update('wrong')).failure, 'secret');
    assert.deepEqual(await secretOf(connectionName), [true, 'entered, until this window closes.']);
    await vscode.commands.executeCommand(commands.connectionSignOut, connectionName);
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
    assert.deepEqual(await secretOf(connectionName), [false, environment]);
  });

  test('without any connection, the choice of one offers to add one', async () => {
    await assert.rejects(pickProfile([], undefined, 'Test Connection'), (error: unknown) => {
      assert.ok(error instanceof ExpectedError);
      assert.equal(error.message, 'There are no connections in the settings yet.');
      assert.deepEqual(
        error.actions.map(({ title }) => title),
        ['Add Connection...'],
      );
      return true;
    });
  });

  test('a report says once why the steps after a failed one were not tried', () => {
    const profile = {
      name: 'Reported',
      baseUrl: 'https://api.example.com',
      authUrl: 'https://auth.example.com',
      clientId: 'client-of-tests',
      protected: false,
      allowChanges: false,
      allowPlainHttp: false,
      source: 'settings',
    } as const;
    const step = (name: StepName, outcome: StepOutcome): Step => ({ name, target: 'api', outcome, ms: 1 });
    const later = { kind: 'skipped', why: 'needs-earlier' } as const;
    const options = { profile, way: '', secretOrigin: '', version: '1', assumptions: undefined };
    const failed = reportOf({
      ...options,
      steps: [
        step('name', { kind: 'failed', error: new Error('no') }),
        step('tcp', later),
        step('tls', later),
      ],
    });
    assert.deepEqual(
      failed.rows.slice(1).map(({ text }) => text),
      ['An earlier step failed.', ''],
    );
    const page = { translate: (text: string) => text, language: 'en', nonce: 'n' };
    assert.match(reportHtml(failed, page), /<p class="summary failed">/);
    assert.match(reportHtml(failed, page), /\.summary\.failed::before \{ content: "✕/);
    const passed = reportOf({
      ...options,
      steps: [step('tcp', { kind: 'ok', facts: { kind: 'connected' } })],
    });
    assert.match(reportHtml(passed, page), /<p class="summary ok">Everything works/);
  });

  test('an unreachable service is reported until it is back, and the connection stays', async () => {
    await setConnections([setting('Away', { secretVariable })]);
    await connect('Away');
    assert.equal((await settled()).unreachable, undefined);
    await setFaults([{ path: '/v1/*', always: { kind: 'drop' } }]);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await until('it is known', async () => (await state()).unreachable !== undefined);
    assert.deepEqual((await state()).kind, 'connected');
    await setFaults([]);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await until('it is back', async () => (await state()).unreachable === undefined);
  });

  test('a service that says it is unavailable is reported as such; one request that fails with 504 is not', async () => {
    await setConnections([setting('Unavailable', { secretVariable })]);
    await connect('Unavailable');
    assert.equal((await settled()).unreachable, undefined);
    const refresh = () => vscode.commands.executeCommand(commands.savedQueriesRefresh);
    const reads = async () => (await requestsTo('/v1/schema/models')).length;
    const before = await reads();
    await setFaults([{ path: '/v1/query/saved-queries', always: { kind: 'status', status: 504 } }]);
    await refresh();
    await until('the models were read', async () => (await reads()) > before);
    assert.equal((await state()).unreachable, undefined);
    await setFaults([{ path: '/v1/*', always: { kind: 'status', status: 503 } }]);
    await refresh();
    await until('it is known', async () => (await state()).unreachable !== undefined);
    assert.equal((await state()).kind, 'connected');
    await setFaults([]);
    await until('it is back', async () => (await state()).unreachable === undefined);
  });

  for (const always of [{ kind: 'status', status: 500 }, { kind: 'html' }, { kind: 'truncate' }] as const) {
    const what = always.kind === 'status' ? String(always.status) : always.kind;
    test(`a service that responds with ${what} to everything is away until it responds normally`, async () => {
      await setConnections([setting('Trouble', { secretVariable })]);
      await connect('Trouble');
      assert.equal((await settled()).unreachable, undefined);
      await setFaults([{ path: '/v1/query/saved-queries', always }]);
      const reads = async () => (await requestsTo('/v1/schema/models')).length;
      const before = await reads();
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      await until('the models were read', async () => (await reads()) > before);
      assert.equal((await state()).unreachable, undefined, 'one request only');
      await setFaults([{ path: '/v1/*', always }]);
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      await until('it is known', async () => (await state()).unreachable !== undefined);
      assert.equal((await state()).kind, 'connected');
      await setFaults([]);
      await until('it is back', async () => (await state()).unreachable === undefined);
    });
  }

  test('a command that failed because the service was away is offered again', async () => {
    await setConnections([setting('Again', { secretVariable })]);
    await connect('Again');
    assert.equal((await settled()).kind, 'connected');
    const id = '00000000-0000-4000-8000-000000000000';
    const offered: (readonly string[])[] = [];
    const failed = answerMessages('showErrorMessage', async (buttons) => {
      offered.push(buttons);
      await setFaults([]);
      return offered.length === 1 ? 'Try Again' : undefined;
    });
    try {
      await setFaults([{ path: '/v1/*', always: { kind: 'status', status: 503 } }]);
      await vscode.commands.executeCommand(commands.recordOpenById, id);
      await until('the second attempt has failed', () => offered.length === 2);
      assert.deepEqual(offered[0], ['Try Again', 'Test Connection', 'Show Details']);
      assert.match(failed.texts[1] ?? '', /no record/i);
    } finally {
      failed.dispose();
      await setFaults([]);
    }
  });

  test('a service that responds again is noticed without a request of the user', async () => {
    await setConnections([setting('Back', { secretVariable })]);
    await connect('Back');
    assert.equal((await settled()).unreachable, undefined);
    await setFaults([{ path: '/v1/*', always: { kind: 'drop' } }]);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await until('it is known', async () => (await state()).unreachable !== undefined);
    await setFaults([]);
    await until('it is back', async () => (await state()).unreachable === undefined);
  });

  test('deleting asks first; confirming it disconnects, and the secret is gone', async () => {
    const name = `Deleted ${crypto.randomUUID()}`;
    await setConnections([{ ...own(name), clientSecret: right() }]);
    await vscode.commands.executeCommand(commands.connectionMoveSecrets);
    await connect(name);
    assert.equal((await settled()).kind, 'connected');
    const asked = await remove(name, { isYes: false });
    assert.deepEqual(asked, [
      `Delete the connection "${name}"?\nIts client secret is deleted too. Nothing is deleted on the service.`,
    ]);
    assert.equal((await state()).kind, 'connected');
    assert.deepEqual(stored(), [own(name)]);
    await remove(name);
    assert.equal((await state()).kind, 'disconnected');
    assert.deepEqual(stored() ?? [], []);
    await setConnections([own(name)]);
    await answerPrompts('escape', connect(name)); // prompts for the deleted secret
    assert.equal((await state()).kind, 'disconnected');
  });

  test('deleting a connection lists the edits that cannot be saved without it', async () => {
    const name = `With edits ${crypto.randomUUID()}`;
    await setConnections([setting(name, { secretVariable })]);
    await connect(name);
    assert.equal((await settled()).kind, 'connected');
    const colleague = connectColleague();
    const made = await createQuery(colleague);
    await colleague.close();
    await vscode.commands.executeCommand(commands.savedQueryOpenById, made.query_id);
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    await replaceAll(document, 'SELECT 2');
    const [asked] = await remove(name, { isYes: false });
    assert.match(asked ?? '', /Without it, you can't save these open queries: 1\.$/);
    await closeAllEditors();
  });

  test('Enter Client Secret asks for it without showing it, keeps it and connects; Disconnect keeps it too', async () => {
    const name = `Updated ${crypto.randomUUID()}`;
    await setConnections([own(name)]);
    const first = answerInputBoxes('wrong');
    try {
      await connect(name); // no secret is stored yet
    } finally {
      first.dispose();
    }
    assert.deepEqual(first.texts, [`Client secret of ${name}`]);
    assert.equal((await settled()).failure, 'secret');
    const second = answerInputBoxes(right());
    try {
      await vscode.commands.executeCommand(commands.connectionUpdateSecret);
    } finally {
      second.dispose();
    }
    assert.deepEqual(second.texts, [`Client secret of ${name}`]);
    assert.equal((await settled()).kind, 'connected');
    await vscode.commands.executeCommand(commands.connectionDisconnect);
    assert.equal((await state()).kind, 'disconnected');
    await connect(name); // a prompt here would hang the test
    assert.equal((await settled()).kind, 'connected');
    await remove(name);
  });

  test('testing a connection reports what works and what does not, and the copied report contains no secret', async () => {
    await setConnections([setting('Tested', { secretVariable })]);
    const report = await vscode.commands.executeCommand<Report>(commands.connectionTest, 'Tested');
    assert.equal(report.hasFailed, false);
    assert.deepEqual(
      report.rows.map(({ status }) => status),
      ['ok', 'ok', 'skipped', 'ok', 'ok', 'ok', 'ok', 'ok'],
    );
    const verdicts = new Set(report.assumptions?.rows.map(({ verdict }) => verdict));
    assert.deepEqual(verdicts, new Set(['unknown', 'holds']));
    process.env[secretVariable] = 'wrong-and-secret';
    const failed = await vscode.commands.executeCommand<Report>(commands.connectionTest, 'Tested');
    assert.equal(failed.hasFailed, true);
    assert.match(failed.summary, /Token/);
    assert.equal(failed.assumptions, undefined);
    await vscode.commands.executeCommand(commands.connectionCopyReport);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /Connection test: Tested/);
    assert.match(text, /client ID or secret is wrong/);
    for (const hidden of ['wrong-and-secret', right(), setting('').clientId])
      assert.ok(!text.includes(hidden), 'the copied report holds a secret');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test("the editor's own fetch sends the requests if the setting is on", async () => {
    await setConnections([setting('By fetch', { secretVariable })]);
    await configure('identityQueries.network.useEditorFetch', true);
    try {
      await connect('By fetch');
      assert.equal((await settled()).kind, 'connected');
      const report = await vscode.commands.executeCommand<Report>(commands.connectionTest, 'By fetch');
      assert.equal(report.rows[0]?.status, 'skipped');
      assert.equal(report.hasFailed, false);
    } finally {
      await configure('identityQueries.network.useEditorFetch', undefined);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  test('the proxy of the editor, a private authority and a client certificate are really used', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'host-network-'));
    const authority = await createPrivateAuthority(folder);
    const port = await freePort();
    const front = await startTlsFront(`http://127.0.0.1:${port}`, authority, { wantsClient: true });
    const proxy = await startNamingProxy({ host: privateHost, user: 'me', password: 'p@ss' });
    const base = `https://${privateHost}:${front.port}`;
    const service = await startService(port, base);
    const network: Readonly<Record<string, unknown>> = {
      'http.proxy': proxy.url,
      'http.proxyAuthorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      'identityQueries.network.caFile': authority.caFile,
      'identityQueries.network.clientCertificate': authority.client.certificateFile,
      'identityQueries.network.clientKey': authority.client.keyFile,
    };
    try {
      process.env[secretVariable] = service.clientSecret;
      const { clientId } = service;
      await setConnections([
        setting('Far away', { baseUrl: base, authUrl: `${base}/oauth/token`, clientId, secretVariable }),
      ]);
      await connect('Far away');
      const snapshot = await settled();
      assert.deepEqual([snapshot.kind, snapshot.failure], ['failed', 'network']); // only the proxy resolves the name
      for (const [name, value] of Object.entries(network)) await configure(name, value);
      await connect('Far away');
      const connected = await settled();
      assert.equal(connected.kind, 'connected', connected.reason);
      assert.ok(proxy.asked().includes(privateHost));
      // The same key, with a passphrase: the command prompts for the passphrase, stores it, and connects.
      await configure('identityQueries.network.clientKey', undefined);
      await configure('identityQueries.network.clientCertificate', authority.client.pkcs12File);
      await connect('Far away');
      assert.deepEqual([(await settled()).kind, (await settled()).failure], ['failed', 'certificate']);
      const passphrase = answerInputBoxes('hush');
      try {
        await vscode.commands.executeCommand(commands.networkUpdatePassphrase);
      } finally {
        passphrase.dispose();
      }
      assert.deepEqual(passphrase.texts, ['Passphrase of the client certificate']);
      assert.equal((await settled()).kind, 'connected');
      await configure('http.noProxy', [privateHost]);
      await connect('Far away');
      assert.equal((await settled()).failure, 'network');
      await configure('http.noProxy', undefined);
      await configure('http.proxyAuthorization', 'Basic d3Jvbmc6d3Jvbmc=');
      await connect('Far away');
      const refused = await settled();
      assert.deepEqual([refused.kind, refused.failure], ['failed', 'proxy']);
      assert.match(refused.reason ?? '', /user name and password/);
      // The editor's fetch follows the editor's own proxy settings and does not trust our certificate authority.
      const reached = () => proxy.asked().length + proxy.refused();
      const before = reached();
      await configure('identityQueries.network.useEditorFetch', true);
      await connect('Far away');
      assert.equal((await settled()).kind, 'failed');
      assert.ok(reached() > before, 'the proxy of the editor was not asked');
    } finally {
      const changed = ['http.noProxy', 'identityQueries.network.useEditorFetch', ...Object.keys(network)];
      for (const name of changed) await configure(name, undefined);
      service.stop();
      await proxy.stop();
      await front.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

suite('connections: the included sandbox', () => {
  suiteSetup(activateExtension);
  suiteTeardown(async () => {
    await vscode.commands.executeCommand(commands.localServiceStop);
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
  });

  test('starts once, is switched to with one command, keeps saved queries, and stops', async () => {
    await connect(connectionName);
    await settled();
    await Promise.all([
      vscode.commands.executeCommand(commands.sandboxStart),
      vscode.commands.executeCommand(commands.sandboxStart),
    ]);
    let snapshot = await settled();
    assert.deepEqual(
      [snapshot.kind, snapshot.source, snapshot.key, snapshot.allowChanges],
      ['connected', 'sandbox', 'sandbox', true],
    );
    await vscode.commands.executeCommand(commands.sandboxSwitch);
    snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.name], ['connected', connectionName]);
    await vscode.commands.executeCommand(commands.sandboxSwitch);
    snapshot = await settled();
    assert.deepEqual([snapshot.kind, snapshot.source], ['connected', 'sandbox']);
    await vscode.commands.executeCommand(commands.localServiceStop);
    assert.equal((await state()).kind, 'disconnected');
  });
});

/** Starts the service behind an address that differs from its listening address. */
async function startService(
  port: number,
  publicUrl: string,
): Promise<{ clientId: string; clientSecret: string; stop(): void }> {
  const extension = vscode.extensions.getExtension('identity-queries.identity-queries');
  const script = path.join(extension?.extensionPath ?? '', 'dist/sandbox/main.js');
  const child = spawn(
    process.execPath,
    [script, '--json', '--accounts', '10', '--port', String(port), '--public-url', publicUrl],
    { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${String(code)}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const { clientId, clientSecret } = JSON.parse(line) as { clientId: string; clientSecret: string }; // printed by main.ts
  return { clientId, clientSecret, stop: () => child.kill('SIGTERM') };
}
