/** The extension host is killed while a query has edits. The text and its base version survive. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

const name = 'Accounts still enabled after their owner left';

suite('saving, after kill -9 of the extension host', () => {
  let sandbox: RunningSandbox;
  before(async () => (sandbox = await startSandbox({ from: 'dist' })));
  after(() => sandbox.stop());

  test('edits are restored with their version, and saving them replaces nothing unseen', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name: 'saving-crash', env }, async (window) => {
      await window.openIdentityView();
      await window.treeItem(name).click();
      await window.editor.getByText('SELECT').first().waitFor();

      // The window stays open while its extensions restart.
      await window.setEditorText('SELECT 1 AS mine');
      await baseIsKept(window, 1);
      await kill(window);
      await saveElsewhere('SELECT 2 AS theirs');
      await window.until('the extensions run again', () =>
        Promise.resolve(window.extensionHosts().length > 1),
      );
      await window.treeItem(new RegExp(`${name}, version 2`)).waitFor();
      await window.editor.click();
      await window.page.keyboard.press('ControlOrMeta+S');
      await window.tab(/version 2 by .* ↔ yours, from version 1/).waitFor();
      await window.screenshot('conflict');
      await window.answerNotification(/./, 'Save Mine');
      await window.treeItem(new RegExp(`${name}, version 3`)).waitFor();
      await window.runCommand('Notifications: Clear All Notifications');

      // The window closes as well, and restores its backup when it reopens.
      await window.setEditorText('SELECT 3 AS kept');
      await window.backedUp('identity-query', 'SELECT 3 AS kept');
      await baseIsKept(window, 3);
      await kill(window);
      await saveElsewhere('SELECT 4 AS newer');
      await window.page.reload();
      await window.page.locator('.monaco-workbench .part.statusbar').waitFor();
      await window.openIdentityView();
      await window.editor.getByText('kept').first().waitFor();
      await window.treeItem(new RegExp(`${name}, version 4`)).waitFor();
      await window.editor.click();
      await window.page.keyboard.press('ControlOrMeta+S');
      await window.tab(/version 4 by .* ↔ yours, from version 3/).waitFor();
      await window.screenshot('conflict-after-reload');
      assert.equal((await newest()).query_string, 'SELECT 4 AS newer', 'nothing is replaced unseen');
    });
  });

  async function kill(window: Workbench): Promise<void> {
    const id = window.extensionHosts().at(-1);
    assert.ok(id, 'the server says which process runs the extensions');
    process.kill(id, 'SIGKILL');
    await window.until('the process is gone', () => Promise.resolve(!isRunning(id)));
  }

  async function baseIsKept(window: Workbench, version: number): Promise<void> {
    await window.until(`version ${version} is kept as what the edits come from`, async () => {
      const files = globSync('**/bases/*.json', { cwd: window.serverData });
      // A file may disappear between listing and reading it.
      const read = (file: string) => readFile(path.join(window.serverData, file), 'utf8').catch(() => '');
      return (await Promise.all(files.map(read))).some((text) => text.includes(`"version":${version}`));
    });
  }

  async function newest() {
    const client = createClient(sandbox);
    try {
      const all = await Array.fromAsync(client.savedQueries.listAll());
      const query = all.find((each) => each.name.endsWith(name));
      assert.ok(query);
      return await client.savedQueries.get(query.query_id);
    } finally {
      await client.close();
    }
  }

  /** Saves the query through another client, as a colleague would. */
  async function saveElsewhere(text: string): Promise<void> {
    const query = await newest();
    const client = createClient(sandbox);
    try {
      await client.savedQueries.update(query.query_id, {
        name: query.name,
        query_string: text,
        expected_version: query.version,
      });
    } finally {
      await client.close();
    }
  }
});

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false; // the process does not exist
  }
}
