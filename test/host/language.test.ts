/** The language server in a real editor: diagnostics, quick fixes, code lenses, reports. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import { codeOf } from '#client/features/language/code-of.ts';
import { answerMessages, answerPrompts, createQuery, draft, open, until, useService } from './support.ts';

interface WatchedServers {
  /** Kills the running servers and returns their number. */
  crash(): number;
  dispose(): void;
}

/** Watches language servers that start from now on. */
function watchServers(): WatchedServers {
  const started: ChildProcess[] = [];
  const note = (event: unknown) => void started.push((event as { readonly process: ChildProcess }).process);
  subscribe('child_process', note);
  return {
    crash() {
      const running = started
        .splice(0)
        .filter(({ spawnargs }) => spawnargs.some((argument) => argument.endsWith('server.cjs')));
      for (const server of running) server.kill('SIGKILL');
      return running.length;
    },
    dispose: () => void unsubscribe('child_process', note),
  };
}

suite('language', () => {
  const { colleague } = useService();

  /** Waits for a diagnostic with this code in the document, and returns it. */
  async function marked(document: vscode.TextDocument, code: string): Promise<vscode.Diagnostic> {
    let found: vscode.Diagnostic | undefined;
    await until(`${code} is reported`, () => {
      found = vscode.languages.getDiagnostics(document.uri).find((each) => codeOf(each) === code);
      return found !== undefined;
    });
    return found as vscode.Diagnostic; // until() found it
  }

  async function actionAt(
    document: vscode.TextDocument,
    range: vscode.Range,
    title: RegExp,
  ): Promise<vscode.CodeAction> {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
    );
    const found = actions.find((action) => title.test(action.title));
    assert.ok(found, actions.map((action) => action.title).join(', '));
    return found;
  }

  test('the report of a false positive contains no names or values', async () => {
    const document = await draft(
      "SELECT salary, 'hunter2' FROM payroll p WHERE p.owner = NULL AND p.id = :who AND p.rank > 4711",
    );
    const { range } = await marked(document, 'NULL_COMPARISON');
    const { command } = await actionAt(document, range, /^Report a false positive/);
    assert.equal(command?.command, commands.languageReportFalsePositive);
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    const report = await vscode.env.clipboard.readText();
    assert.match(report, /^False positive of Identity Queries\nCode: NULL_COMPARISON\n/);
    assert.match(report, /where .* >>> = null and/);
    for (const own of ['salary', 'hunter2', 'payroll', 'owner', 'who', 'rank', '4711']) {
      assert.ok(!report.includes(own), `${own} is in the report:\n${report}`);
    }
  });

  test('a finding is explained from its link and at the cursor', async () => {
    const document = await draft('SELECT a FROM t WHERE a = NULL');
    const { code, range } = await marked(document, 'NULL_COMPARISON');
    assert.ok(typeof code === 'object');
    assert.equal(
      decodeURIComponent(code.target.toString(true)),
      `command:${commands.languageExplainFinding}?["NULL_COMPARISON"]`,
    );
    await vscode.commands.executeCommand(code.target.path, ...(JSON.parse(code.target.query) as unknown[]));
    await until('the page is shown', () => explanation() !== undefined);
    await vscode.window.tabGroups.close(explanation() as vscode.Tab); // until() found it
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(range.start, range.start);
    await vscode.commands.executeCommand(commands.languageExplainFinding);
    await until('the page is shown again', () => explanation() !== undefined);
  });

  test('a server that crashes repeatedly is reported, and restarts on demand', async () => {
    const document = await draft('SELECT a FROM t WHERE a = NULL');
    await marked(document, 'NULL_COMPARISON');
    const servers = watchServers();
    let restart: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => (restart = resolve));
    const told = answerMessages('showErrorMessage', async ([first]) => {
      await decided;
      return first;
    });
    try {
      await vscode.commands.executeCommand(commands.languageRestart);
      let crashes = 0;
      await until('the library has given up', () => {
        crashes += servers.crash();
        return told.texts.length > 0;
      });
      assert.match(told.texts[0] ?? '', /^The language server of Identity Queries stopped/);
      assert.ok(crashes >= 5, `it was started again before: ${crashes}`);
      await until('nothing is marked', () => vscode.languages.getDiagnostics(document.uri).length === 0);
      restart();
      await marked(document, 'NULL_COMPARISON');
      // The counter was reset, so one more crash is handled silently.
      await until('it crashes once more', () => servers.crash() > 0);
      await until('nothing is marked', () => vscode.languages.getDiagnostics(document.uri).length === 0);
      await marked(document, 'NULL_COMPARISON');
      assert.equal(told.texts.length, 1);
    } finally {
      servers.dispose();
      told.dispose();
    }
  });

  test('a syntax error is corrected by its fix', async () => {
    const document = await draft('SELECT id,\nFROM accounts');
    const { range } = await marked(document, 'QUERY_PARSE_ERROR');
    const { edit } = await actionAt(document, range, /^Remove the comma$/);
    assert.ok(edit);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), 'SELECT id\nFROM accounts');
    await until('nothing is wrong', () =>
      vscode.languages.getDiagnostics(document.uri).every((each) => codeOf(each) !== 'QUERY_PARSE_ERROR'),
    );
  });

  test('after the dot of a column, the functions that accept it are offered', async () => {
    const text = 'SELECT born.tru FROM (SELECT now()::date AS born) s';
    const document = await draft(text);
    let found: vscode.CompletionItem | undefined;
    await until('date_trunc is offered', async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(0, 'SELECT born.tru'.length),
      );
      found = items.find((item) => titleOf(item) === 'date_trunc');
      return found !== undefined;
    });
    assert.ok(found?.insertText instanceof vscode.SnippetString);
    assert.equal(found.insertText.value, 'date_trunc($1, born)');
    assert.ok(found.range instanceof vscode.Range);
    assert.equal(document.getText(found.range), 'born.tru');
    assert.equal(found.filterText, 'born.date_trunc');
  });

  test('typing goes on behind the closing quote of an accepted value', async () => {
    const text = 'SELECT alias FROM accounts WHERE mfa_requirements = ';
    const document = await draft(`${text}''`);
    const editor = await vscode.window.showTextDocument(document);
    await until('the value is offered', async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(0, text.length + 1),
      );
      return items.some((item) => titleOf(item) === 'Required');
    });
    const [from, to] = [new vscode.Position(0, text.length), new vscode.Position(0, text.length + 2)];
    editor.selection = new vscode.Selection(from, to);
    await vscode.commands.executeCommand('deleteLeft');
    // The editor closes the quote and opens the suggestions.
    await vscode.commands.executeCommand('type', { text: "'" });
    assert.equal(document.getText(), `${text}''`);
    await until('the value is accepted', async () => {
      await vscode.commands.executeCommand('acceptSelectedSuggestion');
      return document.getText().includes('Required');
    });
    await vscode.commands.executeCommand('type', { text: ' AND enabled' });
    assert.equal(document.getText(), `${text}'Required' AND enabled`);
  });

  test('each statement in a text has code lenses', async () => {
    const document = await draft('-- @param a date\nSELECT :a;\nSELECT 2');
    let lenses: vscode.CodeLens[] = [];
    await until('there are lenses', async () => {
      lenses = await lensesOf(document);
      return lenses.length > 0;
    });
    const shown = lenses.map(({ range, command }) => [range.start.line, command?.title]);
    assert.deepEqual(shown, [
      [1, 'Run'],
      [1, 'Save'],
      [1, 'Parameters: :a'],
      [2, 'Run'],
      [2, 'Save'],
    ]);
  });

  test('the code lenses of an only statement are in one line, above its directives', async () => {
    const document = await draft('-- @param a date\n\nSELECT :a');
    const own = [commands.querySelectModel, commands.queryRun, commands.savedQuerySaveAsNew];
    let places: readonly [string, number][] = [];
    await until('all of them are there', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      places = lenses.map(({ range, command }) => [command?.command ?? '', range.start.line]);
      return own.every((id) => places.some(([shown]) => shown === id));
    });
    assert.deepEqual(
      places.filter(([, line]) => line !== 0),
      [],
    );
  });

  test('saving one of several statements saves it with the directives that apply to it', async () => {
    const text = '-- @param a date\n-- @param b text\nSELECT :a AS a;\n  SELECT :b AS b';
    const source = await createQuery(colleague, text);
    const document = await open(source);
    const at = (line: number, from: number, to: number) => ({
      start: { line, character: from },
      end: { line, character: to },
    });
    const statement = { uri: document.uri.toString(), range: at(3, 2, 16) };
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, {
        ...statement,
        parts: [at(1, 0, 16), statement.range],
      }),
    );
    let saved: SavedQuery | undefined;
    for await (const query of colleague.savedQueries.listAll()) {
      saved = query.name !== source.name && query.name.includes(source.name) ? query : saved;
    }
    assert.equal(saved?.query_string, '-- @param b text\nSELECT :b AS b');
  });
});

/** Returns the editor's preview of the page that lists all codes. */
function explanation(): vscode.Tab | undefined {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input, label }) => input instanceof vscode.TabInputWebview && /diagnostics\.md/.test(label));
}

async function lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    100,
  );
  // Exclude lenses of other features.
  return lenses.filter(({ command }) => /^(Run|Save|Parameters)/.test(command?.title ?? ''));
}

/** The text of a suggestion, without its type. */
function titleOf({ label }: vscode.CompletionItem): string {
  return typeof label === 'string' ? label : label.label;
}
