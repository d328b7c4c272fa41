/** A first-time user with the library: from Start Sandbox to a control with the rows that it found. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withWorkbench } from '../helpers/workbench.ts';

suite('query library', () => {
  test('from Start Sandbox to the rows of a control, in a few steps', async () => {
    await withWorkbench({ name: 'library' }, async (workbench) => {
      const { page } = workbench;
      await workbench.openIdentityView();
      await page.getByRole('button', { name: 'Start Sandbox' }).click();
      await workbench.statusBar('Sandbox').waitFor();
      await workbench.runCommand('Identity Queries: Browse Query Library...');
      await page.getByText('58 of 58 fit your models').first().waitFor();
      await workbench.screenshots('browse');
      await workbench.quickInput.fill('left critical administrators');
      await workbench.quickPick('LV-03').first().waitFor();
      await workbench.screenshot('search');
      await page.keyboard.press('Enter');
      await workbench.editor.getByText('@control').first().waitFor();
      await workbench.editor.click();
      await page.keyboard.press('ControlOrMeta+Enter');
      await workbench.webview.getByRole('gridcell').first().waitFor();
      const count = Number(await workbench.webview.getByRole('grid').getAttribute('aria-rowcount'));
      assert.ok(count > 1, 'the planted case is found');
      await workbench.screenshots('rows');
    });
  });
});
