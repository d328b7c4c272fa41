/** A user's first five minutes with the packaged extension, by mouse and keyboard. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunningSandbox } from '../helpers/sandbox.ts';
import { shareWorkbench } from '../helpers/shared-workbench.ts';
import type { Workbench } from '../helpers/workbench.ts';

const name = 'Accounts still enabled after their owner left';

suite('first query', () => {
  const withWindow = shareWorkbench();
  const withConnected = (body: (workbench: Workbench, sandbox: RunningSandbox) => Promise<void>) =>
    withWindow('first-query', async (workbench, sandbox) => {
      await workbench.openIdentityView();
      await workbench.treeItem(name).waitFor();
      await body(workbench, sandbox);
    });

  test('opens a saved query and runs it; a mistake is marked, a change is version 2', async () => {
    await withConnected(async (workbench) => {
      await workbench
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      // The editor marks a step as completed only after it was shown.
      await workbench.runCommand('Identity Queries: Show First Steps');
      await workbench.page.getByRole('button', { name: 'Open a saved query: Not' }).waitFor();
      // This was done before the steps were shown.
      await workbench.page
        .locator('.getting-started-step', { hasText: 'Connect, or start the sandbox' })
        .locator('.codicon-getting-started-step-checked')
        .waitFor();
      await workbench.treeItem(name).click();
      await workbench.editor.getByText('SELECT').first().waitFor();
      await workbench.until('key words have a colour of their own', async () => {
        const keyword = workbench.editor.locator('.view-line span', { hasText: /^SELECT$/ }).first();
        const plain = workbench.editor.locator('.view-line span', { hasText: /alias/ }).first();
        return (await keyword.getAttribute('class')) !== (await plain.getAttribute('class'));
      });
      await workbench.editor.click();
      await workbench.page.keyboard.press('ControlOrMeta+Enter');
      await workbench.webview.getByRole('grid').waitFor();
      await workbench.webview.getByRole('gridcell').first().waitFor();
      await workbench.screenshots('rows');
      const count = Number(await workbench.webview.getByRole('grid').getAttribute('aria-rowcount'));
      assert.ok(count > 1, 'the sample data has an answer');
      await workbench.webview.getByRole('gridcell').first().click();
      await workbench.page.keyboard.press('Enter');
      await workbench.editor
        .getByText(/#\sAccount:/)
        .first()
        .waitFor();
      await workbench.screenshot('record');
      await workbench.runCommand('View: Close Editor');
      await workbench.editor.getByText('SELECT').first().waitFor();

      await workbench.setEditorText('SELECT alias, email\nFORM accounts\nWHERE enabled');
      await workbench.errorSquiggles.first().waitFor();
      await workbench.screenshot('mistake');
      await workbench.setEditorText('DELETE FROM accounts');
      await workbench.errorSquiggles.first().waitFor();
      await workbench.page.keyboard.press('ControlOrMeta+Home');
      // The editor discards a hover that is requested while the palette is still closing.
      const code = workbench.page.getByText('MUTATION_NOT_ALLOWED').first();
      await workbench.until('the hover is there', async () => {
        await workbench.runCommand('Show or Focus Hover');
        return code.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      });
      await workbench.screenshot('delete');
      await workbench.page.keyboard.press('Escape');
      await workbench.setEditorText('SELECT alias, email FROM accounts WHERE enabled LIMIT 5');
      await workbench.until('no squiggle', async () => (await workbench.errorSquiggles.count()) === 0);
      await workbench.page.keyboard.press('ControlOrMeta+S');
      await workbench.treeItem(new RegExp(`${name}, version 2`)).waitFor();
      await workbench.screenshot('version-2');

      await workbench.runCommand('Identity Queries: Show First Steps');
      for (const step of ['Open a saved query', 'Run the query'])
        await workbench.page.getByRole('button', { name: `${step}: Completed` }).waitFor();
    });
  });

  test('a statement that writes is not sent; a draft is saved as new, a taken name is reported and changed without losing the text', async () => {
    await withConnected(async (workbench, sandbox) => {
      await workbench.runCommand('Identity Queries: New Query');
      await workbench.tab(/Untitled/).waitFor();
      await workbench.setEditorText('DELETE FROM accounts');
      await workbench.errorSquiggles.first().waitFor();
      await sandbox.forgetRequests();
      await workbench.page
        .getByRole('button', { name: /^Run Query/ })
        .first()
        .click();
      await workbench.webview
        .getByText(/only SELECT|read-only|only reads/i)
        .first()
        .waitFor();
      await workbench.screenshot('refused');
      const asked = (await sandbox.requests()).filter(({ path }) => path === '/v1/query/execute');
      assert.deepEqual(asked, []);

      const text = "SELECT alias, email FROM accounts WHERE is_admin AND alias <> 'root'";
      await workbench.setEditorText(text);
      await workbench.runCommand('Identity Queries: Run Query');
      await workbench.webview.getByRole('gridcell').first().waitFor();
      await workbench.editor.click();
      await workbench.runCommand('Identity Queries: Save as New...');
      await workbench.quickPick('Save to "Sandbox"').waitFor();
      await workbench.quickInput.fill('access reviews/ADMINS WITHOUT MFA');
      await workbench.quickPick(/is taken/).waitFor();
      await workbench.screenshot('taken');
      // Enter leads to the same choices as a name that only the service knows.
      await workbench.page.keyboard.press('Enter');
      await workbench.quickPick('Save as Its Version 2...').waitFor();
      await workbench.quickPick('Use Another Name...').click();
      await workbench.quickPick('Type Another Name...').click();
      await workbench.quickPick(/is taken/).waitFor();
      await workbench.quickInput.fill('Access reviews/Administrators by name');
      await workbench.quickPick('Description...').click();
      await workbench.quickInputMessage.filter({ hasText: 'Description' }).waitFor();
      await workbench.quickInput.fill('Everybody who may administer, and is not root.');
      await workbench.page.keyboard.press('Enter');
      // The page comes back with what was typed; Enter saves.
      await workbench.quickPick(/Everybody who may administer/).waitFor();
      await workbench.screenshot('save-page');
      await workbench.page.keyboard.press('Enter');
      await workbench.treeItem(/Administrators by name, version 1/).waitFor();
      await workbench.tab(/Administrators by name/).waitFor();
      await workbench.tab(/Untitled/).waitFor({ state: 'detached' });
      await workbench.editor.getByText("'root'").waitFor();
      await workbench.screenshot('saved');

      // The next new query starts in that folder, and typing goes on behind it.
      await workbench.runCommand('Identity Queries: New Query');
      await workbench.tab(/Untitled/).waitFor();
      await workbench.setEditorText('SELECT 1 AS one');
      await workbench.page.keyboard.press('ControlOrMeta+S');
      await workbench.quickPick('Save to "Sandbox"').waitFor();
      await workbench.until(
        'the page starts in the last folder',
        async () => (await workbench.quickInput.inputValue()) === 'Access reviews/',
      );
      await workbench.page.keyboard.type('Typed on');
      assert.equal(await workbench.quickInput.inputValue(), 'Access reviews/Typed on');
      await workbench.quickPick('Save as File...').waitFor();
      await workbench.screenshot('save-draft');
      await workbench.page.keyboard.press('Enter');
      await workbench.treeItem(/Typed on, version 1/).waitFor();
    });
  });
});
