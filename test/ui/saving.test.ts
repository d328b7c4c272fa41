/**
 * Two users edit one saved query in two windows: conflicts, merges, a restart, a name already in use, an offline
 * service.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import {
  clearNotifications,
  conflictFits,
  createElsewhere,
  lensesFit,
  save,
  saveElsewhere,
  takeNewest,
} from '../helpers/colleague.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

const name = 'Accounts still enabled after their owner left';
const lines = ['SELECT', '  id,', '  alias', 'FROM accounts', 'WHERE enabled', 'ORDER BY id', 'LIMIT 10'];

suite('saving, with a colleague', () => {
  let sandbox: RunningSandbox;
  before(async () => (sandbox = await startSandbox({ from: 'dist' })));
  after(() => sandbox.stop());

  test('the lenses of a conflict fit in a small window in French', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    const query = await createElsewhere(sandbox, 'Access/Leavers');
    await withWorkbench({ name: 'lenses-fr', env, language: 'fr' }, async (window) => {
      await window.openIdentityView();
      await conflictFits(window, sandbox, { language: 'fr', query });
    });
  });

  // Last, since it stops the service.
  test('two people resolve conflicts of every kind, and nothing is lost', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name: 'saving', env }, async (mine) => {
      const theirs = await mine.openWindow();
      for (const window of [mine, theirs]) {
        await window.openIdentityView();
        await window.treeItem(name).click();
        await window.editor.getByText('SELECT').first().waitFor();
      }

      // Both sides changed the same line, so both versions are shown and the user chooses one.
      await save(theirs, 'SELECT 2 AS theirs', 2, name);
      await mine.setEditorText('SELECT 1 AS mine');
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.tab(/version 2 by .* ↔ yours, from version 1/).waitFor();
      for (const way of ['Merge', 'Save Mine', 'More...']) {
        const button = mine.notificationButton(/./, way);
        await button.waitFor();
        assert.ok(await button.evaluate((node) => node.scrollWidth <= node.clientWidth), `${way} is whole`);
      }
      await mine.statusBar(/Conflict with version 2/).waitFor();
      await mine.screenshots('conflict');
      assert.equal(await mine.notification(/Unable to write file/).count(), 0, 'it is said in our words');
      // Without the diff, the code lenses offer the same, even in a small window.
      await mine.runCommand('View: Close Editor');
      await lensesFit(mine, 'conflict', ['Merge', 'Save Mine', 'Take Theirs', 'Compare', 'More...']);
      await mine.editor.locator('.codelens-decoration a').filter({ hasText: 'Save Mine' }).click();
      await mine.treeItem(new RegExp(`${name}, version 3`)).waitFor();
      await mine.statusBar(/Conflict/).waitFor({ state: 'detached' });
      await clearNotifications(mine);

      // Edits that don't overlap are merged for review, and saved on confirmation.
      await save(mine, lines.join('\n'), 4, name);
      await takeNewest(theirs, 'LIMIT');
      await save(theirs, lines.join('\n').replace('10', '20'), 5, name);
      await mine.setEditorText(lines.join('\n').replace('id,', `${'id, '.repeat(90)}uid,`));
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.tab(/version 5 by .* ↔ merged with yours/).waitFor();
      await mine.notificationButton(/./, 'Save Merged as Version 6').waitFor();
      const right = async (part: Locator) => {
        const box = await part.boundingBox();
        return box === null ? Infinity : box.x + box.width;
      };
      const change = mine.editor.locator('.view-line > span > span', { hasText: 'uid' }).last();
      await mine.until(
        'the change is in sight',
        async () => (await right(change)) <= (await right(mine.editor)),
      );
      await mine.screenshot('merged');
      await mine.runCommand('View: Close Editor');
      await lensesFit(mine, 'merge', ['Save Merged as Version 6', 'Undo Merge', 'Compare']);
      // The status bar offers the same for as long as the merge is not saved.
      await mine.statusBar(/Merged with version 5, not saved/).click();
      for (const way of ['Save Merged as Version 6', 'Undo Merge', 'Compare'])
        await mine.quickPick(way).waitFor();
      await mine.screenshot('after-merge');
      await mine.quickPick('Save Merged as Version 6').click();
      await mine.treeItem(new RegExp(`${name}, version 6`)).waitFor();
      await mine.statusBar(/Merged with version 5/).waitFor({ state: 'detached' });
      await mine.tab(/merged with yours/).waitFor({ state: 'detached' });
      await clearNotifications(mine);

      // A manual merge shows conflict markers with choices, and cannot be saved until they are resolved.
      await takeNewest(theirs, 'uid');
      await save(theirs, lines.join('\n').replace('enabled', 'is_admin'), 7, name);
      await mine.setEditorText(lines.join('\n').replace('enabled', 'NOT enabled'));
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.answerNotification(/./, 'More...');
      for (const way of ['Compare', 'Save Mine', 'Take Theirs', 'Save as New...'])
        await mine.quickPick(way).waitFor();
      await mine.screenshot('ways');
      await mine.quickPick('Merge').click();
      await mine.editor.getByText('<<<<<<<').first().waitFor();
      await mine.editor.getByText('Keep Both').first().waitFor();
      await clearNotifications(mine);
      // The reminder stays until no marker is left, and leads to the next one.
      await mine.statusBar(/Conflict with version 7/).waitFor();
      await mine.screenshot('markers');
      await mine.page.keyboard.press('ControlOrMeta+End');
      await mine.statusBar(/Conflict with version 7/).click();
      await mine.statusBar(/Ln 5, Col 1/).waitFor();
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine
        .notification(/conflict markers/)
        .first()
        .waitFor();
      await clearNotifications(mine);
      await mine.editor.getByText('Keep Mine').first().click();
      await mine.editor.getByText('<<<<<<<').first().waitFor({ state: 'detached' });
      await mine.statusBar(/Conflict/).waitFor({ state: 'detached' });
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.treeItem(new RegExp(`${name}, version 8`)).waitFor();

      // Unsaved edits are restored with the window and keep their base version. Use one window, since two would share
      // backups.
      await theirs.close();
      await mine.setEditorText('SELECT 9 AS kept');
      await mine.backedUp('identity-query', 'SELECT 9 AS kept');
      await saveElsewhere(sandbox, 'SELECT 9 AS newer', name);
      await restart(mine);
      await mine.editor.getByText('kept').first().waitFor();
      await mine.treeItem(new RegExp(`${name}, version 9`)).waitFor();
      await mine.editor.click();
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.tab(/version 9 by .* ↔ yours, from version 8/).waitFor();
      await mine.screenshot('after-restart');
      await mine.choose(() => mine.statusBar(/Conflict with version 9/).click(), 'Take Theirs');
      await mine.editor.getByText('newer').first().waitFor();
      await clearNotifications(mine);

      await takenName(mine);
      await away(mine);
    });
  });

  /** The message shows the query that already has the name, with matching options. */
  async function takenName(window: Workbench): Promise<void> {
    const record = await createElsewhere(sandbox, 'Leavers with access');
    await window.runCommand('Identity Queries: New Query');
    await window.tab(/Untitled/).waitFor();
    await window.setEditorText('SELECT alias FROM accounts WHERE enabled');
    await window.runCommand('Identity Queries: Save as New...');
    await window.quickPick('Save to').waitFor();
    await window.quickInput.fill(record.toUpperCase());
    await window.page.keyboard.press('Enter');
    await window.quickPick('Save as Its Version 2...').waitFor();
    await window.screenshot('taken-name');
    await window.quickPick('Use Another Name...').click();
    await window.quickPick(`${record.toUpperCase()} (2)`).waitFor();
    await window.page.keyboard.press('Escape');
    await window.tab(/Untitled/).waitFor();
    await window.runCommand('View: Close Editor');
    await window.page.getByRole('button', { name: "Don't Save" }).click();
  }

  /** If the service is unreachable, the text is kept and one message reports the failure. */
  async function away(window: Workbench): Promise<void> {
    await window.setEditorText('SELECT 10 AS offline');
    await sandbox.stop();
    await window.page.keyboard.press('ControlOrMeta+S');
    await window.notification(/was not saved: the service is not available/).waitFor();
    await window.screenshot('away');
    assert.equal(await window.notification(/Unable to write file|Failed to save/).count(), 0);
    await window.editor.getByText('offline').first().waitFor();
    // The extension's Save All shows the same message. The editor's own Save All would wrap it.
    await clearNotifications(window);
    await window.runCommand('Identity Queries: Save All Queries');
    await window.notification(/was not saved: the service is not available/).waitFor();
    assert.equal(await window.notification(/Unable to write file|Failed to save/).count(), 0);
    await clearNotifications(window);
    await window.runCommand('File: Save All');
    await window.notification(/Failed to save .*was not saved: the service is not available/).waitFor();
    await window.screenshot('away-save-all');
  }
});

/** Reloads the window, which is like closing and reopening it. */
async function restart(window: Workbench): Promise<void> {
  await window.page.reload();
  await window.page.locator('.monaco-workbench .part.statusbar').waitFor();
  await window.openIdentityView();
}
