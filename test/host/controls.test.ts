/** Controls in the Testing view, in a real editor with a real service. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import type { Evidence } from '#core/evidence/evidence.ts';
import { current, stateOf } from './run-support.ts';
import {
  answerMessages,
  closeAllEditors,
  createQuery,
  playQuestion,
  open,
  replaceAll,
  requestsTo,
  setFaults,
  settledConnection,
  until,
  uriOf,
  useService,
  withFolder,
} from './support.ts';

const executions = async () => (await requestsTo('/v1/query/execute')).length;

suite('controls', () => {
  const { colleague } = useService();

  test('a saved query that is a control appears in the Testing view, and runs there', async () => {
    const text = [
      '-- @control HOST-1 Found in the view',
      '-- @expect no rows',
      'SELECT 1 AS found WHERE false',
    ].join('\n');
    const query = await createQuery(colleague, text);
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      const before = await executions();
      // The Testing view finds the control shortly after the list is loaded.
      await until('the control ran', async () => {
        await vscode.commands.executeCommand('testing.runAll');
        return (await executions()) > before;
      });
      assert.ok((await executions()) > before);
    } finally {
      await colleague.savedQueries.delete(query.query_id);
    }
  });

  test('a run uses unsaved edits of a saved query, and does not save them', async () => {
    const text = '-- @control HOST-4 Edited but not saved\n-- @expect no rows\nSELECT 1 AS found WHERE false';
    const query = await createQuery(colleague, text);
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      const document = await open(query);
      await replaceAll(document, `${text} OR false`);
      const before = await executions();
      await until('the control ran', async () => {
        await vscode.commands.executeCommand('testing.runAll');
        return (await executions()) > before;
      });
      assert.equal(document.isDirty, true);
      assert.equal((await colleague.savedQueries.get(query.query_id)).version, 1);
    } finally {
      await closeAllEditors();
      await colleague.savedQueries.delete(query.query_id);
    }
  });

  test('one that can no longer be read is in error, and the others run', async () => {
    const [gone, kept] = [
      await createQuery(colleague, '-- @control GONE-1 Refused by now\nSELECT 1 AS one WHERE false'),
      await createQuery(colleague, '-- @control GONE-2 Still read\nSELECT 2 AS two WHERE false'),
    ];
    const state = async () => JSON.stringify(await vscode.commands.executeCommand(commands.controlsState));
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      await until('both are in the view', async () => {
        const shown = await state();
        return /GONE-1/.test(shown) && /GONE-2/.test(shown);
      });
      const path = `/v1/query/saved-queries/${gone.query_id}`;
      await setFaults([{ path, always: { kind: 'status', status: 403 } }]);
      await until('each has an outcome', async () => {
        await vscode.commands.executeCommand('testing.runAll');
        return /GONE-1[^"]* · .*GONE-2[^"]* · /.test(await state());
      });
      assert.match(await state(), /GONE-1 Refused by now · Error,.*GONE-2 Still read · Pass,/);
    } finally {
      await setFaults([]);
      for (const { query_id } of [gone, kept]) await colleague.savedQueries.delete(query_id);
    }
  });

  test('each of many controls runs, although the editor closes documents that no tab shows', async () => {
    // The editor keeps at most 50 such documents.
    const count = 60;
    const queries: SavedQuery[] = [];
    try {
      for (let n = 0; n < count; n++)
        queries.push(
          await createQuery(colleague, `-- @control MANY-${n} One of many\nSELECT ${n} AS many WHERE false`),
        );
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      // The Testing view finds them shortly after the list is loaded.
      await until('each of them ran', async () => {
        const before = await executions();
        await vscode.commands.executeCommand('testing.runAll');
        return (await executions()) >= before + count;
      });
    } finally {
      for (const { query_id } of queries) await colleague.savedQueries.delete(query_id);
    }
  });

  for (const [how, fault] of [
    ['answers slowly', { kind: 'hold' }],
    ['is down', { kind: 'drop' }],
  ] as const)
    test(`Stop ends a run while the service ${how}: nothing is sent after it, and another run is whole`, async () => {
      // More than run at a time.
      const count = 9;
      const queries: SavedQuery[] = [];
      try {
        for (let n = 0; n < count; n++)
          queries.push(
            await createQuery(colleague, `-- @control STOP-${n} Stopped\nSELECT ${n} WHERE false`),
          );
        await vscode.commands.executeCommand(commands.savedQueriesRefresh);
        // Shortly after the list is loaded. Those of earlier tests would run, too.
        await until('these are in the view, and no others', async () => {
          const shown = JSON.stringify(await vscode.commands.executeCommand(commands.controlsState));
          return queries.every((_, n) => shown.includes(`STOP-${n} `)) && !/MANY-|GONE-/.test(shown);
        });
        await vscode.commands.executeCommand('testing.runAll');
        // In the middle: one has its rows.
        await setFaults([{ path: '/v1/query/execute', script: [{ kind: 'pass' }], always: fault }]);
        const before = await executions();
        const run = vscode.commands.executeCommand('testing.runAll');
        await until('the first has its rows', async () => (await executions()) > before);
        await vscode.commands.executeCommand('testing.cancelRun');
        await run;
        await setFaults([]);
        // The service notes a request that was cut some time after it.
        const answered = async () =>
          (await requestsTo('/v1/query/execute')).filter(({ status }) => status !== 0).length;
        const stopped = await answered();
        await vscode.commands.executeCommand('testing.runAll');
        assert.equal((await answered()) - stopped, count);
      } finally {
        await setFaults([]);
        for (const { query_id } of queries) await colleague.savedQueries.delete(query_id);
      }
    });

  const twoAccounts = [
    '-- @control HOST-2 Rows to waive',
    '-- @expect no rows',
    '-- @key alias',
    '-- @owner iam-team',
    "SELECT 'one' AS alias, 1 AS number UNION ALL SELECT 'two', 2",
  ].join('\n');

  test('Show Control Rows runs it as Run does, for a control of the Testing view', async () => {
    const query = await createQuery(colleague, twoAccounts);
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      // Call the command as the editor does for a message in the Testing view.
      const test = { id: uriOf(query).toString() };
      await vscode.commands.executeCommand(commands.controlShowRows, { test, message: {} });
      assert.equal((await stateOf('rows')).kind, 'rows');
    } finally {
      await colleague.savedQueries.delete(query.query_id);
    }
  });

  test('the result of a control in a file is titled with its name', async () => {
    await settledConnection();
    await withFolder(async (folder) => {
      const uri = vscode.Uri.file(path.join(folder, 'rows.identity.sql'));
      await writeFile(uri.fsPath, twoAccounts);
      await vscode.commands.executeCommand(commands.controlShowRows, uri);
      await until('its rows are shown', async () => {
        const view = await current();
        return view?.state.kind === 'rows' && view.header.title === 'HOST-2 Rows to waive';
      });
    });
  });

  suite('the result of a control', () => {
    const reviewed = (...aliases: readonly string[]) =>
      [
        '-- @control HOST-3 Aliases that need a look',
        '-- @expect no rows',
        '-- @key alias',
        '-- @param least int = 1 How many are too many',
        `SELECT * FROM (VALUES ${aliases.map((alias) => `('${alias}')`).join(', ')}) AS found (alias)`,
        'WHERE :least <= 1',
      ].join('\n');
    const showRowsOf = async (query: SavedQuery, count: number) => {
      const id = uriOf(query).toString();
      await vscode.commands.executeCommand(commands.controlShowRows, { test: { id }, message: {} });
      await until(`${count} rows are shown`, async () => {
        const view = await current();
        return view?.state.kind === 'rows' && view.state.rowCount === count;
      });
    };

    test("is opened, kept, compared with the next review's, and copied as evidence", async () => {
      const query = await createQuery(colleague, reviewed('ana', 'ben', 'cy'));
      try {
        await vscode.commands.executeCommand(commands.savedQueriesRefresh);
        // The control's default values apply, so no form appears.
        await showRowsOf(query, 3);
        const kept = await vscode.commands.executeCommand<string>(commands.resultsKeep);
        assert.equal(typeof kept, 'string');

        await replaceAll(await open(query), reviewed('ben', 'cy', 'di', 'eli'));
        await showRowsOf(query, 4);
        const evidence = await vscode.commands.executeCommand<Evidence>(commands.resultsCopyEvidence);
        assert.deepEqual(
          [evidence.query.id, evidence.query.version, evidence.rows.count],
          [query.query_id, 1, 4],
        );
        assert.match(JSON.stringify(evidence.parameters), /^\[\{[^\]]*"name":"least"[^\]]*\}\]$/);
        const clipboard = await vscode.env.clipboard.readText();
        assert.ok(clipboard.includes(evidence.checksum));

        await vscode.commands.executeCommand(commands.resultsCompare, { with: { kind: 'kept', id: kept } });
        await closeAllEditors();
        await until('the comparison is shown', async () => {
          const view = await current();
          const counts = view?.state.kind === 'rows' ? view.state.comparison?.counts : undefined;
          return counts?.added === 2 && counts.removed === 1 && counts.unchanged === 2;
        });
        await vscode.commands.executeCommand(commands.resultsForgetKept, { ids: [kept] });
      } finally {
        await colleague.savedQueries.delete(query.query_id);
      }
    });
  });

  suite('Waive Row', () => {
    const digestKey = 'IDENTITY_QUERIES_DIGEST_KEY';
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    const waivers = path.join(folder.uri.fsPath, '.identity-queries', 'waivers.json');

    setup(async () => {
      process.env[digestKey] = 'a key for the tests of the host';
      await rm(waivers, { force: true });
    });
    teardown(async () => {
      Reflect.deleteProperty(process.env, digestKey);
      await rm(waivers, { force: true });
    });

    /** Waives the row of an alias and returns the prompts and messages. */
    async function waive(alias: string) {
      const query = await createQuery(colleague, twoAccounts);
      const labels: string[] = [];
      const picked = playQuestion('showQuickPick', async (items: Promise<vscode.QuickPickItem[]>) => {
        const shown = await items;
        labels.push(...shown.map(({ label }) => label));
        return shown.find(({ label }) => label === alias);
      });
      const boxes = answerBoxes(['Break-glass account', undefined, undefined]);
      const said = answerMessages('showInformationMessage', () => undefined);
      const failed = answerMessages('showErrorMessage', () => undefined);
      try {
        await vscode.commands.executeCommand(commands.savedQueriesRefresh);
        await vscode.commands.executeCommand(commands.controlWaiveRow, { id: uriOf(query).toString() });
        return { labels, prompts: boxes.prompts, said: said.texts, failed: failed.texts };
      } finally {
        for (const one of [picked, boxes, said, failed]) one.dispose();
        await colleague.savedQueries.delete(query.query_id);
      }
    }

    test('asks which row, why, by whom and until when, and records it', async () => {
      const { labels, prompts, said, failed } = await waive('two');
      assert.deepEqual([labels, failed], [['one', 'two'], []]);
      assert.equal(prompts.length, 3);
      assert.match(said[0] ?? '', /^The row of HOST-2 is waived until the end of \d{4}-\d\d-\d\d/);
      const text = await readFile(waivers, 'utf8');
      assert.match(text, /"control":"HOST-2","row":"[0-9a-f]{64}","reason":"Break-glass account"/);
      assert.match(text, /"owner":"iam-team","expires":"\d{4}-\d\d-\d\d"/);
      assert.doesNotMatch(text, /two/, 'no value of a row');

      const again = await waive('one');
      assert.deepEqual([again.labels, again.failed], [[], []], 'a single row is not asked for');
      assert.equal((await readFile(waivers, 'utf8')).match(/"control"/g)?.length, 2);
      assert.match((await waive('one')).failed[0] ?? '', /HOST-2 has no row left to waive/);
    });

    test('leaves a damaged file unchanged', async () => {
      await mkdir(path.dirname(waivers), { recursive: true });
      await writeFile(waivers, '{"version": 1,\n<<<<<<<');
      const { labels, prompts, failed } = await waive('two');
      assert.deepEqual([labels, prompts], [[], []]);
      assert.match(failed[0] ?? '', /waivers\.json:2: There are conflict markers\. .* git checkout --ours /);
      assert.equal(await readFile(waivers, 'utf8'), '{"version": 1,\n<<<<<<<');
    });

    test('asks for the digest key if there is none, and keeps it for the folder', async () => {
      Reflect.deleteProperty(process.env, digestKey);
      const { labels, prompts } = await waive('two');
      assert.deepEqual(
        [labels, prompts],
        [["Enter your team's key", 'Create a new key'], []],
        'nobody chose, so nothing was asked of the service',
      );
      const set = async (label: string) => {
        const picked = playQuestion('showQuickPick', async (items: Promise<vscode.QuickPickItem[]>) =>
          (await items).find((item) => item.label === label),
        );
        const typed = playQuestion('showInputBox', () => 'a key for the tests of the host');
        await vscode.commands.executeCommand(commands.controlsDigestKey);
        picked.dispose();
        typed.dispose();
      };
      await set("Enter your team's key");
      try {
        assert.equal((await waive('two')).prompts.length, 3, 'the stored key counts');
        assert.match(await readFile(waivers, 'utf8'), /"control":"HOST-2"/);
      } finally {
        await set("Forget this folder's key");
      }
      assert.deepEqual((await waive('two')).prompts, []);
    });
  });

  test('Compare with Baseline creates a baseline, then reports which rows are new, known and gone', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root !== undefined);
    const beside = path.join(root.uri.fsPath, '.identity-queries');
    process.env['IDENTITY_QUERIES_DIGEST_KEY'] = 'a key for the tests of the host';
    const query = await createQuery(colleague, twoAccounts);
    const compare = async (button?: string) => {
      const lists: { labels: string[]; title: string }[] = [];
      const said = answerMessages('showInformationMessage', (buttons) =>
        buttons.find((each) => each === button),
      );
      const failed = answerMessages('showErrorMessage', () => undefined);
      const picked = playQuestion(
        'showQuickPick',
        async (items: Promise<vscode.QuickPickItem[]>, options: vscode.QuickPickOptions) => {
          lists.push({ labels: (await items).map(({ label }) => label), title: options.title ?? '' });
          return undefined;
        },
      );
      const id = uriOf({ ...query }).toString();
      await vscode.commands.executeCommand(commands.controlCompareBaseline, { id });
      for (const one of [said, failed, picked]) one.dispose();
      return { said: said.texts, failed: failed.texts, lists };
    };
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      const first = await compare('Take Baseline');
      assert.match(first.said[0] ?? '', /HOST-2 has no baseline yet/);
      await until('the baseline is told', () => Promise.resolve(first.said.length > 0));
      const text = await readFile(path.join(beside, 'baseline.json'), 'utf8');
      assert.doesNotMatch(text, /"(one|two)"/, 'no value of a row');
      const [second] = (await compare()).lists;
      assert.match(second?.title ?? '', /^HOST-2 since \d{4}-\d\d-\d\d: 0 new, 2 known, 0 gone$/);
      const document = await vscode.workspace.openTextDocument(uriOf(query));
      const editor = await vscode.window.showTextDocument(document);
      const last = document.lineAt(4).range;
      await editor.edit((edit) => edit.replace(last, document.getText(last).replace("'two'", "'three'")));
      const [third] = (await compare()).lists;
      assert.match(third?.title ?? '', /1 new, 1 known, 1 gone$/);
      assert.deepEqual(third?.labels, ['New', 'three', 'Known', 'one', '', 'Take the baseline again']);
      await writeFile(path.join(beside, 'baseline.json'), '{');
      assert.match((await compare()).failed[0] ?? '', /baseline\.json:1: This is not JSON/);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    } finally {
      Reflect.deleteProperty(process.env, 'IDENTITY_QUERIES_DIGEST_KEY');
      await rm(beside, { recursive: true, force: true });
      await colleague.savedQueries.delete(query.query_id);
    }
  });

  test('groups controls by benchmark, tag or folder, and reports where a file is damaged', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root !== undefined);
    const benchmarks = path.join(root.uri.fsPath, '.identity-queries', 'benchmarks.json');
    const file = path.join(root.uri.fsPath, 'tagged.identity.sql');
    const unreadable = path.join(root.uri.fsPath, 'no-text.identity.sql');
    const state = async () => JSON.stringify(await vscode.commands.executeCommand(commands.controlsState));
    const shows = async (what: string, words: RegExp) =>
      await until(what, async () => words.test(await state()));
    try {
      await mkdir(path.dirname(benchmarks), { recursive: true });
      await writeFile(file, '-- @control HOST-3 Tagged\n-- @tags soc2=CC6.1\nSELECT 1 WHERE false');
      await writeFile(
        benchmarks,
        '{"benchmarks":[{"title":"SOC 2","children":[{"title":"Access","tag":"soc2=CC6"}]}]}',
      );
      await shows(
        'the benchmark',
        /"SOC 2","children":\[\{"label":"Access","children":\[\{"label":"HOST-3 Tag/,
      );
      await vscode.commands.executeCommand(commands.controlsGroupBy, 'tag');
      await shows('the tag', /"SOC 2","children":\[\{"label":"CC6.1","children":\[\{"label":"HOST-3 Tag/);
      await vscode.commands.executeCommand(commands.controlsGroupBy, 'folder');
      await shows('the folder', /"Files","children":\[\{"label":"HOST-3 Tag/);
      await new HistoryFolder(path.join(path.dirname(benchmarks), 'history')).add({
        ...{ startedAt: new Date(), ms: 1, scope: '', connections: ['x'], problems: 0 },
        outcomes: [{ control: 'HOST-3', connection: 'x', outcome: 'fail' }],
      });
      await shows('a run of the terminal', /HOST-3 Tagged[^"]*in the history/);
      // A control may be in it, so it is not left out without a word.
      await writeFile(unreadable, Buffer.from([0x2d, 0x2d, 0xff]));
      await shows(
        'the file that is no text',
        /"label":"no-text\.identity\.sql","error":"it is not UTF-8 text/,
      );
      await vscode.commands.executeCommand(commands.controlsGroupBy, 'benchmark');
      await writeFile(benchmarks, '{\n"benchmarks": [{}]}');
      await shows('the problem', /benchmarks\.json:2: A benchmark needs/);
    } finally {
      await vscode.commands.executeCommand(commands.controlsGroupBy, 'benchmark');
      await rm(path.dirname(benchmarks), { recursive: true, force: true });
      await rm(file, { force: true });
      await rm(unreadable, { force: true });
    }
  });

  test('Watch Control notifies once when an outcome changes', async () => {
    const text = '-- @control HOST-4 Watched\nSELECT 1 AS one WHERE false';
    const query = await createQuery(colleague, text);
    const said = answerMessages('showInformationMessage', () => undefined);
    const warned = answerMessages('showWarningMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      const toggle = () =>
        vscode.commands.executeCommand(commands.controlWatch, { id: uriOf(query).toString() });
      await toggle();
      assert.match(said.texts[0] ?? '', /^HOST-4 Watched runs every 15 min/);
      const label = async () => JSON.stringify(await vscode.commands.executeCommand(commands.controlsState));
      await until('it ran', async () => /HOST-4 Watched · Pass, .* · watched/.test(await label()));
      assert.deepEqual(warned.texts, []);
      const document = await vscode.workspace.openTextDocument(uriOf(query));
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.replace(document.lineAt(1).range, 'SELECT 1 AS one'));
      // Watching starts with a run.
      await toggle();
      await toggle();
      await until('it failed', async () => /HOST-4 Watched · Failed/.test(await label()));
      assert.deepEqual(warned.texts, ['HOST-4 Watched: Pass → Failed']);
      await toggle();
      await toggle();
      assert.equal(warned.texts.length, 1, 'the same outcome is no news');
      await toggle();
      assert.doesNotMatch(await label(), /watched/);
      assert.equal(said.texts.at(-1), 'HOST-4 Watched is no longer watched.');
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    } finally {
      said.dispose();
      warned.dispose();
      await colleague.savedQueries.delete(query.query_id);
    }
  });
});

/** Accepts each input box with the given text. If it is undefined, accepts the current value. */
function answerBoxes(answers: readonly (string | undefined)[]) {
  const prompts: (string | undefined)[] = [];
  const original = vscode.window.createInputBox.bind(vscode.window);
  const played = () => {
    const box = original();
    const accepted = new vscode.EventEmitter<void>();
    Object.defineProperty(box, 'onDidAccept', { value: accepted.event, configurable: true });
    Object.defineProperty(box, 'show', {
      configurable: true,
      value: () => {
        const answer = answers[prompts.length];
        prompts.push(box.prompt);
        if (answer !== undefined) box.value = answer;
        accepted.fire();
      },
    });
    return box;
  };
  Object.assign(vscode.window, { createInputBox: played });
  return { prompts, dispose: () => void Object.assign(vscode.window, { createInputBox: original }) };
}
