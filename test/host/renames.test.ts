/** Open queries during renames: of their connection in the settings, and of the query itself by a colleague. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import type { StateSnapshot } from '#client/features/connection/index.ts';
import { parseSavedQueryUri } from '#client/features/saved-queries/records/saved-query-uri.ts';
import type { ConnectionSetting } from '#core/connections/parse-connection.ts';
import { current, stateOf } from './run-support.ts';
import {
  answerMessages,
  answerPrompts,
  connectionName,
  connectionSetting as setting,
  createQuery,
  open,
  replaceAll,
  saveMeanwhile,
  statusMessages,
  until,
  uriOf,
  useSaving,
  useService,
} from './support.ts';

const run = <T>(command: string, ...args: unknown[]) => vscode.commands.executeCommand<T>(command, ...args);
const unique = (what: string) => `${what} ${crypto.randomUUID()}`;
const active = () => vscode.window.activeTextEditor?.document;
const state = () => run<StateSnapshot>(commands.connectionState);

/** Returns the connection and name of each tab, taken from its URI. */
const tabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input }) => {
      if (!(input instanceof vscode.TabInputText)) return [];
      const connection = parseSavedQueryUri(input.uri)?.connection ?? '';
      return [`${connection}: ${input.uri.path.slice(1).replace('.identity.sql', '')}`];
    })
    .toSorted();

/** Waits until exactly these tabs are open. */
async function untilTabs(...expected: readonly string[]): Promise<void> {
  const wanted = expected.toSorted();
  try {
    await until('the tabs have their new names', () => tabs().join('\n') === wanted.join('\n'));
  } finally {
    assert.deepEqual(tabs(), wanted);
  }
}

suite('a connection that is renamed in the settings', () => {
  const { colleague, saved } = useSaving();
  const setConnections = async (value: readonly unknown[] | undefined) =>
    await vscode.workspace
      .getConfiguration()
      .update('identityQueries.connections', value, vscode.ConfigurationTarget.Global);
  /**
   * Returns a connection with a different token address for the same service, so no other connection shares its
   * secret.
   */
  const own = (name: string): ConnectionSetting => {
    const { authUrl } = setting(name);
    return setting(name, { authUrl: authUrl.replace('127.0.0.1', 'localhost') });
  };
  const settled = async (kind: string) => {
    await until(`the connection is ${kind}`, async () => (await state()).kind === kind);
    return await state();
  };
  /** Connects with a secret that is only in the secret storage. */
  const connectOwn = async (name: string, ...beside: readonly ConnectionSetting[]) => {
    const clientSecret = process.env['IDENTITY_QUERIES_CLIENT_SECRET'] ?? '';
    await setConnections([{ ...own(name), clientSecret }, ...beside]);
    await run(commands.connectionMoveSecrets);
    await run(commands.connectionConnect, name);
    assert.equal((await settled('connected')).name, name);
  };
  const openHere = async (query: SavedQuery) => {
    await run(commands.savedQueryOpenById, query.query_id);
    await run('workbench.action.keepEditor');
    const document = active();
    assert.ok(document);
    return document;
  };
  /** Connects under this name, and opens a new query with unsaved edits. */
  const editOver = async (name: string, ...beside: readonly ConnectionSetting[]) => {
    const query = await createQuery(colleague, 'SELECT 1');
    await connectOwn(name, ...beside);
    const document = await openHere(query);
    await replaceAll(document, 'SELECT 2');
    return { query, document };
  };

  teardown(async () => {
    await setConnections(undefined);
    await run(commands.connectionConnect, connectionName);
    assert.equal((await settled('connected')).name, connectionName);
  });

  test('open queries keep their edits and versions, and can be saved without entering the secret again', async () => {
    const [before, after] = [unique('Before'), unique('After')];
    const [edited, clean] = [await createQuery(colleague, 'SELECT 1'), await createQuery(colleague)];
    await connectOwn(before);
    await openHere(clean);
    await replaceAll(await openHere(edited), 'SELECT 2');
    await run(commands.savedQueryFavourite, { queryId: edited.query_id });
    await setConnections([own(after)]);
    await untilTabs(`${after}: ${clean.name}`, `${after}: ${edited.name}`);
    const document = active();
    assert.deepEqual([document?.isDirty, document?.getText()], [true, 'SELECT 2']);
    assert.deepEqual([(await state()).kind, (await state()).name], ['connected', after]);
    assert.equal(await document?.save(), true);
    assert.deepEqual(await saved(edited), [2, 'SELECT 2']);
    await run(commands.connectionDisconnect);
    await run(commands.connectionConnect, after); // a prompt here would hang the test
    assert.equal((await settled('connected')).name, after);
    assert.deepEqual(tabs().length, 2);
  });

  test('a newer version that an earlier save found still blocks afterwards', async () => {
    const [before, after] = [unique('Before'), unique('After')];
    const { query } = await editOver(before);
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 5' });
    await setConnections([own(after)]);
    await untilTabs(`${after}: ${query.name}`);
    assert.equal(await active()?.save(), false);
    assert.equal(active()?.getText(), 'SELECT 2');
    assert.deepEqual(await saved(query), [2, 'SELECT 5'], 'theirs is not replaced unseen');
  });

  test('a query in conflict stays where it is, and leads there from anywhere', async () => {
    const [before, after] = [unique('Before'), unique('After')];
    const { query, document } = await editOver(before);
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 5' });
    assert.equal(await document.save(), false);
    await setConnections([own(after)]);
    await until('the new name is taken up', async () => (await state()).name === after);
    const found = await run<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', query.name);
    assert.deepEqual(
      found.map(({ location }) => location.uri.toString()),
      [document.uri.toString()],
    );
    await run(commands.savedQueryOpenById, query.query_id);
    await untilTabs(`${before}: ${query.name}`);
    assert.equal(active(), document);
  });

  test('open queries keep their edits while disconnected, and while the settings are being edited', async () => {
    const [before, after] = [unique('Before'), unique('After')];
    const { query } = await editOver(before);
    await run(commands.connectionDisconnect);
    await setConnections([]);
    await setConnections([own(`${before} A`)]);
    await setConnections([own(after), setting('Beside', { clientId: 'somebody else' })]);
    await untilTabs(`${after}: ${query.name}`);
    assert.equal(active()?.getText(), 'SELECT 2');
    await run(commands.connectionConnect, after);
    assert.equal((await settled('connected')).name, after);
    assert.equal(await active()?.save(), true);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('a query in a comparison stays in it, and saves from there', async () => {
    const [before, after] = [unique('Before'), unique('After')];
    const { query, document } = await editOver(before);
    await run(commands.savedQueryCompareWithNewest, document.uri);
    await setConnections([own(after)]);
    await until('the new name is taken up', async () => (await state()).name === after);
    await run(commands.savedQuerySave, document.uri);
    assert.equal(document.isDirty, false);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('if the connection is gone, a save suggests saving as a new query on the current one', async () => {
    const gone = unique('Gone');
    const { query, document } = await editOver(gone, setting('Beside', { clientId: 'somebody else' }));
    await setConnections([setting('Beside', { clientId: 'somebody else' })]);
    await run(commands.connectionConnect, connectionName);
    await settled('connected');
    const buttons: string[] = [];
    const told = answerMessages('showErrorMessage', (offered) => {
      buttons.push(...offered);
      return offered[0];
    });
    try {
      await answerPrompts(
        'accept',
        (async () => {
          await run(commands.savedQuerySave, document.uri);
          await until('it is a new query', () => tabs().some((tab) => tab.startsWith(`${connectionName}: `)));
        })(),
      );
    } finally {
      told.dispose();
    }
    assert.match(
      told.texts[0] ?? '',
      new RegExp(`^The connection "${gone}" of this query no longer exists.*Your text stays here`),
    );
    assert.deepEqual(buttons, [`Save as New Query on ${connectionName}`, 'Add Connection']);
    await until('only the new one is left', () => tabs().length === 1);
    assert.deepEqual([active()?.getText(), active()?.isDirty], ['SELECT 2', false]);
    assert.deepEqual(await saved(query), [1, 'SELECT 1']);
  });

  test('a connection that is added again gets its edits back, under any name', async () => {
    const [gone, again] = [unique('Gone'), unique('Again')];
    const { query, document } = await editOver(gone);
    await setConnections([]);
    await run(commands.connectionConnect, connectionName);
    await settled('connected');
    const told = answerMessages('showErrorMessage', () => undefined);
    try {
      await run(commands.savedQuerySave, document.uri);
    } finally {
      told.dispose();
    }
    assert.equal(told.texts.length, 1);
    assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    await setConnections([own(again)]);
    await untilTabs(`${again}: ${query.name}`);
    await run(commands.connectionConnect, again);
    await settled('connected');
    assert.equal(await active()?.save(), true);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test("a name that now belongs to another service does not get this one's edits", async () => {
    const name = unique('Moved');
    const { query, document } = await editOver(name);
    await run(commands.connectionDisconnect);
    const secretVariable = 'IDENTITY_QUERIES_CLIENT_SECRET';
    await setConnections([setting(name, { baseUrl: 'https://no-such-host.invalid', secretVariable })]);
    await run(commands.connectionConnect, name);
    await settled('failed');
    const told = answerMessages('showErrorMessage', () => undefined);
    try {
      await run(commands.savedQuerySave, document.uri);
    } finally {
      told.dispose();
    }
    assert.match(told.texts[0] ?? '', /now connects to a different service.*Your text stays here/);
    assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    await setConnections([own(name)]);
    await run(commands.connectionConnect, name);
    await settled('connected');
    assert.equal(await document.save(), true);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('deleting one of two connections that share a secret keeps the secret', async () => {
    const [copy, original] = [unique('Copy'), unique('Original')];
    await connectOwn(original, own(copy));
    const question = answerMessages('showWarningMessage', (buttons) => buttons.at(-1));
    try {
      await run(commands.connectionDelete, original);
    } finally {
      question.dispose();
    }
    await run(commands.connectionConnect, copy); // a prompt here would hang the test
    assert.equal((await settled('connected')).name, copy);
  });
});

suite('a query that a colleague renames', () => {
  const { colleague } = useService();
  const newest = (query: SavedQuery) => colleague.savedQueries.get(query.query_id);
  const named = (name: string) => [`${connectionName}: ${name}`];
  /** Saves a colleague's rename, and waits until the tab has the new name. */
  const colleagueRenames = async (query: SavedQuery) => {
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name });
    await run(commands.savedQueriesRefresh);
    await untilTabs(...named(name));
    return name;
  };

  /** Refreshes the list, and waits until a tab with edits, which keeps its name, has told the new one. */
  const refreshTells = async ({ name: before }: SavedQuery, name: string) => {
    const said = statusMessages();
    try {
      await run(commands.savedQueriesRefresh);
      const message = `$(sync) "${before}" is now named "${name}". The tab has the old name until you save.`;
      await until('the new name is told', () => said.texts.includes(message));
    } finally {
      said.dispose();
    }
  };

  teardown(async () => {
    await run('notifications.clearAll');
  });

  test('a tab without edits has the new name after a refresh, and saves under it', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await open(query);
    const name = await colleagueRenames(query);
    const document = active();
    assert.ok(document);
    await replaceAll(document, 'SELECT 2');
    assert.equal(await document.save(), true);
    const { version, query_string: text, name: kept } = await newest(query);
    assert.deepEqual([version, text, kept], [3, 'SELECT 2', name]);
  });

  test('renamed twice from a diff of its versions, a tab behind the diff has the newest name', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    assert.equal(await document.save(), true);
    await run(commands.savedQueryVersionCompare, { queryId: query.query_id, version: 2, with: 'previous' });
    for (const name of [unique('Renamed'), unique('Renamed again')]) {
      await run(commands.savedQueryRename, { queryId: query.query_id, name });
      await untilTabs(...named(name));
    }
  });

  test('a tab that a comparison with another query kept has the new name once that is closed', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const { uri } = await open(query);
    const other = uriOf(await createQuery(colleague, 'SELECT 2'));
    await run('vscode.diff', uri, other, 'beside', { viewColumn: vscode.ViewColumn.Two, preview: false });
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name });
    // The first finds the name, the others find that it cannot be taken.
    for (let at = 0; at < 3; at += 1) await run(commands.savedQueriesRefresh);
    assert.deepEqual(tabs(), named(query.name));
    const beside = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff);
    await vscode.window.tabGroups.close(beside);
    await untilTabs(...named(name));
  });

  test('reloaded by its old name, the newest version is shown under its new name', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const { uri } = await open(query);
    await colleagueRenames(query);
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' });
    await run(commands.savedQueryReload, uri);
    await until('the newest is shown', () => active()?.getText() === 'SELECT 2');
    const name = unique('Renamed again');
    await saveMeanwhile(colleague, query, { name, query_string: 'SELECT 3' });
    await run(commands.savedQueryReload, uri);
    await untilTabs(...named(name));
    await until('the newest is shown', () => active()?.getText() === 'SELECT 3');
  });

  test('edits keep their tab, undo returns to the saved text, and saved over the new name the tab has it', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name });
    await refreshTells(query, name);
    await run('undo');
    assert.equal(document.getText(), 'SELECT 1');
    await run('redo');
    await untilTabs(...named(query.name));
    assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    assert.equal(await document.save(), true);
    const { version, query_string: text, name: kept } = await newest(query);
    assert.deepEqual([version, text, kept], [3, 'SELECT 2', name]);
    await untilTabs(...named(name));
    assert.deepEqual([active()?.getText(), active()?.isDirty], ['SELECT 2', false]);
  });

  test('undone edits can be done again after the query is renamed here and opened from its row', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await run('undo');
    await until('nothing is unsaved', () => !document.isDirty);
    await run(commands.savedQueryRename, { queryId: query.query_id, name: unique('Renamed') });
    await run(commands.savedQueryOpenById, query.query_id);
    await untilTabs(...named(query.name));
    await run('redo');
    assert.equal(active()?.getText(), 'SELECT 2');
    assert.equal(active()?.uri.toString(), document.uri.toString());
  });

  test('reverted, a tab with edits has the new name', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await replaceAll(await open(query), 'SELECT 2');
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name, query_string: 'SELECT 5' });
    await run(commands.savedQueriesRefresh);
    await run('workbench.action.files.revert');
    await untilTabs(...named(name));
    assert.deepEqual([active()?.getText(), active()?.isDirty], ['SELECT 5', false]);
  });

  test('opened under its new name from anywhere, a query with edits is shown where they are', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await replaceAll(await open(query), 'SELECT 2');
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name });
    await run(commands.savedQueriesRefresh);
    await run(commands.savedQueryOpenById, query.query_id);
    await untilTabs(...named(query.name));
    assert.equal(active()?.getText(), 'SELECT 2');
    await run('vscode.open', uriOf({ ...query, name }), { preview: false });
    await untilTabs(...named(query.name));
    await until('the edits are in front', () => active()?.getText() === 'SELECT 2');
  });

  /** Types into a document as soon as another one appears, while the first keys still go to the old one. */
  const typeWhile = async (old: vscode.TextDocument, exchange: () => Thenable<unknown>) => {
    let typing: Promise<void> | undefined;
    const type = async () => {
      for (const key of '234567890') {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(old.uri, new vscode.Position(0, old.getText().length), key);
        await vscode.workspace.applyEdit(edit);
      }
    };
    const shown = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined && editor.document !== old) typing ??= type();
    });
    try {
      await exchange();
      await until('another document appears', () => typing !== undefined);
      await typing;
    } finally {
      shown.dispose();
    }
  };

  test('what is typed into its old tab while that is let go moves to the new name, too', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await typeWhile(await open(query), () => colleagueRenames(query));
    await until('the keys moved', () => active()?.getText() === 'SELECT 1234567890');
    assert.equal(await active()?.save(), true);
    const { version, query_string: text } = await newest(query);
    assert.deepEqual([version, text], [3, 'SELECT 1234567890']);
  });

  // A key of this test that comes after the old tab is closed opens that again, which none of a keyboard does.
  test('what is typed while a tab gets a newer text and another name goes to the new tab', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const old = await open(query);
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 5' });
    const name = unique('Renamed');
    await typeWhile(old, () => run(commands.savedQueryRename, { queryId: query.query_id, name }));
    const isAt = (uri?: vscode.Uri) =>
      uri !== undefined && uri.toString() === uriOf({ ...query, name }).toString();
    await until('the keys moved', () => isAt(active()?.uri) && active()?.getText() === 'SELECT 5234567890');
    assert.equal(await active()?.save(), true);
    const { version, query_string: text } = await newest(query);
    assert.deepEqual([version, text], [4, 'SELECT 5234567890']);
  });

  test('what is typed into a tab that gives way to one with edits keeps it in front', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await replaceAll(await open(query), 'SELECT 2');
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name });
    const uri = uriOf({ ...query, name });
    const typed = await vscode.workspace.openTextDocument(uri);
    await typeWhile(typed, () => run('vscode.open', uri, { preview: false }));
    await until('every key is in it', () => typed.getText() === 'SELECT 1234567890');
    await until('it is in front', () => active() === typed);
    await untilTabs(...named(query.name), ...named(name));
  });

  test('a result shows the new name of its query, and the next run reuses it', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await open(query);
    await run(commands.queryRun);
    await stateOf('rows');
    const before = await current();
    const name = await colleagueRenames(query);
    await until('the result has the new name', async () => (await current())?.header.title === name);
    assert.equal((await current())?.header.version, 1);
    await run(commands.queryRun);
    await until('the newest version ran', async () => (await current())?.header.version === 2);
    assert.equal((await current())?.id, before?.id);
  });

  test('renamed from a diff of its versions, a query in the background leads its result and the next run', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    assert.equal(await document.save(), true);
    await run(commands.queryRun);
    await stateOf('rows');
    const before = await current();
    await run(commands.savedQueryVersionCompare, { queryId: query.query_id, version: 2, with: 'previous' });
    const name = unique('Renamed');
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    const header = async () => (await current())?.header;
    await until('the result has the new name', async () => (await header())?.title === name);
    await untilTabs(...named(name));
    await open({ ...query, name });
    await run(commands.queryRun);
    await until('the newest version ran', async () => (await header())?.version === 3);
    assert.deepEqual([(await current())?.id, (await header())?.title], [before?.id, name]);
  });

  test('the result of a query whose tab is closed and its groups have the new name, and the next run reuses it', async () => {
    const query = await createQuery(colleague, 'SELECT 1 AS one');
    await open(query);
    await run(commands.queryRun);
    await stateOf('rows');
    const before = await current();
    await run('workbench.action.closeActiveEditor');
    await run(commands.resultsGroup, { by: [{ column: 0 }], measure: { kind: 'count' } });
    assert.deepEqual(tabs(), []);
    const name = unique('Renamed');
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    const title = async () => (await current())?.header.title;
    await until('the groups have the new name', async () => (await title()) === `${name} v1 by one`);
    await open({ ...query, name });
    await until('the result of the query is shown', async () => (await current())?.id === before?.id);
    assert.equal(await title(), name);
    assert.equal((await current())?.header.version, 1);
    await run(commands.queryRun);
    await until('the newest version ran', async () => (await current())?.header.version === 2);
    assert.equal((await current())?.id, before?.id);
    assert.equal(await title(), name);
  });

  test('a tab that becomes active has the new name, and its newer text is offered once', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const { uri } = await open(query);
    await run('workbench.action.closeActiveEditor');
    const document = await vscode.workspace.openTextDocument(uri);
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name, query_string: 'SELECT 5' });
    const told = answerMessages('showInformationMessage', () => undefined);
    try {
      await run(commands.savedQueriesRefresh);
      await vscode.window.showTextDocument(document, { preview: false });
      await untilTabs(...named(name));
      await until('it is told', () => told.texts.length > 0);
      await run(commands.savedQueriesRefresh);
    } finally {
      told.dispose();
    }
    assert.equal(active()?.getText(), 'SELECT 1');
    assert.deepEqual(told.texts.slice(1), []);
    assert.match(told.texts[0] ?? '', new RegExp(`^"${name}" has a newer version`));
  });

  test('edits of an older text still conflict with the newer one', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name, query_string: 'SELECT 5' });
    await refreshTells(query, name);
    assert.equal(await document.save(), false);
    assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    assert.equal((await newest(query)).version, 2);
    await untilTabs(...named(query.name));
  });

  test('a save that finds a new name shows it', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    const name = unique('Renamed');
    await saveMeanwhile(colleague, query, { name });
    await replaceAll(document, 'SELECT 2');
    await run(commands.savedQuerySave, document.uri);
    await untilTabs(...named(name));
    await until('nothing is left to save', () => active()?.isDirty === false);
    assert.equal(active()?.getText(), 'SELECT 2');
    assert.equal((await newest(query)).name, name);
  });
});
