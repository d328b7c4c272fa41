/**
 * Evidence in a real editor: copied, verified from the clipboard, a file and an editor, and compared with another run.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import type { EvidenceReport } from '#client/features/evidence/verify-evidence.ts';
import type { Evidence } from '#core/evidence/evidence.ts';
import { run, stateOf, withSettings } from './run-support.ts';
import { closeAllEditors, createQuery, open, replaceAll, until, useService } from './support.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

suite('evidence', () => {
  const { colleague } = useService();
  let folder: string;

  suiteSetup(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-evidence-'));
  });
  suiteTeardown(() => rm(folder, { recursive: true, maxRetries: 5 }));

  async function ran(text: string): Promise<SavedQuery> {
    const query = await createQuery(colleague, text);
    await open(query);
    await run();
    await stateOf('rows');
    return query;
  }

  async function copied(argument?: unknown): Promise<Evidence> {
    const evidence = await vscode.commands.executeCommand<Evidence | undefined>(
      commands.resultsCopyEvidence,
      argument,
    );
    assert.ok(evidence !== undefined);
    return evidence;
  }

  async function verified(argument?: unknown): Promise<Record<string, string>> {
    const report = await vscode.commands.executeCommand<EvidenceReport | undefined>(
      commands.evidenceVerify,
      argument,
    );
    assert.ok(report !== undefined);
    const document = await vscode.workspace.openTextDocument(report.uri);
    assert.match(document.getText(), /^# Evidence of /);
    return Object.fromEntries(report.checks.map(({ subject, outcome }) => [subject, outcome]));
  }

  const allMatch = { record: 'matches', service: 'matches', text: 'matches', statement: 'matches' };

  test('of a saved query is verified from the clipboard and from a file, by reading its rows again', async () => {
    const text = "-- whose\nSELECT n, 'a' AS letter FROM generate_series(1, 3) AS n ORDER BY n";
    const query = await ran(text);
    const uri = vscode.Uri.file(path.join(folder, 'three.evidence.json'));
    const evidence = await copied({ uri });
    assert.deepEqual(
      [evidence.query.id, evidence.query.version, evidence.query.edited, evidence.query.sha256],
      [query.query_id, 1, false, sha256(text)],
    );
    const lines = ['[["n","int4"],["letter","text"]]', '[1,"a"]', '[2,"a"]', '[3,"a"]'];
    assert.equal(evidence.rows.sha256, sha256(lines.map((line) => `${line}\n`).join('')));
    assert.deepEqual([evidence.rows.count, evidence.rows.truncated], [3, false]);
    assert.deepEqual(JSON.parse(await readFile(uri.fsPath, 'utf8')), JSON.parse(JSON.stringify(evidence)));
    const clipboard = await vscode.env.clipboard.readText();
    assert.ok(clipboard.includes(evidence.checksum) && !clipboard.includes('generate_series'));

    await closeAllEditors();
    assert.deepEqual(await verified(), { ...allMatch, readable: 'matches' });
    const isPreview = () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
    };
    await until('the report is a preview', isPreview);
    await vscode.commands.executeCommand('markdown.showSource');
    const source = vscode.window.activeTextEditor?.document;
    assert.equal(source?.uri.scheme, 'identity-query-evidence');
    assert.match(source.getText(), /^# Evidence of /);
    await closeAllEditors();
    assert.deepEqual(await verified({ uri, runAgain: true }), {
      ...allMatch,
      columns: 'matches',
      count: 'matches',
      rows: 'matches',
    });

    // Create a newer version. This machine still has the version in the record.
    await colleague.savedQueries.update(query.query_id, {
      name: query.name,
      query_string: 'SELECT 4',
      expected_version: 1,
    });
    assert.deepEqual(await verified({ uri }), allMatch);
  });

  test('contains bound values but no secret, and detects rows that have changed since', async () => {
    const text =
      '-- @param key secret\n-- @param names text[]\nSELECT random() AS r, :since::date AS since, :names::text[] AS names WHERE :key <> $$$$';
    await withSettings({ 'run.askParameters': 'always' }, async () => {
      const query = await createQuery(colleague, text);
      await open(query);
      await run();
      await stateOf('parameters');
      const values = { key: 'hunter2', since: 'today - 1 day', names: 'a\n"b, c"' };
      await vscode.commands.executeCommand(commands.parametersSubmit, values);
      await stateOf('rows');
      const evidence = await copied({ uri: vscode.Uri.file(path.join(folder, 'secret.json')) });
      const json = JSON.stringify(evidence);
      assert.equal(json.includes('hunter2') || json.includes(sha256('hunter2')), false);
      const since = evidence.parameters.find(({ name }) => name === 'since');
      assert.ok(since !== undefined && 'value' in since);
      assert.equal(since.entered, 'today - 1 day');
      assert.match(String(since.value), /^\d{4}-\d\d-\d\d$/);
      await closeAllEditors();

      const again = verified({ text: json, runAgain: true });
      const form = await stateOf('parameters');
      assert.deepEqual(
        form.fields.map(({ name, text: shown }) => [name, shown]).sort(),
        [
          ['key', ''],
          ['names', 'a\n"b, c"'],
          ['since', String(since.value)],
        ].sort(),
      );
      await vscode.commands.executeCommand(commands.parametersSubmit, { key: 'hunter2' });
      const outcomes = await again;
      assert.deepEqual(
        [outcomes['parameters'], outcomes['count'], outcomes['rows']],
        ['unknown', 'matches', 'differs'],
      );
    });
  });

  test('of a partial result is verified by reading the same number of rows, page by page', async () => {
    await withSettings({ 'results.pageSize': 100 }, async () => {
      await ran('SELECT n FROM generate_series(1, 350) AS n ORDER BY n');
      const evidence = await copied({ uri: vscode.Uri.file(path.join(folder, 'part.json')) });
      assert.deepEqual([evidence.rows.count, evidence.rows.truncated], [100, true]);
      await withSettings({ 'results.pageSize': 60 }, async () => {
        const outcomes = await verified({ text: JSON.stringify(evidence), runAgain: true });
        assert.deepEqual([outcomes['count'], outcomes['rows']], ['matches', 'matches']);
      });
    });
  });

  test('verifies an edited text only from the history, and reports a changed or missing record', async () => {
    const query = await createQuery(colleague, 'SELECT 1 AS one');
    const document = await open(query);
    await replaceAll(document, 'SELECT 1 AS one, 2 AS two');
    await run();
    await stateOf('rows');
    const evidence = await copied({ uri: vscode.Uri.file(path.join(folder, 'edited.json')) });
    assert.equal(evidence.query.edited, true);
    await closeAllEditors();
    const changed = { ...evidence, rows: { ...evidence.rows, count: 2 } };
    assert.deepEqual(await verified({ text: JSON.stringify(changed) }), {
      record: 'differs',
      service: 'matches',
      text: 'unknown',
      statement: 'matches',
    });

    const shown: string[] = [];
    const original = vscode.window.showErrorMessage;
    Object.assign(vscode.window, {
      showErrorMessage: (message: string) => {
        shown.push(message);
        return Promise.resolve(undefined);
      },
    });
    try {
      await vscode.env.clipboard.writeText('no evidence');
      await vscode.commands.executeCommand(commands.evidenceVerify);
      await vscode.commands.executeCommand(commands.evidenceVerify, {
        text: '{"format": "identity-queries-evidence/9"}',
      });
    } finally {
      Object.assign(vscode.window, { showErrorMessage: original });
    }
    assert.match(shown[0] ?? '', /no evidence in the selection/);
    assert.match(shown[1] ?? '', /evidence\/9, which this version of the extension does not know/);
  });
});
