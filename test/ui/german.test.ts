/** A window in German: commands, views, messages, findings and the result panel use the package's translations. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCatalogue } from '#scripts/lib/catalogues.js';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { conflictFits, createElsewhere } from '../helpers/colleague.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';

/** Returns an English string's German translation. It must differ, or the test could pass without a translation. */
function german(file: string, key: string, english: string): string {
  const text = readCatalogue(file)[key];
  assert.ok(text !== undefined && text !== english, key);
  return text;
}
const inCode = (english: string) => german('l10n/bundle.l10n.de.json', english, english);
const inManifest = (key: string) =>
  german('package.nls.de.json', key, readCatalogue('package.nls.json')[key] ?? '');

suite('a window in German', () => {
  test('shows commands, views, a message, a finding, a result and the lenses of a conflict in German', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    try {
      const query = await createElsewhere(sandbox, 'Access/Leavers');
      await withWorkbench({ name: 'german', env, language: 'de' }, async (workbench) => {
        const { page } = workbench;
        await workbench.openIdentityView();
        for (const view of ['savedQueries', 'models', 'records', 'activity'])
          await page
            .locator('.part.sidebar .pane-header')
            .filter({ hasText: inManifest(`views.${view}`) })
            .waitFor();
        await workbench.treeItem('Accounts still enabled after their owner left').first().click();
        await workbench.editor.getByText('SELECT').first().waitFor();
        await workbench.runCommand(
          `${inManifest('category.savedQueries')}: ${inManifest('command.savedQueries.refresh')}`,
        );
        await workbench.treeItem(new RegExp(`^${inCode('Recently Opened')}`)).waitFor();
        await workbench.screenshot('1-views');

        await workbench.runCommand(`Identity Queries: ${inManifest('command.query.new')}`);
        await workbench.tab(/Untitled/).waitFor();
        await workbench.runCommand(`Identity Queries: ${inManifest('command.savedQuery.saveAsNew')}`);
        await workbench.notification(inCode('The document is empty: there is nothing to save.')).waitFor();
        await workbench.screenshot('2-message');
        await workbench.runCommand('Notifications: Clear All Notifications');

        await workbench.setEditorText('DELETE FROM accounts');
        await workbench.errorSquiggles.first().waitFor();
        await workbench.runCommand('View: Toggle Problems');
        await page
          .locator('.markers-panel')
          .getByText(inCode('DELETE removes rows, and only SELECT statements run here.'))
          .first()
          .waitFor();
        await workbench.screenshot('3-finding');

        await workbench.setEditorText('SELECT alias FROM accounts');
        await workbench.runCommand(`Identity Queries: ${inManifest('command.query.run')}`);
        await workbench.webview.getByText(inCode('All rows loaded')).waitFor();
        await workbench.screenshot('4-result');

        await workbench.runCommand('View: Hide Panel');
        await conflictFits(workbench, sandbox, { language: 'de', query });
      });
    } finally {
      await sandbox.stop();
    }
  });
});
