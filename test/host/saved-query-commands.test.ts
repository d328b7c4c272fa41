/** Commands on saved queries, each checked against the service's data and the editor's text. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import { followMeant } from '#client/ui/shown/quick-picks.ts';
import {
  answerMessages,
  answerPrompts,
  closeAllEditors,
  createQuery,
  diffTitles,
  open,
  playQuestion,
  replaceAll,
  requestsTo,
  saveMeanwhile,
  setFaults,
  until,
  uriOf,
  useService,
  statusMessages,
} from './support.ts';

const run = <T>(command: string, ...args: unknown[]) => vscode.commands.executeCommand<T>(command, ...args);
const activeCharacter = () => vscode.window.activeTextEditor?.selection.active.character;
const activeText = () => vscode.window.activeTextEditor?.document.getText();
const tabLabels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);
const collection = '/v1/query/saved-queries';
const path = `${collection}/*`;
const unique = (what: string) => `${what} ${crypto.randomUUID()}`;

suite('commands on saved queries', () => {
  const { colleague } = useService();
  const newest = (query: SavedQuery) => colleague.savedQueries.get(query.query_id);
  const edit = (query: SavedQuery, change: Parameters<typeof saveMeanwhile>[2]) =>
    saveMeanwhile(colleague, query, change);
  /** Confirms the deletion, and ignores the offer to create the query again. */
  const confirmDelete = () => answerMessages('showWarningMessage', (buttons) => buttons.at(-1));
  const remove = (query: SavedQuery) => run(commands.savedQueryDelete, { queryId: query.query_id });
  const isThere = async (query: SavedQuery) =>
    (await Array.fromAsync(colleague.savedQueries.listAll())).some(
      (each) => each.query_id === query.query_id,
    );

  test('rename creates a new version under the new name, which the tab shows', async () => {
    const query = await createQuery(colleague);
    await open(query);
    const name = `Renamed ${crypto.randomUUID()}`;
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.name, saved.query_string], [2, name, query.query_string]);
    assert.deepEqual(tabLabels(), [`${name}.identity.sql`]);
  });

  test('Ctrl+T finds a query by its name; only the path says its folder', async () => {
    const label = unique('Symbol');
    await colleague.savedQueries.create({ name: `Team/${label}`, query_string: 'SELECT 1' });
    await run(commands.savedQueriesRefresh);
    await until('it is found', async () => {
      const found = await run<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', label);
      const own = found.find(({ name }) => name === label);
      return own?.containerName === '' && own.location.uri.path === `/Team/${label}.identity.sql`;
    });
  });

  test('a key in the view acts on the focused row, and a command without any tab on the selected row', async () => {
    const word = crypto.randomUUID();
    const create = (query_string: string, name: string) =>
      colleague.savedQueries.create({ name: `${word} ${name}`, query_string });
    const [selected, focused] = [await create('SELECT 1', 'A'), await create('SELECT 2', 'B')];
    await run(commands.savedQueriesRefresh);
    await run(commands.savedQueriesFilter, word);
    try {
      await until('the selected row is open', async () => {
        await run('identityQueries.savedQueries.focus');
        await run('list.focusLast');
        await run('list.focusUp');
        await run('list.select');
        return activeText() === 'SELECT 1';
      });
      const copied = async (...args: unknown[]) => {
        await vscode.env.clipboard.writeText('');
        await run(commands.savedQueryCopyId, ...args);
        return await vscode.env.clipboard.readText();
      };
      // The query that opens may take the focus after the view.
      await until('the focused row is copied', async () => {
        await run('identityQueries.savedQueries.focus');
        await run('list.focusLast');
        return (await copied({ row: 'focused' })) === focused.query_id;
      });
      // The menu of a row passes the row and the selected ones, or nothing if the editor draws the row again.
      assert.equal(await copied(undefined, undefined), focused.query_id);
      await run('list.focusUp');
      assert.equal(await copied({ row: 'focused' }), selected.query_id);
      assert.equal(await copied(), selected.query_id);
      await closeAllEditors();
      assert.equal(await copied(), selected.query_id);
    } finally {
      await run(commands.savedQueriesClearFilter);
    }
  });

  test('the menu of a version means its row, also while the editor draws the rows again', async () => {
    const word = crypto.randomUUID();
    const query = await colleague.savedQueries.create({ name: word, query_string: 'SELECT 1' });
    await open(await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' }));
    await run(commands.savedQueriesRefresh);
    await run(commands.savedQueriesFilter, word);
    try {
      await until('the row of the first version has the focus', async () => {
        await run('identityQueries.savedQueries.focus');
        await run('list.focusLast');
        await run('list.expand');
        await run('list.focusLast');
        await vscode.env.clipboard.writeText('');
        await run(commands.savedQueryCopyId, { row: 'focused' });
        // A key of the view is for queries, so a version copies nothing.
        if ((await vscode.env.clipboard.readText()) !== '') return false;
        // While the versions are read, no row has the focus, and the command asks: Escape, and try again.
        await answerPrompts('escape', run(commands.savedQueryVersionOpen, undefined, undefined));
        return activeText() === 'SELECT 1';
      });
    } finally {
      await run(commands.savedQueriesClearFilter);
    }
  });

  for (const isEdited of [false, true])
    test(`a comparison with a version moves with every rename, ${isEdited ? 'once its edits are saved' : 'without edits'}`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      assert.equal(await document.save(), true);
      if (isEdited) await replaceAll(document, 'SELECT 3');
      const named = (name: string) =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`${name}.identity.sql`));
      const rename = async (): Promise<string> => {
        const name = unique('Renamed');
        await run(commands.savedQueryRename, { queryId: query.query_id, name });
        return name;
      };
      const isCompared = (name: string) => {
        const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
        const diffs = inputs.filter((input) => input instanceof vscode.TabInputTextDiff);
        return diffs.length === 1 && diffs[0]?.modified.path.endsWith(`${name}.identity.sql`) === true;
      };
      // The version keeps the name from before the first rename.
      let name = await rename();
      await run(commands.savedQueryVersionCompare, { queryId: query.query_id, version: 1, with: 'editor' });
      const shownAs = () => (isEdited ? query.name : name);
      assert.deepEqual(diffTitles(), [`${shownAs()}: version 1 ↔ yours`]);
      for (let times = 0; times < 2; times += 1) {
        name = await rename();
        await until('the comparison has the name of the query', () => isCompared(shownAs()));
        assert.deepEqual(diffTitles(), [`${shownAs()}: version 1 ↔ yours`]);
        const others = tabLabels().filter((label) => !label.includes(shownAs()));
        assert.deepEqual(others, []);
      }
      if (isEdited) {
        assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 3']);
        assert.equal(await document.save(), true);
        await until('the comparison has the new name', () => isCompared(name));
        assert.deepEqual(diffTitles(), [`${name}: version 1 ↔ yours`]);
      }
      const now = named(name);
      assert.equal(now?.getText(), isEdited ? 'SELECT 3' : 'SELECT 2');
      assert.equal(now.isDirty, false);
    });

  test('rename shows open versions and the comparison of two versions under the new name, in place', async () => {
    const query = await createQuery(colleague);
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    assert.equal(await document.save(), true);
    await run(commands.savedQueryVersionOpen, { queryId: query.query_id, version: 1 });
    await run('workbench.action.keepEditor');
    await run(commands.savedQueryVersionCompare, { queryId: query.query_id, version: 2, with: 'previous' });
    await run('workbench.action.keepEditor');
    await open(query);
    const name = unique('Renamed');
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    const expected = [
      `${name}.identity.sql`,
      `${name} (version 1).identity.sql`,
      `${name}: version 1 ↔ version 2`,
    ].toSorted();
    const hasNewNames = () => tabLabels().toSorted().join('\n') === expected.join('\n');
    await until('all tabs have the new name', hasNewNames);
    // A version that had the earlier name opens under the new one.
    await run(commands.savedQueryVersionOpen, { queryId: query.query_id, version: 1 });
    assert.ok(hasNewNames(), tabLabels().join());
    await open({ ...query, name });
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, `/${name}.identity.sql`);
    for (const { input } of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
      if (!(input instanceof vscode.TabInputText) || !input.uri.path.includes('(version 1)')) continue;
      const version = await vscode.workspace.openTextDocument(input.uri);
      assert.equal(version.getText(), query.query_string);
    }
  });

  test('rename keeps unsaved edits in their tab, which has the new name once they are saved over the renamed version', async () => {
    const query = await createQuery(colleague);
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    const name = unique('Renamed');
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    assert.deepEqual(tabLabels(), [`${query.name}.identity.sql`]);
    assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    assert.deepEqual(
      [(await newest(query)).version, (await newest(query)).query_string],
      [2, query.query_string],
    );
    await run('undo');
    assert.equal(document.getText(), query.query_string, 'undo goes back to what is saved');
    await run('redo');
    assert.equal(document.getText(), 'SELECT 2', 'what was undone is not lost');
    assert.equal(await document.save(), true);
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.query_string, saved.name], [3, 'SELECT 2', name]);
    await until('the tab has the new name', () => tabLabels().join() === `${name}.identity.sql`);
    assert.equal(activeText(), 'SELECT 2');
  });

  test('rename keeps unsaved edits behind another tab and in a split editor, and their save renames both tabs', async () => {
    const [query, other] = [await createQuery(colleague), await createQuery(colleague)];
    const old = await open(query);
    await replaceAll(old, 'SELECT 2');
    await vscode.window.showTextDocument(old, { viewColumn: vscode.ViewColumn.Two, preview: false });
    await vscode.window.showTextDocument(uriOf(other), { viewColumn: vscode.ViewColumn.One, preview: false });
    const name = unique('Renamed');
    const labels = (named: string) =>
      [other.name, named, named].map((each) => `${each}.identity.sql`).toSorted();
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    assert.deepEqual(tabLabels().toSorted(), labels(query.name));
    assert.equal(activeText(), other.query_string, 'what was in front stays there');
    const edited = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
    assert.deepEqual(edited, [old], 'there is no second copy');
    assert.equal(old.getText(), 'SELECT 2');
    assert.equal(await old.save(), true);
    await until('both tabs have the new name', () => tabLabels().toSorted().join() === labels(name).join());
    assert.equal(activeText(), other.query_string, 'what was in front stays there');
  });

  test('rename during an unresolved conflict keeps the edits, which do not replace the newer text unseen', async () => {
    const query = await createQuery(colleague);
    await replaceAll(await open(query), 'SELECT 2');
    await edit(query, { query_string: 'SELECT 5' });
    const name = unique('Renamed');
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    assert.deepEqual(tabLabels(), [`${query.name}.identity.sql`]);
    const document = vscode.window.activeTextEditor?.document;
    assert.deepEqual([document?.isDirty, document?.getText()], [true, 'SELECT 2']);
    assert.equal(await document?.save(), false);
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.query_string], [3, 'SELECT 5'], 'theirs is not replaced unseen');
  });

  test("a colleague's text stays if only the name is changed here", async () => {
    const query = await createQuery(colleague);
    await open(query);
    await edit(query, { query_string: 'SELECT 5' });
    const name = `Renamed ${crypto.randomUUID()}`;
    await run(commands.savedQueryRename, { queryId: query.query_id, name });
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.name, saved.query_string], [3, name, 'SELECT 5']);
    await until('the open editor shows it', () => activeText() === 'SELECT 5');
  });

  test('a taken name is refused with another prompt, and nothing is changed', async () => {
    const [query, other] = [await createQuery(colleague), await createQuery(colleague)];
    const command = run(commands.savedQueryRename, {
      queryId: query.query_id,
      name: other.name.toUpperCase(),
    });
    await answerPrompts('escape', command);
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.name], [1, query.name]);
  });

  test('cancelling a rename changes nothing', async () => {
    const query = await createQuery(colleague);
    await answerPrompts('escape', run(commands.savedQueryRename, { queryId: query.query_id }));
    assert.equal((await newest(query)).version, 1);
  });

  test('changes the model of the query in the active editor', async () => {
    const query = await createQuery(colleague);
    await open(query);
    await run(commands.savedQueryChangeModel, { model: 'platform_governance' });
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.model], [2, 'platform_governance']);
  });

  test('edits the description, with line breaks', async () => {
    const query = await createQuery(colleague);
    const description = 'Who it is for\nand why';
    await run(commands.savedQueryEditDescription, { queryId: query.query_id, description });
    assert.equal((await newest(query)).description, description);
    // The prompt shows the description on one line. Accepting it unchanged keeps the line breaks and creates no
    // version.
    await answerPrompts('accept', run(commands.savedQueryEditDescription, { queryId: query.query_id }));
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.description], [2, description]);
  });

  test('delete asks once, names the query, and Create Again restores it under a new ID', async () => {
    const query = await createQuery(colleague, unique('SELECT 11 --'));
    const question = confirmDelete();
    const offer = answerMessages('showInformationMessage', ([first]) => first);
    try {
      await remove(query);
      assert.equal(question.texts.length, 1);
      assert.match(
        question.texts[0] ?? '',
        new RegExp(`^Delete the saved query "${query.name}" for all users\\?\nVersion 1, model`),
      );
      await until('it is created again', () => activeText() === query.query_string);
      assert.deepEqual(offer.texts, [`"${query.name}" was deleted.`]);
      assert.equal(await isThere(query), false);
      const again = (await Array.fromAsync(colleague.savedQueries.listAll())).filter(
        ({ name }) => name === query.name,
      );
      assert.deepEqual(
        again.map(({ query_string, version }) => [query_string, version]),
        [[query.query_string, 1]],
      );
    } finally {
      question.dispose();
      offer.dispose();
    }
  });

  test('delete asks again, with the newest version, if a colleague changes the query while the question is open', async () => {
    const query = await createQuery(colleague);
    const question = answerMessages('showWarningMessage', async (buttons) => {
      if (question.texts.length > 1) return undefined;
      await edit(query, { query_string: 'SELECT 2' });
      return buttons.at(-1);
    });
    try {
      await remove(query);
      assert.match(question.texts[1] ?? '', /It has changed in the meantime: the newest version is 2/);
      assert.equal(await isThere(query), true);
    } finally {
      question.dispose();
    }
  });

  test('a delete without a response is looked up, and not sent twice', async () => {
    const query = await createQuery(colleague);
    const question = confirmDelete();
    const offer = answerMessages('showInformationMessage', () => undefined);
    try {
      await setFaults([{ method: 'DELETE', path, script: [{ kind: 'drop-after' }] }]);
      await remove(query);
      assert.deepEqual(offer.texts, [`"${query.name}" was deleted.`]);
      const requests = await requestsTo(`${collection}/${query.query_id}`);
      assert.equal(requests.filter(({ method }) => method === 'DELETE').length, 1);
      assert.equal(await isThere(query), false);
    } finally {
      question.dispose();
      offer.dispose();
    }
  });

  for (const [what, faults, said, isGone] of [
    [
      'a delete that did not arrive',
      [{ method: 'DELETE', path, always: { kind: 'drop' } }],
      /was not deleted: the service did not carry it out/,
      false,
    ],
    [
      'a delete whose fate is unknown',
      [
        { method: 'DELETE', path, always: { kind: 'drop-after' } },
        {
          method: 'GET',
          path,
          script: [{ kind: 'pass' }, { kind: 'pass' }, { kind: 'status', status: 403 }],
        },
      ],
      /It is not known whether .* was deleted/,
      true,
    ],
    [
      'a service without deletes (405)',
      [{ method: 'DELETE', path, always: { kind: 'status', status: 405 } }],
      /does not delete saved queries/,
      false,
    ],
    [
      'a service without deletes (501)',
      [{ method: 'DELETE', path, always: { kind: 'status', status: 501 } }],
      /does not delete saved queries/,
      false,
    ],
    [
      'a service without deletes (404)',
      [{ method: 'DELETE', path, always: { kind: 'status', status: 404 } }],
      /does not delete saved queries/,
      false,
    ],
  ] as const) {
    test(`${what} is reported as such`, async () => {
      const query = await createQuery(colleague);
      const question = confirmDelete();
      const failure = answerMessages('showErrorMessage', () => undefined);
      try {
        await setFaults(faults as unknown as Parameters<typeof setFaults>[0]); // constant test data
        await remove(query);
        await until('it is said', () => failure.texts.length > 0);
        assert.match(failure.texts.join(), said);
        await setFaults([]);
        assert.equal(await isThere(query), !isGone);
      } finally {
        question.dispose();
        failure.dispose();
      }
    });
  }

  test('Clear Local History forgets the versions seen here, and the service keeps its own', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const versions = `${collection}/${query.query_id}/versions`;
    await setFaults([{ path: versions, always: { kind: 'status', status: 400 } }]);
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    assert.equal(await document.save(), true);
    await closeAllEditors();
    const target = { queryId: query.query_id, version: 1 };
    await run(commands.savedQueryVersionOpen, target);
    await until('version 1 is open', () => activeText() === 'SELECT 1');
    await closeAllEditors();
    const left = answerMessages('showWarningMessage', () => undefined);
    await run(commands.savedQueriesClearLocalHistory);
    left.dispose();
    await run(commands.savedQueryVersionOpen, target);
    await until('it is still there', () => activeText() === 'SELECT 1');
    await closeAllEditors();
    const question = confirmDelete();
    const told = answerMessages('showInformationMessage', () => undefined);
    const failure = answerMessages('showErrorMessage', () => undefined);
    try {
      await run(commands.savedQueriesClearLocalHistory);
      assert.match(told.texts.join(), /^(1 version was|\d+ versions were) deleted from this machine\.$/);
      await run(commands.savedQueryVersionOpen, target);
      await until('it is said', () => failure.texts.length > 0);
      assert.match(failure.texts.join(), /Version 1 is not kept on this machine/);
      assert.equal((await newest(query)).version, 2);
      await setFaults([]);
      await run(commands.savedQueryVersionOpen, target);
      await until('the service has it', () => activeText() === 'SELECT 1');
    } finally {
      for (const each of [question, told, failure]) each.dispose();
    }
  });

  test('a failing service leaves the query unchanged', async () => {
    const query = await createQuery(colleague);
    await setFaults([{ method: 'PUT', path, always: { kind: 'status', status: 500 } }]);
    const command = run(commands.savedQueryRename, { queryId: query.query_id, name: 'Never' });
    await command;
    await setFaults([]);
    assert.equal((await newest(query)).version, 1);
  });

  test('duplicate creates a query beside the first, under a free name, and opens it', async () => {
    const query = await colleague.savedQueries.create({
      name: `Original ${crypto.randomUUID()}`,
      query_string: 'SELECT 4 AS four',
      model: 'platform_governance',
      description: 'twice',
    });
    await answerPrompts('accept', run(commands.savedQueryDuplicate, { queryId: query.query_id }));
    const all = await Array.fromAsync(colleague.savedQueries.listAll());
    const copy = all.find(({ name }) => name === `${query.name} (2)`);
    assert.deepEqual(
      [copy?.query_string, copy?.model, copy?.description, copy?.version],
      ['SELECT 4 AS four', 'platform_governance', 'twice', 1],
    );
    assert.equal(activeText(), 'SELECT 4 AS four');
    assert.deepEqual(tabLabels(), [`${query.name} (2).identity.sql`]);
  });

  test('the ID and link of a row or the active editor are copied', async () => {
    const query = await createQuery(colleague);
    await run(commands.savedQueryCopyId, { queryId: query.query_id });
    assert.equal(await vscode.env.clipboard.readText(), query.query_id);
    await open(query);
    await run(commands.savedQueryCopyLink);
    const link = await vscode.env.clipboard.readText();
    const start = `${vscode.env.uriScheme}://identity-queries.identity-queries/query/${query.query_id}?service=`;
    assert.ok(link.startsWith(start), link);
    assert.match(link.slice(start.length), /^[0-9a-f]{16}$/);
  });

  test('a query opens by its ID, and by a copied link', async () => {
    const [query, other] = [
      await createQuery(colleague, 'SELECT 1'),
      await createQuery(colleague, 'SELECT 2'),
    ];
    await run(commands.savedQueryOpenById, query.query_id);
    assert.equal(activeText(), 'SELECT 1');
    await run(commands.savedQueryCopyLink, { queryId: other.query_id });
    await run(commands.savedQueryOpenById, await vscode.env.clipboard.readText());
    assert.equal(activeText(), 'SELECT 2');
  });

  test('opening an open query focuses its editor, whatever its current name', async () => {
    const query = await createQuery(colleague);
    await replaceAll(await open(query), 'SELECT 2');
    const name = unique('Renamed');
    await edit(query, { name });
    const other = await createQuery(colleague);
    await open(other);
    await run(commands.savedQueriesRefresh);
    await run(commands.savedQueryOpen, { queryId: query.query_id });
    assert.equal(activeText(), 'SELECT 2');
    await until(
      () => `it has one tab: ${tabLabels().join()}`,
      () => tabLabels().length === 2,
    );
    const labels = [other.name, query.name].map((each) => `${each}.identity.sql`);
    assert.deepEqual(tabLabels().toSorted(), labels.toSorted());
  });

  /** Shows only the queries with this word in the view, and focuses the last one. */
  async function focusLast(word: string, last: SavedQuery): Promise<void> {
    await run(commands.savedQueriesRefresh);
    await run(commands.savedQueriesFilter, word);
    await until('the row has the focus', async () => {
      await run('identityQueries.savedQueries.focus');
      await run('list.focusLast');
      await vscode.env.clipboard.writeText('');
      await run(commands.savedQueryCopyId, { row: 'focused' });
      return (await vscode.env.clipboard.readText()) === last.query_id;
    });
  }
  const named = async (word: string) =>
    (await run<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', word))
      .map(({ name }) => name)
      .filter((name) => name.includes(word))
      .toSorted();

  test('a row opens its query as the Explorer opens a file, and the query counts as opened', async () => {
    const word = crypto.randomUUID();
    const query = await colleague.savedQueries.create({ name: `${word} A`, query_string: 'SELECT 11' });
    try {
      await focusLast(word, query);
      await run('list.selectAndPreserveFocus');
      await until('it is open', () => activeText() === 'SELECT 11');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, true);
      assert.deepEqual(tabLabels(), [`${query.name}.identity.sql`]);
      await closeAllEditors();
      await answerPrompts('accept', run(commands.savedQueryOpen));
      assert.equal(activeText(), 'SELECT 11', 'it is the first of those opened recently');
    } finally {
      await run(commands.savedQueriesFilter, '');
    }
  });

  test('a row whose query is gone says so without a URI, leaves no tab, and the list is read again', async () => {
    const word = crypto.randomUUID();
    const create = (name: string) =>
      colleague.savedQueries.create({ name: `${word} ${name}`, query_string: 'SELECT 1' });
    const gone = await create('B');
    await create('A');
    const said = answerMessages('showErrorMessage', () => undefined);
    try {
      await focusLast(word, gone);
      await colleague.savedQueries.delete(gone.query_id);
      await create('C');
      await run('list.select');
      await until('it is told', () => said.texts.length > 0);
      assert.deepEqual(said.texts, [
        `The saved query "${gone.name}" was deleted. Its local versions are kept.`,
      ]);
      await until('its tab is closed', () => tabLabels().length === 0);
      await until(
        'the list is read again',
        async () => (await named(word)).join() === [`${word} A`, `${word} C`].join(),
      );
    } finally {
      said.dispose();
      await run(commands.savedQueriesFilter, '');
    }
  });

  const refusals = {
    'not permitted': { kind: 'status', status: 403, code: 'FORBIDDEN' },
    refused: { kind: 'status', status: 400, code: 'BAD_REQUEST', message: 'No.' },
    'answered by a page': { kind: 'html' },
  } as const;
  for (const [why, always] of Object.entries(refusals)) {
    test(`a row whose query cannot be read (${why}) says so without a URI, and leaves no tab`, async () => {
      const word = crypto.randomUUID();
      const query = await colleague.savedQueries.create({ name: `${word} A`, query_string: 'SELECT 12' });
      const said = answerMessages('showErrorMessage', async ([again], message) => {
        if (!message.includes(word)) return undefined;
        await setFaults([]);
        return again;
      });
      try {
        await focusLast(word, query);
        await setFaults([{ path: `/v1/query/saved-queries/${query.query_id}`, always }]);
        await run('list.select');
        await until('it is told', () => said.texts.length > 0);
        assert.deepEqual(
          said.texts.map((text) => text.startsWith(`The saved query "${word} A" could not be opened: `)),
          [true],
        );
        assert.doesNotMatch(said.texts.join(), /identity-query:/);
        if (why === 'refused') await until('its tab is closed', () => tabLabels().length === 0);
        else await until('the first button tries again', () => activeText() === 'SELECT 12');
      } finally {
        said.dispose();
        await run(commands.savedQueriesFilter, '');
      }
    });
  }

  test('an ID that does not exist opens nothing', async () => {
    await run(commands.savedQueryOpenById, crypto.randomUUID());
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  test('an ID that no saved query is known to have asks what it is of; a link does not', async () => {
    const id = crypto.randomUUID();
    const asked: string[][] = [];
    const played = [
      playQuestion('showInputBox', () => id),
      playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
        asked.push(items.map(({ label }) => label));
        return items.find(({ label }) => label === 'Record');
      }),
    ];
    const said = answerMessages('showErrorMessage', () => undefined);
    try {
      await run(commands.openById);
      await run(commands.openById);
      await run(commands.openById, 'query');
    } finally {
      for (const one of [...played, said]) one.dispose();
    }
    const kinds = ['Saved Query', 'Export of Data', 'Job of a Change'];
    assert.deepEqual(asked, [kinds.toSpliced(1, 0, 'Record'), ['Record', ...kinds]]);
    assert.equal(said.texts.length, 3);
    assert.match(said.texts[0] ?? '', /record/);
    assert.match(said.texts[2] ?? '', /saved query/);
  });

  test('a copied link or ID is offered where one is asked for, and nothing else is', async () => {
    const query = await createQuery(colleague, 'SELECT 13');
    for (const copy of [commands.savedQueryCopyLink, commands.savedQueryCopyId]) {
      await run(copy, { queryId: query.query_id });
      await answerPrompts('accept', run(commands.openById));
      await until('it is open', () => activeText() === 'SELECT 13');
      await closeAllEditors();
    }
    await vscode.env.clipboard.writeText(`SELECT '${query.query_id}'`);
    await answerPrompts('accept', run(commands.openById));
    assert.deepEqual(tabLabels(), []);
  });

  test('a link opens a query and never runs it', async () => {
    const query = await createQuery(colleague, 'SELECT 6 AS six');
    await run(commands.savedQueryCopyLink, { queryId: query.query_id });
    const runs = (await requestsTo('/v1/query/execute')).length;
    await run('vscode.open', vscode.Uri.parse(await vscode.env.clipboard.readText()));
    await until('it is open', () => activeText() === 'SELECT 6 AS six');
    assert.equal((await requestsTo('/v1/query/execute')).length, runs);
  });

  test('a link to another service asks for the connection, and opens nothing without an answer', async () => {
    const query = await createQuery(colleague);
    const reads = (await requestsTo(`/v1/query/saved-queries/${query.query_id}`)).length;
    const link = `${vscode.env.uriScheme}://identity-queries.identity-queries/query/${query.query_id}?service=0123456789abcdef`;
    // The editor hands on a link without waiting for what is asked then.
    let isAsked = false;
    const question = playQuestion('showQuickPick', () => void (isAsked = true));
    try {
      await run('vscode.open', vscode.Uri.parse(link));
      await until('it asks', () => isAsked);
    } finally {
      question.dispose();
    }
    assert.equal(vscode.window.activeTextEditor, undefined);
    assert.equal((await requestsTo(`/v1/query/saved-queries/${query.query_id}`)).length, reads);
  });

  test('a link with a version opens that version read-only', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await run(commands.savedQueryOpenById, query.query_id);
    await edit(query, { query_string: 'SELECT 2' });
    const link = `${vscode.env.uriScheme}://identity-queries.identity-queries/query/${query.query_id}?version=1`;
    await run(commands.savedQueryOpenById, link);
    const document = vscode.window.activeTextEditor?.document;
    assert.deepEqual([document?.uri.scheme, document?.getText()], ['identity-query-version', 'SELECT 1']);
    await run(commands.savedQueryOpenById, link.replace('version=1', 'version=2'));
    await until('the newest is open', () => activeText() === 'SELECT 2');
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'identity-query');
  });

  test('favourites are marked and unmarked', async () => {
    const query = await createQuery(colleague);
    const said = statusMessages();
    await run(commands.savedQueryFavourite, { queryId: query.query_id });
    await run(commands.savedQueryFavourite, { queryId: query.query_id });
    said.dispose();
    assert.deepEqual(said.texts, ['Added to favorites.', 'Removed from favorites.']);
    assert.equal((await newest(query)).version, 1, 'a mark is no version');
  });

  test('versions are opened, compared, and restored as a new version', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    for (const text of ['SELECT 2', 'SELECT 3']) {
      await replaceAll(document, text);
      assert.equal(await document.save(), true);
    }
    const target = (version: number) => ({ queryId: query.query_id, version });
    await run(commands.savedQueryVersionOpen, target(1));
    await until('version 1 is open', () => activeText() === 'SELECT 1');
    assert.match(tabLabels().join(), /\(version 1\)/);
    await run(commands.savedQueryVersionCompare, { ...target(1), with: 'newest' });
    assert.match(diffTitles().join(), /version 1 ↔ version 3/);
    await until('the cursor is at the change', () => activeCharacter() === 'SELECT 3'.length);
    await run(commands.savedQueryVersionCompare, { ...target(3), with: 'previous' });
    assert.match(diffTitles().join(), /version 2 ↔ version 3/);
    await run(commands.savedQueryVersionCompare, { ...target(2), with: 'editor' });
    assert.match(diffTitles().join(), /version 2 ↔ yours/);

    const dismissed = answerMessages('showInformationMessage', () => undefined);
    await run(commands.savedQueryVersionRestore, target(1));
    dismissed.dispose();
    assert.match(dismissed.texts.join(), /^Restore version 1 of /);
    assert.equal((await newest(query)).version, 3, 'left without an answer');
    assert.match(diffTitles().join(), /version 3 ↔ version 1/);
    await run('workbench.action.closeActiveEditor');
    const restored = answerMessages('showInformationMessage', ([restore]) => restore);
    await run(commands.savedQueryVersionRestore, target(1));
    restored.dispose();
    const saved = await newest(query);
    assert.deepEqual([saved.version, saved.query_string], [4, 'SELECT 1']);
    await until('the editor follows', () => document.getText() === 'SELECT 1' && !document.isDirty);
    assert.deepEqual(
      [vscode.window.activeTextEditor?.document.uri.toString(), diffTitles()],
      [document.uri.toString(), []],
      'the query is in front, and the diff of the question is closed',
    );
    await replaceAll(document, 'SELECT 5');
    assert.equal(await document.save(), true);
    assert.equal((await newest(query)).version, 5);
  });

  test('a version document is restored with the model of its version', async () => {
    const query = await colleague.savedQueries.create({
      name: `Governance ${crypto.randomUUID()}`,
      query_string: 'SELECT 1',
      model: 'platform_governance',
    });
    await open(query);
    await run(commands.savedQueryVersionOpen, { queryId: query.query_id, version: 1 });
    await until(
      'it is open',
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-version',
    );
  });

  test('the view is filtered, grouped and sorted', async () => {
    await run(commands.savedQueriesFilter, 'nothing has this name');
    await run(commands.savedQueriesClearFilter);
    for (const grouping of ['model', 'author', 'none', 'prefix'])
      await run(commands.savedQueriesArrange, grouping);
    for (const sorting of ['changed', 'name']) await run(commands.savedQueriesArrange, sorting);
    await run(commands.savedQueriesClearRecent);
  });

  test('Enter means the first row of a list that is not drawn yet, or the row that the person went to', () => {
    const items = (...labels: string[]) => labels.map((label) => ({ label }));
    const active = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
    const pick = { items: items('Earlier', 'Other'), onDidChangeActive: active.event };
    const label = () => meant()?.label;
    const meant = followMeant(pick);
    assert.equal(label(), 'Earlier');
    active.fire([pick.items[0] ?? assert.fail()]);
    pick.items = items('Found', 'Found too', 'Other');
    assert.equal(label(), 'Found', 'the editor still names the place in the list of before');
    active.fire([pick.items[1] ?? assert.fail()]);
    assert.equal(label(), 'Found too');
    pick.items = items('New', 'Found', 'Found too');
    assert.equal(label(), 'Found too');
    pick.items = items('New');
    assert.equal(label(), 'New');
    active.dispose();
  });

  test('quick open finds a query by its SQL and opens it', async () => {
    const query = await createQuery(colleague, 'SELECT 9 AS nine');
    await run(commands.savedQueriesRefresh);
    await run(commands.savedQueryOpen, { queryId: query.query_id });
    // The editor tells that a text is active after it has shown it; only then is the query a recent one.
    const isOpen = () => activeText() === 'SELECT 9 AS nine';
    await until('it is open', isOpen);
    await closeAllEditors();
    await until('it is closed', () => vscode.window.activeTextEditor === undefined);
    // The most recently opened query comes first.
    await answerPrompts('accept', run(commands.savedQueryOpen));
    await until(() => `it is open again, but ${String(activeText())} in ${tabLabels().join()}`, isOpen);
  });

  test('commands on a query that was deleted meanwhile report this and change nothing', async () => {
    const query = await createQuery(colleague);
    await run(commands.savedQueriesRefresh);
    await colleague.savedQueries.delete(query.query_id);
    await run(commands.savedQueryRename, { queryId: query.query_id, name: 'Never' });
    await run(commands.savedQueryOpen, { queryId: query.query_id });
    const all = await Array.fromAsync(colleague.savedQueries.listAll());
    assert.equal(
      all.some(({ name }) => name === 'Never'),
      false,
    );
  });

  test('a query of another connection is not touched through this one', async () => {
    const query = await createQuery(colleague);
    const argument = { queryId: query.query_id, connection: 'Elsewhere', name: 'Never' };
    await run(commands.savedQueryRename, argument);
    assert.equal((await newest(query)).version, 1);
    assert.equal(uriOf(query).scheme, 'identity-query');
  });
});
