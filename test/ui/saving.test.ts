/**
 * Two users edit one saved query in two windows: conflicts, merges, a restart, a name already in use, an offline
 * service.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { fittingLenses } from '#client/features/saved-queries/conflicts/fitting-lenses.ts';
import { readCatalogue } from '#scripts/lib/catalogues.js';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { windowSize, withWorkbench, type Workbench } from '../helpers/workbench.ts';

const name = 'Accounts still enabled after their owner left';
const lines = ['SELECT', '  id,', '  alias', 'FROM accounts', 'WHERE enabled', 'ORDER BY id', 'LIMIT 10'];

suite('saving, with a colleague', () => {
  let sandbox: RunningSandbox;
  before(async () => (sandbox = await startSandbox({ from: 'dist' })));
  after(() => sandbox.stop());

  test('what another window saved is the newest everywhere at once, and a merge is offered only once', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name: 'two-windows', env }, async (mine) => {
      const query = 'Dormant access';
      const theirs = await mine.openWindow();
      for (const window of [theirs, mine]) {
        await window.openIdentityView();
        await window.treeItem(query).click();
        await window.editor.getByText('SELECT').first().waitFor();
      }
      // The row of a query that Ctrl+T opens is selected, too.
      const chosen = mine.page.locator('.part.sidebar [role="treeitem"][aria-selected="true"]');
      for (const other of ['Methods in use', query]) {
        await mine.choose(async () => {
          await mine.runCommand('Go to Symbol in Workspace...');
          await mine.quickInput.fill(`#${other}`);
        }, other);
        await chosen.filter({ hasText: other }).waitFor();
      }

      await save(mine, lines.join('\n'), 2, query);
      await takeNewest(theirs, 'LIMIT');
      await save(theirs, lines.join('\n').replace('10', '20'), 3, query);
      await mine.runCommand('Saved Query: Show Versions...');
      await mine.quickPick(/Version 3.*newest/).waitFor();
      assert.equal(await mine.quickPick(/newest/).count(), 1);
      await mine.treeItem(new RegExp(`${query}, version 3`)).waitFor();
      await mine.page.keyboard.press('Escape');
      await mine.notification(/has a newer version: version 3/).waitFor();

      await mine.setEditorText(lines.join('\n').replace('id,', 'uid,'));
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.notificationButton(/do not overlap/, 'Save Merged as Version 4').waitFor();
      assert.equal(await mine.notification(/has a newer version/).count(), 0);
    });
  });

  test('the notification about a failed refresh goes once a refresh works, and that of no connection once there is one', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name: 'failed-refresh', env }, async (window) => {
      await window.openIdentityView();
      await window
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      const refresh = () => window.runCommand('Saved Queries: Refresh');
      const failed = () => window.notification(/The saved queries could not be read/);
      await sandbox.setFaults([
        { path: '/v1/query/saved-queries', always: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
      ]);
      try {
        await refresh();
        await window.notificationButton(/The saved queries could not be read/, 'Try Again').waitFor();
      } finally {
        await sandbox.setFaults([]);
      }
      await refresh();
      await failed().waitFor({ state: 'hidden' });

      // That there is no connection is out of date with any command that connects.
      const notConnected = () => window.notification(/Not connected to Sandbox/);
      await sandbox.setFaults([{ path: '/v1/*', always: { kind: 'status', status: 503 } }]);
      try {
        await window.runCommand('Identity Queries: Connect to Service...');
        await window.quickPick('Sandbox').first().click();
        await notConnected().waitFor();
      } finally {
        await sandbox.setFaults([]);
      }
      await window.runCommand('Identity Queries: Connect to Service...');
      await window.quickPick('Connect Again').first().click();
      await window.treeItem(/owner left/).waitFor();
      await notConnected().waitFor({ state: 'hidden' });
    });
  });

  test('the notification about a failed save goes once the query is saved', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await createElsewhere('Access/Saved at last');
    await withWorkbench({ name: 'failed-save', env }, async (window) => {
      await window.openIdentityView();
      await window.treeItem('Saved at last').first().click();
      await window.editor.getByText('SELECT').first().waitFor();
      const refused = { kind: 'status', status: 403, code: 'FORBIDDEN' } as const;
      await sandbox.setFaults([{ method: 'PUT', path: '/v1/query/saved-queries/*', always: refused }]);
      try {
        await window.setEditorText('SELECT 1 AS mine');
        await window.page.keyboard.press('ControlOrMeta+S');
        await window.notificationButton(/was not saved/, 'Try Again').waitFor();
      } finally {
        await sandbox.setFaults([]);
      }
      await window.page.keyboard.press('ControlOrMeta+S');
      await window.notification(/was not saved/).waitFor({ state: 'hidden' });
    });
  });

  for (const language of ['de', 'fr'])
    test(`the lenses of a conflict fit in a small window: ${language}`, async () => {
      const catalogue = readCatalogue(`l10n/bundle.l10n.${language}.json`);
      const own = (english: string): string => catalogue[english] ?? english;
      const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
      const query = await createElsewhere(`Access/Leavers (${language})`);
      await withWorkbench({ name: `lenses-${language}`, env, language }, async (window) => {
        await window.openIdentityView();
        await window.treeItem(`Leavers (${language})`).first().click();
        await window.editor.getByText('SELECT').first().waitFor();
        await saveElsewhere(`SELECT 'of a colleague, in ${language}' AS a`, query);
        await window.setEditorText('SELECT 1 AS mine');
        await window.page.keyboard.press('ControlOrMeta+S');
        await window.tab(/↔/).waitFor();
        await window.page.keyboard.press('ControlOrMeta+W');
        const ways = ['Merge', 'Save Mine', 'Take Theirs', 'Compare'].map((way) => ({ title: own(way) }));
        const titles = fittingLenses(ways, own('More...')).map(({ title }) => title);
        await lensesFit(window, `conflict-${language}`, [...titles, own('More...')]);
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
      await save(theirs, 'SELECT 2 AS theirs', 2);
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
      await clear(mine);

      // Edits that don't overlap are merged for review, and saved on confirmation.
      await save(mine, lines.join('\n'), 4);
      await takeNewest(theirs, 'LIMIT');
      await save(theirs, lines.join('\n').replace('10', '20'), 5);
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
      await clear(mine);

      // A manual merge shows conflict markers with choices, and cannot be saved until they are resolved.
      await takeNewest(theirs, 'uid');
      await save(theirs, lines.join('\n').replace('enabled', 'is_admin'), 7);
      await mine.setEditorText(lines.join('\n').replace('enabled', 'NOT enabled'));
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.answerNotification(/./, 'More...');
      for (const way of ['Compare', 'Save Mine', 'Take Theirs', 'Save as New...'])
        await mine.quickPick(way).waitFor();
      await mine.screenshot('ways');
      await mine.quickPick('Merge').click();
      await mine.editor.getByText('<<<<<<<').first().waitFor();
      await mine.editor.getByText('Keep Both').first().waitFor();
      await clear(mine);
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
      await clear(mine);
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
      await saveElsewhere('SELECT 9 AS newer');
      await restart(mine);
      await mine.editor.getByText('kept').first().waitFor();
      await mine.treeItem(new RegExp(`${name}, version 9`)).waitFor();
      await mine.editor.click();
      await mine.page.keyboard.press('ControlOrMeta+S');
      await mine.tab(/version 9 by .* ↔ yours, from version 8/).waitFor();
      await mine.screenshot('after-restart');
      await mine.choose(() => mine.statusBar(/Conflict with version 9/).click(), 'Take Theirs');
      await mine.editor.getByText('newer').first().waitFor();
      await clear(mine);

      await takenName(mine);
      await away(mine);
    });
  });

  /** The message shows the query that already has the name, with matching options. */
  async function takenName(window: Workbench): Promise<void> {
    const record = await createElsewhere('Leavers with access');
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
    await clear(window);
    await window.runCommand('Identity Queries: Save All Queries');
    await window.notification(/was not saved: the service is not available/).waitFor();
    assert.equal(await window.notification(/Unable to write file|Failed to save/).count(), 0);
    await clear(window);
    await window.runCommand('File: Save All');
    await window.notification(/Failed to save .*was not saved: the service is not available/).waitFor();
    await window.screenshot('away-save-all');
  }

  async function elsewhere<T>(work: (client: ServiceClient) => Promise<T>): Promise<T> {
    const client = createClient(sandbox);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  const createElsewhere = (newName: string) =>
    elsewhere(
      async ({ savedQueries }) =>
        (await savedQueries.create({ name: newName, query_string: 'SELECT 1' })).name,
    );

  /** Saves the query through another client, as a colleague would. */
  const saveElsewhere = (text: string, saved = name) =>
    elsewhere(async ({ savedQueries }) => {
      const all = await Array.fromAsync(savedQueries.listAll());
      const query = all.find((each) => each.name.endsWith(saved));
      assert.ok(query);
      await savedQueries.update(query.query_id, {
        name: query.name,
        query_string: text,
        expected_version: query.version,
      });
    });
});

async function save(window: Workbench, text: string, version: number, query = name): Promise<void> {
  await window.setEditorText(text);
  await window.page.keyboard.press('ControlOrMeta+S');
  await window.treeItem(new RegExp(`${query}, version ${version}`)).waitFor();
}

/** Reloads the newest version, which contains this word, into the window's editor. */
async function takeNewest(window: Workbench, word: string): Promise<void> {
  await window.runCommand('Saved Query: Reload');
  await window.editor.getByText(word).first().waitFor();
}

/** Checks that these are the first code lenses, and that a small window shows all of them. */
async function lensesFit(window: Workbench, what: string, titles: readonly string[]): Promise<void> {
  const lenses = window.editor.locator('.codelens-decoration a');
  for (const [index, title] of titles.entries()) await lenses.nth(index).filter({ hasText: title }).waitFor();
  await window.screenshot(`${what}-lenses`);
  await window.page.setViewportSize({ width: 800, height: 600 });
  try {
    await window.until(`the lenses of a ${what} fit`, async () => {
      const [last, editor] = [lenses.nth(titles.length - 1), window.editor.locator('.lines-content').first()];
      const [at, around] = [await last.boundingBox(), await editor.locator('..').boundingBox()];
      const isSmall = around !== null && around.x + around.width <= 800;
      return at !== null && isSmall && at.x + at.width <= around.x + around.width;
    });
  } finally {
    await window.screenshot(`${what}-lenses-small`);
    await window.page.setViewportSize(windowSize);
  }
}

async function clear(window: Workbench): Promise<void> {
  await window.runCommand('Notifications: Clear All Notifications');
  await window.page.locator('.notification-toast').first().waitFor({ state: 'detached' });
}

/** Reloads the window, which is like closing and reopening it. */
async function restart(window: Workbench): Promise<void> {
  await window.page.reload();
  await window.page.locator('.monaco-workbench .part.statusbar').waitFor();
  await window.openIdentityView();
}
