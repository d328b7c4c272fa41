/** Running in the workbench as a person does it: parameters by keyboard, the focus where one left it, rows kept. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

async function withDraft(
  name: string,
  text: string,
  body: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ from: 'dist' });
  try {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name, env }, async (workbench) => {
      await workbench.openIdentityView();
      await workbench
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      await workbench.runCommand('Identity Queries: New Query');
      await workbench.tab(/Untitled/).waitFor();
      await workbench.setEditorText(text);
      await workbench.page.keyboard.press('ControlOrMeta+Enter');
      await body(workbench);
    });
  } finally {
    await sandbox.stop();
  }
}

suite('running in the workbench', () => {
  test('parameters are filled in with the keyboard alone, and Enter runs', async () => {
    const text =
      'SELECT alias, department FROM accounts WHERE alias <> :alias AND enabled = :enabled LIMIT 5';
    await withDraft('parameters', text, async (workbench) => {
      const { webview, page } = workbench;
      await webview.getByLabel('alias', { exact: true }).waitFor();
      await webview.locator('#parameter-0:focus').waitFor();
      await page.keyboard.type("o'neil; --");
      // NULL, empty text, then the next field.
      for (let index = 0; index < 3; index += 1) await page.keyboard.press('Tab');
      await page.keyboard.type('true');
      await page.keyboard.press('Enter');
      await webview.getByRole('gridcell').first().waitFor();
      await webview.getByText("o'neil; --").waitFor();
      await workbench.screenshot('rows');
    });
  });

  test('the keyboard stays in the editor; rows are as they were after the panel was hidden', async () => {
    await withDraft('kept', 'SELECT generate_series(1, 900) AS n', async (workbench) => {
      const { webview, page } = workbench;
      await webview.getByRole('gridcell').first().waitFor();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' -- typed on');
      await workbench.editor.getByText('typed on').waitFor();
      await webview.getByRole('gridcell').first().click();
      await page.keyboard.press('ControlOrMeta+End');
      await webview.getByText('Row 900').waitFor();
      await workbench.runCommand('View: Toggle Panel Visibility');
      await webview.getByRole('grid').waitFor({ state: 'detached' });
      await workbench.runCommand('View: Toggle Panel Visibility');
      await webview.getByText('Row 900').waitFor();
      await webview.getByRole('gridcell', { name: '900', exact: true }).waitFor();
      await workbench.screenshot('kept');
      assert.equal(await webview.getByRole('grid').getAttribute('aria-rowcount'), '901');
    });
  });
});
