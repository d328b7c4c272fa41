/**
 * Add Connection for a new user, by keyboard in an untrusted folder: one page with the connection test and the
 * service's responses, which keeps its input when closed.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startDatabase } from '../helpers/client-service.ts';
import { listen } from '../helpers/http.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

/** Presses Tab or Shift+Tab until the control with this name has focus. Tab selects its text, so typing replaces it. */
async function tabTo(workbench: Workbench, name: string, text = '', key: Key = 'Tab'): Promise<void> {
  const { page, webview } = workbench;
  const all = (['textbox', 'combobox', 'button', 'link'] as const)
    .map((role) => webview.getByRole(role, { name, exact: true }))
    .reduce((one, other) => one.or(other));
  const target = all.and(webview.locator(':focus'));
  for (let steps = 0; (await target.count()) === 0; steps += 1) {
    assert.ok(steps < 30, `${name} is not reached by ${key}`);
    await page.keyboard.press(key);
  }
  if (text !== '') await page.keyboard.type(text);
}

type Key = 'Tab' | 'Shift+Tab';

suite('connection page in the editor', () => {
  test('is filled in, tested and saved by keyboard; if it is closed, only the input without the secret is kept', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    await startDatabase(sandbox);
    const slow = await listen(() => undefined);
    const [wrong, right] = ['wrong-secret-77', sandbox.clientSecret];
    const settings = { 'security.workspace.trust.startupPrompt': 'never' };
    try {
      await withWorkbench({ name: 'connection-page', asksForTrust: true, settings }, async (workbench) => {
        const { page } = workbench;
        await page.getByText('Restricted Mode').first().waitFor();
        await workbench.openIdentityView();
        await workbench.runCommand('Identity Queries: Add Connection...');
        await workbench.tab('Add Connection').waitFor();
        const form = workbench.webview;
        await form.getByRole('textbox', { name: 'Name' }).and(form.locator(':focus')).waitFor();
        await page.keyboard.press('Enter');
        await form.getByText('Enter a name.').waitFor();
        await workbench.screenshots('1-refused');
        await page.keyboard.type('Reviews');
        await tabTo(workbench, 'Base address', sandbox.baseUrl);
        await tabTo(workbench, 'Token address', sandbox.authUrl);
        await tabTo(workbench, 'Client ID', sandbox.clientId);
        await tabTo(workbench, 'Client secret', wrong);

        // Enter in a field would save, so the test has its own button.
        const test = async () => {
          await tabTo(workbench, 'Test Connection');
          await page.keyboard.press('Enter');
        };
        const report = form.getByRole('region', { name: 'Test Connection' });
        await test();
        await report.getByText(/client ID or secret is wrong/i).waitFor();
        await report.getByText('Client secret: entered').waitFor();
        await workbench.screenshots('2-wrong-secret');
        await tabTo(workbench, 'Client secret', right, 'Shift+Tab');
        await report.getByText('The form has changed since this test.').waitFor();

        await sandbox.setFaults([{ path: '/v1/schema/models', always: { kind: 'status', status: 500 } }]);
        await test();
        await report.getByText(/try again later/).waitFor();
        await sandbox.setFaults([]);
        await tabTo(workbench, 'Token address', `${slow.url}/token`, 'Shift+Tab');
        await test();
        await workbench.until('the token is asked for', () => Promise.resolve(slow.seen.length > 0));
        await workbench.screenshot('3-slow');
        await tabTo(workbench, 'Stop');
        await page.keyboard.press('Enter');
        await form.getByRole('button', { name: 'Test Connection' }).waitFor();
        await tabTo(workbench, 'Token address', sandbox.authUrl, 'Shift+Tab');

        await workbench.runCommand('View: Close Editor');
        await workbench.notification(/nothing is saved/).waitFor();
        await workbench.screenshot('4-closed');
        await workbench.answerNotification(/nothing is saved/, 'Continue');
        await form.getByRole('textbox', { name: 'Name' }).waitFor();
        assert.equal(await form.getByRole('textbox', { name: 'Client ID' }).inputValue(), sandbox.clientId);
        assert.equal(await form.getByRole('textbox', { name: 'Client secret' }).inputValue(), '');
        await tabTo(workbench, 'Client secret', right);
        await test();
        await report.getByRole('heading', { name: 'Everything works' }).waitFor();
        await page.setViewportSize({ width: 800, height: 600 });
        await workbench.screenshots('5-works');
        await page.setViewportSize({ width: 640, height: 400 });
        await tabTo(workbench, 'Client ID', '', 'Shift+Tab');
        await workbench.screenshot('6-zoomed');
        await page.setViewportSize({ width: 1_280, height: 800 });
        // Hiding the page does not discard the input.
        await workbench.runCommand('Identity Queries: New Query');
        await workbench.tab(/Untitled/).waitFor();
        await workbench.tab('Add Connection').click();
        await workbench.until('the secret is still typed', async () => {
          const typed = form.getByRole('textbox', { name: 'Client secret' });
          return (await typed.isVisible()) && (await typed.inputValue()) === right;
        });
        assert.deepEqual(await workbench.placesOf(right), [], 'the secret is kept before it is saved');
        await form.getByRole('textbox', { name: 'Client ID' }).press('Enter');
        await workbench.tab('Add Connection').waitFor({ state: 'hidden' });
        await workbench.treeItem(/owner left/).waitFor();
        await workbench.connectionStatus('Reviews').waitFor();
        await workbench.screenshot('7-connected');
        for (const each of [wrong, right]) {
          assert.deepEqual(await workbench.placesOf(each), [], `${each} is kept in the open`);
          assert.ok(!(await workbench.allLogs()).includes(each), 'a log holds a secret');
        }
      });
    } finally {
      await sandbox.stop();
      await slow.close();
    }
  });
});
