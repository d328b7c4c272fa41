/** Saved queries in Git as a user sees them: source control, the diff and the gutter. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { repositoryAt } from '../helpers/git-clone.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';

const text = 'SELECT id, alias\nFROM accounts\nWHERE enabled\nORDER BY alias\nLIMIT 10\n';

async function edited(client: ServiceClient, { query_id }: SavedQuery, queryText: string): Promise<void> {
  const { name, model, version } = await client.savedQueries.get(query_id);
  const change = { name, model, query_string: queryText, expected_version: version };
  await client.savedQueries.update(query_id, change);
}

suite('saved queries in Git', () => {
  test('show the changes on each side, changed lines in the gutter, and a conflict to resolve', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const client = createClient({ ...sandbox });
    try {
      for await (const { query_id } of client.savedQueries.listAll())
        await client.savedQueries.delete(query_id);
      const make = (name: string) => client.savedQueries.create({ name, query_string: text });
      const [there, both] = [await make('Leavers'), await make('Dormant accounts')];
      await make('Orphans');
      const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
      await withWorkbench({ name: 'source-control', env }, async (workbench) => {
        const { page } = workbench;
        const clone = repositoryAt(workbench.workspace);
        clone.git('init', '-q', '-b', 'main');
        await workbench.openIdentityView();
        await workbench.statusBar('Sandbox').waitFor();
        await workbench.runCommand('Identity Queries: Pull Saved Queries into Files');
        await workbench.notification('Commit them before you edit').waitFor();
        await workbench.screenshot('pulled');
        clone.commit('Pull');

        clone.write('queries/orphans.identity.sql', text.replace('WHERE enabled', 'WHERE NOT enabled'));
        clone.write('queries/dormant-accounts.identity.sql', text.replace('LIMIT 10', 'LIMIT 20'));
        clone.commit('Edit');
        await edited(client, there, text.replace('id, alias', 'id, alias, email'));
        await edited(client, both, text.replace('LIMIT 10', 'LIMIT 30'));
        await page.getByRole('tab', { name: /^Source Control/ }).click();
        await workbench.runCommand('Identity Queries: Compare Files with Saved Queries');
        for (const group of ['Decide', 'Changed Here', 'Changed on the Service'])
          await workbench.treeItem(new RegExp(`^${group}`)).waitFor();
        await workbench
          .treeItem(/dormant-accounts/)
          .first()
          .waitFor();
        await workbench.screenshots('groups');

        await workbench
          .treeItem(/orphans/)
          .first()
          .click();
        await page.getByText('Orphans (service ↔ file)').first().waitFor();
        await workbench.screenshot('diff');
        await workbench.runCommand('View: Close All Editors');
        await page.keyboard.press('ControlOrMeta+P');
        await workbench.quickInput.fill('orphans.identity.sql');
        await workbench.quickPick('orphans').first().click();
        await page.getByText('File of Orphans: changed here').first().waitFor();
        await page.locator('.dirty-diff-glyph').first().waitFor();
        await workbench.screenshots('gutter');

        await workbench.runCommand('View: Close All Editors');
        const conflict = workbench.treeItem(/dormant-accounts/).first();
        await conflict.hover();
        await workbench.screenshot('row-of-a-conflict');
        await conflict.getByRole('button', { name: /in Merge Editor/ }).click();
        const merging = page.locator('.merge-editor');
        await merging.getByText('Accept Service', { exact: true }).waitFor();
        await workbench.screenshot('merge-editor');
        await merging.getByText('Accept Service', { exact: true }).click();
        await merging.getByText('Remove Service', { exact: true }).waitFor();
        await workbench.screenshot('merged');
        await page.keyboard.press('ControlOrMeta+S');
        await workbench.until('the merged text is saved', () =>
          Promise.resolve(clone.read('queries/dormant-accounts.identity.sql').includes('LIMIT 30')),
        );
        const merged = clone.read('queries/dormant-accounts.identity.sql');
        assert.match(merged, /^LIMIT 30\nLIMIT 20$|^LIMIT 20\nLIMIT 30$/m);
        assert.doesNotMatch(merged, /<<<<<<<|>>>>>>>/);

        clone.commit('Settle');
        await workbench.runCommand('Identity Queries: Push Files to Saved Queries...');
        await workbench.quickPick('Replace version 2 of Dormant accounts with the file').click();
        await workbench.screenshot('push');
        await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
        await workbench.notification('Pushed').waitFor();
        assert.equal((await client.savedQueries.get(both.query_id)).query_string, merged);
        await workbench.treeItem(/^Decide/).waitFor({ state: 'detached' });
        await workbench.screenshot('settled');

        assert.equal(await page.locator('.notification-list-item .codicon-error').count(), 0);
      });
    } finally {
      await client.close();
      await sandbox.stop();
    }
  });
});
