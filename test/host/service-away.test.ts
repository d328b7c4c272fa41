/** Connections whose service is away: earlier data, new attempts, and texts that are kept. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { StateSnapshot } from '#client/features/connection/index.ts';
import type { ModelsState } from '#client/features/models/index.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import { Session } from '#client/session/session.ts';
import { profileOf } from '#core/connections/parse-connection.ts';
import type { Faults } from '#service/plugins/faults.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { executePath, run, stateOf } from './run-support.ts';
import {
  answerMessages,
  connectionName,
  connectionSetting as setting,
  createQuery,
  open,
  replaceAll,
  requestsTo,
  setFaults,
  settledConnection as settled,
  statusMessages,
  until,
  uriOf,
  useService,
} from './support.ts';

const secretVariable = 'IDENTITY_QUERIES_TEST_SECRET';
const away = (path: string): Faults['rules'][number] => ({ path, always: { kind: 'status', status: 503 } });
const state = () => vscode.commands.executeCommand<StateSnapshot>(commands.connectionState);
const connect = (name: string) => vscode.commands.executeCommand(commands.connectionConnect, name);

async function setConnections(value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update('identityQueries.connections', value, target);
}

/** Records the error messages, and their buttons, that are shown during the work. */
async function errorsDuring(work: () => Promise<void>): Promise<{
  readonly texts: readonly string[];
  readonly buttons: readonly (readonly string[])[];
}> {
  const buttons: (readonly string[])[] = [];
  const answers = answerMessages('showErrorMessage', (offered) => {
    buttons.push(offered);
    return undefined;
  });
  try {
    await work();
  } finally {
    answers.dispose();
  }
  return { texts: answers.texts, buttons };
}

/** Fails to connect to the tests' service, which responds again afterwards only if `isBack`. */
async function failToConnect(isBack = true): Promise<void> {
  await setFaults([away('/v1/*')]);
  await errorsDuring(async () => {
    await connect(connectionName);
    assert.deepEqual([(await settled()).kind, (await settled()).failure], ['failed', 'service']);
  });
  if (isBack) await setFaults([]);
}

suite('a service that is away', () => {
  const { colleague, edit } = useService();
  setup(() => {
    process.env[secretVariable] = process.env['IDENTITY_QUERIES_CLIENT_SECRET'];
  });
  teardown(async () => {
    await setFaults([]);
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
    await setConnections(undefined);
  });

  test('Connect Again keeps the earlier data and the automatic recovery', async () => {
    await setConnections([setting('Kept', { secretVariable })]);
    await connect('Kept');
    assert.equal((await settled()).unreachable, undefined);
    const lose = async () => {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      await until('it is known', async () => (await state()).unreachable !== undefined);
    };
    await setFaults([away('/v1/*'), away('/oauth/token')]);
    await lose();
    const { texts } = await errorsDuring(async () => {
      await vscode.commands.executeCommand(commands.connectionRetry);
    });
    const { kind, models, unreachable } = await state();
    assert.deepEqual([kind, models], ['connected', 2]);
    assert.match(unreachable ?? '', /503/);
    assert.deepEqual(texts, [
      `The service is not available. You are seeing earlier data. ${String(unreachable)}`,
    ]);
    await setFaults([]);
    await until('it is back', async () => (await state()).unreachable === undefined);
    assert.equal((await state()).kind, 'connected');
    // Refused credentials end the connection, also while the service is away.
    await setFaults([away('/v1/*')]);
    await lose();
    process.env[secretVariable] = 'wrong';
    await errorsDuring(async () => {
      await vscode.commands.executeCommand(commands.connectionRetry);
      assert.deepEqual([(await state()).kind, (await state()).failure], ['failed', 'secret']);
    });
  });

  test('a refresh that fails says so, with remedies, and keeps the earlier data', async () => {
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
    await setFaults([away('/v1/*')]);
    for (const [command, what] of [
      [commands.savedQueriesRefresh, 'The saved queries could not be read:'],
      [commands.modelsRefresh, 'The models could not be read:'],
    ] as const) {
      const { texts, buttons } = await errorsDuring(async () => {
        await vscode.commands.executeCommand(command);
      });
      assert.equal(texts.length, 1, texts.join('\n'));
      assert.ok(texts[0]?.startsWith(`${what} `), texts[0]);
      assert.match(texts[0] ?? '', /503/);
      assert.deepEqual(buttons[0]?.slice(0, 2), ['Try Again', 'Test Connection']);
    }
    assert.deepEqual([(await state()).kind, (await state()).models], ['connected', 2]);
    await until('it is known', async () => (await state()).unreachable !== undefined);
    const before = (await requestsTo('/v1/query/saved-queries')).length;
    await setFaults([]);
    await until(
      'the list is read again',
      async () => (await requestsTo('/v1/query/saved-queries')).length > before,
    );
    await until(
      'the models are read again',
      async () =>
        (await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent)).message === undefined,
    );
  });

  test('the Models view says that a refused refresh left earlier data', async () => {
    await connect(connectionName);
    const shown = () => vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
    const refresh = () => vscode.commands.executeCommand(commands.modelsRefresh);
    const answer = { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '600' } as const;
    await setFaults([{ path: '/v1/schema/*', always: answer }]);
    await errorsDuring(async () => {
      await refresh();
    });
    assert.match(
      (await shown()).message ?? '',
      /^Not refreshed: you are seeing earlier data\. The service limits requests\. Try again in 10 minutes/,
    );
    assert.equal((await shown()).models?.length, 2);
    await setFaults([]);
    await refresh();
    assert.equal((await shown()).message, undefined);
  });

  test('above the models, a refusal says in few words what may not be done', async () => {
    await setFaults([
      { path: '/v1/schema/models', always: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
    ]);
    const failure = answerMessages('showErrorMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.modelsRefresh);
      const { message } = await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
      assert.equal(
        message,
        'Not refreshed: you are seeing earlier data. This client may not do this: GET /v1/schema/models (403).',
      );
    } finally {
      failure.dispose();
      await setFaults([]);
      await vscode.commands.executeCommand(commands.modelsRefresh);
    }
  });

  test('a run or a command after a failed attempt connects first', async () => {
    await edit('SELECT 1 AS later');
    await failToConnect(false);
    const before = (await requestsTo('/v1/schema/models')).length;
    await run();
    const { message } = await stateOf('disconnected');
    assert.match(message, /^Not connected to /);
    assert.ok((await requestsTo('/v1/schema/models')).length > before, 'the service was not requested');
    await setFaults([]);
    await vscode.commands.executeCommand(commands.runAgain);
    assert.equal((await stateOf('rows')).columns[0]?.name, 'later');
    await edit('SELECT 2 AS at_once');
    await failToConnect();
    await run();
    assert.equal((await stateOf('rows')).columns[0]?.name, 'at_once');
    await edit('SELECT :one::int AS all_of_them');
    await failToConnect();
    await vscode.commands.executeCommand(commands.queryRunAll);
    await stateOf('parameters');
    assert.equal((await state()).kind, 'connected');
    await vscode.commands.executeCommand(commands.parametersSubmit, { one: '1' });
    assert.equal((await stateOf('rows')).columns[0]?.name, 'all_of_them');
    await failToConnect();
    const { texts } = await errorsDuring(async () => {
      await vscode.commands.executeCommand(commands.modelsRefresh);
    });
    assert.deepEqual([(await state()).kind, texts], ['connected', []]);
  });

  test('refused credentials are not tried again by a run', async () => {
    await edit('SELECT 1 AS refused');
    await setConnections([setting('Refused', { secretVariable })]);
    process.env[secretVariable] = 'wrong';
    await errorsDuring(async () => {
      await connect('Refused');
      assert.equal((await settled()).failure, 'secret');
    });
    const before = (await requestsTo('/oauth/token')).length;
    await run();
    assert.equal((await stateOf('disconnected')).remedy, 'Enter Client Secret...');
    assert.equal((await requestsTo('/oauth/token')).length, before);
    const { texts, buttons } = await errorsDuring(async () => {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    });
    assert.equal(texts.length, 1);
    assert.match(texts[0] ?? '', /^Not connected to Refused\. Sign-in failed: /);
    assert.deepEqual(buttons, [['Enter Client Secret...', 'Connect Again']]);
  });

  test('a run that works ends the outage at once, and the results of it say so', async () => {
    await connect(connectionName);
    assert.equal((await settled()).kind, 'connected');
    const second = await edit('SELECT 2 AS second');
    const first = await edit('SELECT 1 AS first');
    await setFaults([away('/v1/*')]);
    await run();
    await stateOf('failed');
    await errorsDuring(async () => {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    });
    await until('it is known', async () => (await state()).unreachable !== undefined);
    await setFaults([]);
    const lists = async () => (await requestsTo('/v1/query/saved-queries')).length;
    const before = await lists();
    await vscode.window.showTextDocument(second.document, { preview: false });
    await run();
    assert.equal((await stateOf('rows')).columns[0]?.name, 'second');
    assert.equal((await state()).unreachable, undefined);
    await until('the view is read again', async () => (await lists()) > before);
    await vscode.window.showTextDocument(first.document, { preview: false });
    assert.equal((await stateOf('failed')).isBack, true);
  });

  test('a window that gets the focus looks at once whether the service is back', async () => {
    const focus = new vscode.EventEmitter<vscode.WindowState>();
    const { onDidChangeWindowState } = vscode.window;
    Object.assign(vscode.window, { onDidChangeWindowState: focus.event });
    const log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
    const secret = process.env['IDENTITY_QUERIES_CLIENT_SECRET'] ?? '';
    const session = new Session({
      log,
      secrets: { require: () => Promise.resolve(secret) } as unknown as SecretStore, // all that it uses
      settings: () => ({ connections: [], problems: [] }),
      userAgent: 'tests',
      memory: memoryAt(tmpdir()),
    });
    try {
      assert.equal((await session.connect(profileOf(setting('Focus')))).kind, 'connected');
      await setFaults([away('/v1/*')]);
      await assert.rejects(session.refreshModels());
      await until('it is known', () => session.away !== undefined);
      await setFaults([]);
      const endedAt = performance.now();
      await until('it is back', () => {
        focus.fire({ focused: true, active: true });
        return session.away === undefined;
      });
      const tookMs = performance.now() - endedAt;
      assert.ok(tookMs < 4_000, `after ${tookMs} ms, not the 5 s without a reason`);
    } finally {
      Object.assign(vscode.window, { onDidChangeWindowState });
      session.dispose();
      focus.dispose();
    }
  });

  test('a refused run says so, offers the remedy first, and leaves the earlier models', async () => {
    await edit('SELECT 1 AS refused');
    await setConnections([setting('Ended', { secretVariable })]);
    const refusals: readonly (readonly [Faults['rules'][number], string, string])[] = [
      [
        { path: executePath, always: { kind: 'status', status: 401 } },
        'Edit Connection...',
        commands.connectionEdit,
      ],
      [
        { path: executePath, script: [{ kind: 'expire-tokens' }] },
        'Enter Client Secret...',
        commands.connectionUpdateSecret,
      ],
    ];
    const signIn = async () => {
      process.env[secretVariable] = process.env['IDENTITY_QUERIES_CLIENT_SECRET'];
      await connect('Ended');
      assert.equal((await settled()).kind, 'connected');
    };
    // The query belongs to another connection, which is asked about once.
    await signIn();
    await run();
    await stateOf('question');
    await vscode.commands.executeCommand(commands.runAnyway);
    await stateOf('rows');
    for (const [fault, title, command] of refusals) {
      await signIn();
      const shown = async () => await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
      await until('the models are read', async () => (await shown()).models?.length === 2);
      await setFaults([fault]);
      if (command === commands.connectionUpdateSecret) process.env[secretVariable] = 'wrong';
      await errorsDuring(async () => {
        await run();
        const { failure } = await stateOf('failed');
        assert.deepEqual([failure.fault, failure.nextStep?.title], ['sign-in', title]);
        assert.equal(failure.nextStep?.command, command);
      });
      assert.equal((await state()).failure, 'secret');
      const before = (await requestsTo('/oauth/token')).length;
      await run();
      assert.equal((await stateOf('disconnected')).remedy, title);
      assert.equal((await requestsTo('/oauth/token')).length, before);
      await until('the view says so', async () => {
        const { models, message } = await shown();
        return models?.length === 2 && message?.endsWith('You are seeing earlier data.') === true;
      });
      await setFaults([]);
    }
  });

  test('a save after a failed attempt connects first, or says that the text is kept', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    const save = () => vscode.commands.executeCommand(commands.savedQuerySave);
    await replaceAll(document, 'SELECT 2');
    await failToConnect(false);
    const { texts, buttons } = await errorsDuring(async () => {
      await save();
    });
    assert.equal(texts.length, 1);
    const kept = `"${query.name}" was not saved: the service is not available. Your text is kept here; save again later. Not connected to ${connectionName}. `;
    assert.ok(texts[0]?.startsWith(kept), texts[0]);
    assert.deepEqual(buttons, [['Connect Again']]);
    await assert.rejects(
      async () => await vscode.workspace.fs.writeFile(uriOf(query), new TextEncoder().encode('SELECT 2')),
      /was not saved: the service is not available\. Your text is kept here/,
    );
    assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    await setFaults([]);
    await save();
    assert.equal(document.isDirty, false);
    assert.equal((await colleague.savedQueries.get(query.query_id)).query_string, 'SELECT 2');
  });

  test('a refused save says what was not saved, that the text is kept, and offers to try again', async () => {
    const refusals = [
      { kind: 'status', status: 403, code: 'FORBIDDEN' },
      { kind: 'html' },
      { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '600' },
    ] as const;
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    for (const always of refusals) {
      await setFaults([{ method: 'PUT', path: '/v1/query/saved-queries/*', always }]);
      const { texts, buttons } = await errorsDuring(async () => {
        await vscode.commands.executeCommand(commands.savedQuerySave);
      });
      assert.ok(texts[0]?.includes(`"${query.name}"`), texts[0]);
      assert.match(texts[0] ?? '', /Your text is kept here/);
      assert.equal(buttons[0]?.[0], 'Try Again', JSON.stringify([texts, buttons]));
      await setFaults([]);
    }
    assert.equal(document.isDirty, true);
    await vscode.commands.executeCommand(commands.savedQuerySave);
    assert.equal(document.isDirty, false);
  });

  test('Try Again of a failed save means its query, and saves nothing twice', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await setFaults([
      {
        method: 'PUT',
        path: '/v1/query/saved-queries/*',
        always: { kind: 'status', status: 403, code: 'FORBIDDEN' },
      },
    ]);
    const pressed = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<true>();
    const answers = answerMessages('showErrorMessage', (buttons) => {
      asked.resolve(true);
      return buttons[0] === 'Try Again' ? pressed.promise : undefined;
    });
    try {
      await vscode.commands.executeCommand(commands.savedQuerySave);
      await asked.promise;
      await setFaults([]);
      await vscode.commands.executeCommand(commands.savedQuerySave);
      assert.equal(document.isDirty, false);
      const other = await open(await createQuery(colleague, 'SELECT 3'));
      await replaceAll(other, 'SELECT 4');
      const said = statusMessages();
      try {
        pressed.resolve('Try Again');
        await until('it is said', () => said.texts.length > 0);
        assert.equal(said.texts[0], `$(check) "${query.name}" has no unsaved changes.`);
      } finally {
        said.dispose();
      }
      assert.equal(other.isDirty, true, 'the active query was not meant');
      assert.equal((await colleague.savedQueries.get(query.query_id)).version, 2);
    } finally {
      answers.dispose();
    }
  });

  test('a save without sign-in says that the text is kept', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await vscode.commands.executeCommand(commands.connectionDisconnect);
    const { texts } = await errorsDuring(async () => {
      await vscode.commands.executeCommand(commands.savedQuerySave);
    });
    assert.deepEqual(texts, [
      `"${query.name}" was not saved. Your text is kept here; save again. This query belongs to ${connectionName}. Connect to it, then try again.`,
    ]);
    assert.equal(document.getText(), 'SELECT 2');
  });

  test('a refused scope offers to edit the connection', async () => {
    await setConnections([setting('Elsewhere', { baseUrl: 'https://no-such-host.invalid', secretVariable })]);
    const { texts, buttons } = await errorsDuring(async () => {
      await connect('Elsewhere');
    });
    const { failure, reason } = await settled();
    assert.equal(failure, 'scope');
    assert.match(reason ?? '', /invalid_scope/);
    assert.equal(texts.length, 1);
    assert.deepEqual(buttons, [['Edit Connection...', 'Test Connection', 'Connect Again']]);
  });
});
