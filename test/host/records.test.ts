/** Collections in the result panel and records as documents, in a real editor with a real service. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { dayText } from '#base/words/moment-text.ts';
import { commands } from '#client/contributions.ts';
import { RecordsTree } from '#client/features/records/records-tree.ts';
import type { ConnectionState } from '#client/session/session.ts';
import type { ResultView } from '#panel-protocol/messages.ts';
import { current, executePath, run, stateOf } from './run-support.ts';
import {
  answerMessages,
  answerPrompts,
  draft,
  openRecord,
  playQuestion,
  setFaults,
  until,
  useService,
  withFolder,
} from './support.ts';

/** Waits until the displayed result meets a condition, and returns its state. */
async function resultWith(what: string, condition: (view: ResultView) => boolean): Promise<ResultView> {
  let found: ResultView | undefined;
  await until(what, async () => {
    const view = await current();
    found = view !== undefined && condition(view) ? view : undefined;
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}

const isComplete = ({ state }: ResultView) => state.kind === 'rows' && state.loading.kind === 'none';

suite('records', () => {
  const { colleague } = useService();

  test('a collection opens in the result panel, page by page', async () => {
    await vscode.commands.executeCommand(commands.recordsOpen, {
      kind: 'collection',
      collection: 'accounts',
    });
    const { header, state } = await resultWith(
      'accounts are shown',
      (view) => view.header.title === 'Accounts' && isComplete(view),
    );
    assert.ok(state.kind === 'rows');
    assert.equal(state.rowCount, 200);
    assert.equal(state.extent, 'more');
    assert.deepEqual(
      state.columns.slice(0, 3).map(({ name }) => name),
      ['alias', 'displayName', 'email'],
    );
    assert.equal(header.origin, 'rows');
  });

  test('activities are shown for a window of 30 days, and for earlier ones', async () => {
    await vscode.commands.executeCommand(commands.recordsOpen, 'activities');
    const { header } = await resultWith(
      'activities are shown',
      (view) => view.header.title === 'Activities' && isComplete(view),
    );
    assert.equal(header.facts?.length, 1);
    assert.deepEqual(
      header.steps?.map(({ title }) => title),
      ['Previous Window', 'Filter...', 'Stream to File...'],
    );
  });

  test('with a filter, the first choices are all instances and the last 30 days', async () => {
    await answerPrompts('accept', vscode.commands.executeCommand(commands.recordsOpenFiltered, 'activities'));
    const { header } = await resultWith(
      'activities are shown',
      (view) => view.header.title === 'Activities' && isComplete(view),
    );
    const first = dayText(Date.now() - 30 * 24 * 60 * 60_000);
    assert.deepEqual(
      header.facts?.map(({ text }) => text.startsWith(first)),
      [true],
    );
  });

  test('the panel shows why a list failed, or that the service does not have it', async () => {
    await setFaults([{ path: '/v1/roles', always: { kind: 'status', status: 404 } }]);
    await vscode.commands.executeCommand(commands.recordsOpen, 'roles');
    const { state } = await resultWith(
      'the failure is shown',
      (view) => view.header.title === 'Roles' && view.state.kind === 'failed',
    );
    assert.ok(state.kind === 'failed');
    assert.match(state.failure.message, /has no list of Roles\. Open single records by their global ID/);
    assert.equal(state.failure.nextStep?.command, commands.openById, 'what it advises has a button');
  });

  test('the row of a collection that turns out to have no list says so', () => {
    const state = { kind: 'connected', client: colleague } as ConnectionState; // all that the tree reads
    const session = { state, onDidChangeState: () => new vscode.Disposable(() => undefined) };
    const tree = new RecordsTree(session, { debug() {}, info() {}, warn() {}, error() {} });
    const row = () => tree.getTreeItem({ kind: 'collection', collection: 'roles' });
    const { description } = row();
    tree.noteMissing('roles', true);
    assert.equal(row().description, 'no list on this service');
    tree.noteMissing('roles', false);
    assert.equal(row().description, description);
    tree.dispose();
  });

  test('a rate limit delays a record: its document shows until when, and then continues', async () => {
    const [account, other] = (await colleague.accounts.list()).items;
    assert.ok(account && other);
    // From then on, nothing is asked about how this service takes values.
    await openRecord(other.globalId);
    const limited = { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '1' } as const;
    // Delay the first lookup and the document's request, but not the two queries in between.
    await setFaults([{ path: executePath, script: [limited, { kind: 'pass' }, { kind: 'pass' }, limited] }]);
    const first: string[] = [];
    const listener = vscode.workspace.onDidOpenTextDocument((document) => first.push(document.getText()));
    try {
      await vscode.commands.executeCommand(commands.recordOpenById, account.globalId);
    } finally {
      listener.dispose();
    }
    assert.match(first.join(), /The service limits requests\. Retrying at /);
    const document = vscode.window.activeTextEditor?.document;
    await until(
      'the record is there',
      () => document?.getText().startsWith(`# Account: ${account.alias}`) === true,
    );
  });

  test('a record seen before is named if it cannot be opened', async () => {
    const [account] = (await colleague.accounts.list()).items;
    assert.ok(account);
    await openRecord(account.globalId);
    const refused = { kind: 'status', status: 403, code: 'FORBIDDEN' } as const;
    await setFaults([{ path: executePath, always: refused }]);
    const messages = answerMessages('showErrorMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.recordOpenById, account.globalId);
      assert.ok(
        messages.texts[0]?.startsWith(`Account "${account.alias}" could not be opened: `),
        messages.texts[0],
      );
    } finally {
      messages.dispose();
    }
  });

  test('a whole collection is written to a file, page by page, with nothing missing', async () => {
    await withFolder(async (folder) => {
      const uri = vscode.Uri.file(path.join(folder, 'accounts.jsonl'));
      await vscode.commands.executeCommand(commands.recordsStreamToFile, {
        collection: 'accounts',
        filter: {},
        format: 'jsonl',
        uri,
      });
      const lines = (await readFile(uri.fsPath, 'utf8')).trimEnd().split('\n');
      const ids = new Set(lines.map((line) => (JSON.parse(line) as { globalId: string }).globalId)); // our own output
      let count = 0;
      for await (const account of colleague.accounts.listAll()) {
        count += 1;
        assert.ok(ids.has(account.globalId));
      }
      assert.equal(lines.length, count);
    });
  });

  test('Try Again writes the same collection to the same file, without asking again', async () => {
    await withFolder(async (folder) => {
      const uri = vscode.Uri.file(path.join(folder, 'accounts.tsv'));
      const titles: string[] = [];
      const saveDialog = vscode.window.showSaveDialog.bind(vscode.window);
      Object.assign(vscode.window, {
        showSaveDialog: () => {
          titles.push('file');
          return Promise.resolve(uri);
        },
      });
      const played = [
        playQuestion('showQuickPick', (items: readonly { label: string }[], { title }: { title: string }) => {
          titles.push(title);
          return items.find(({ label }) => label === 'TSV') ?? items[0];
        }),
        playQuestion('showErrorMessage', async (_: string, ...buttons: readonly string[]) => {
          await setFaults([]);
          return buttons.find((button) => button === 'Try Again');
        }),
      ];
      try {
        const refused = { kind: 'status', status: 403, code: 'FORBIDDEN' } as const;
        await setFaults([{ path: '/v1/accounts', script: [{ kind: 'pass' }, refused] }]);
        await vscode.commands.executeCommand(commands.recordsStreamToFile, {
          collection: 'accounts',
          filter: {},
        });
        await until('the file is written', () => existsSync(uri.fsPath));
        assert.deepEqual(titles, ['Export Rows: Format', 'file']);
      } finally {
        for (const one of played) one.dispose();
        Object.assign(vscode.window, { showSaveDialog: saveDialog });
      }
    });
  });

  test('a record opens by its global ID: as text with links in both directions, as JSON, and refreshed', async () => {
    const { items } = await colleague.accounts.list({ pageSize: 1 });
    const account = items[0];
    assert.ok(account);
    const document = await openRecord(account.globalId);
    assert.match(document.getText(), new RegExp(`^# Account: ${account.alias}`));
    assert.match(document.getText(), /Referred to by\n#\s+\d+ {2}\w/);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
      100,
    );
    assert.ok(links.some(({ target }) => target?.path === commands.recordReferring));
    // The service cannot read an account by ID, so the text explains how this one was read.
    assert.match(document.lineAt(1).text, /^# Read with SQL/);
    const field = document
      .getText()
      .split('\n')
      .findIndex((line) => /^\w+:.* # /.test(line));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(field, 1),
    );
    assert.ok(hovers.length > 0);
    await vscode.commands.executeCommand(commands.reload);
    await vscode.commands.executeCommand(commands.recordShowJson);
    await until('its JSON is in front', () => vscode.window.activeTextEditor?.document.languageId === 'json');
    const record = JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? '') as {
      globalId?: unknown;
    }; // our own output
    assert.equal(record.globalId, account.globalId);
  });

  test('a back reference opens the records that refer to it', async () => {
    const { items } = await colleague.activities.list({ pageSize: 1 });
    const globalId = items[0]?.globalActorAccountId;
    assert.ok(globalId);
    await vscode.commands.executeCommand(commands.recordReferring, {
      globalId,
      collection: 'activities',
      field: 'globalActorAccountId',
    });
    const { state } = await resultWith(
      'activities of the account',
      (view) => view.header.facts?.[0]?.text === globalId && isComplete(view),
    );
    assert.ok(state.kind === 'rows' && state.rowCount > 0);
  });

  test('an ID that appears only in other records is reported as such, and so is an unknown ID', async () => {
    const messages: string[] = [];
    const played = playQuestion('showErrorMessage', (message: string, ...buttons: string[]) => {
      messages.push([message, ...buttons].join(' | '));
    });
    try {
      const [assignment] = (await colleague.accessAssignments.list({ pageSize: 1 })).items;
      await vscode.commands.executeCommand(commands.recordOpenById, assignment?.globalAssignedObjectId);
      await vscode.commands.executeCommand(commands.recordOpenById, '00000000-0000-4000-8000-000000000000');
    } finally {
      played.dispose();
    }
    assert.match(messages[0] ?? '', /other records refer to it [\d,]+ times\. \| Show .* by global/);
    assert.match(messages[1] ?? '', /No record has the global ID "0{8}-/);
  });

  test('a row without an ID says what to add to the query, even if a cell could be an ID', async () => {
    const answers = answerMessages('showErrorMessage', () => undefined);
    try {
      await draft("SELECT 'erin.ito894' AS alias, 'Erin Ito' AS name");
      await run();
      assert.equal((await stateOf('rows')).rowCount, 1);
      await vscode.commands.executeCommand(commands.recordOpenSelected);
      await vscode.commands.executeCommand(commands.changesOfSelection);
      await draft('SELECT no_such_column FROM accounts');
      await run();
      await stateOf('failed');
      await vscode.commands.executeCommand(commands.recordOpenSelected);
    } finally {
      answers.dispose();
    }
    assert.deepEqual(answers.texts, [
      'This row has no global ID. Add a column such as "global_id" to the query, and run it again.',
      'The selected rows contain no global IDs. Add a column such as "global_id" to the query, and run it again.',
      'Select rows in the result panel first.',
    ]);
  });

  test('an ID in a record is a link to the record that it names', async () => {
    const { items } = await colleague.activities.list({ pageSize: 1 });
    const [activity] = items;
    assert.ok(activity?.globalActorAccountId);
    const document = await openRecord(activity.globalId);
    const at = document.positionAt(document.getText().indexOf(activity.globalActorAccountId) + 3);
    const places = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at,
    );
    assert.ok(places.some(({ uri }) => uri.authority.includes('.accounts.')));
  });

  test('an ID in a query shows its record, and links to it', async () => {
    const { items } = await colleague.roles.list({ pageSize: 1 });
    const role = items[0];
    assert.ok(role);
    const document = await draft(`SELECT * FROM roles WHERE global_id = '${role.globalId}'`);
    const position = new vscode.Position(0, 45);
    await until('the hover names the role', async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        position,
      );
      return hovers.some(({ contents }) =>
        contents.some(
          (content) => content instanceof vscode.MarkdownString && content.value.includes('**Role**'),
        ),
      );
    });
    const places = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      position,
    );
    assert.ok(places.some(({ uri }) => uri.scheme === 'identity-record'));
  });
});
