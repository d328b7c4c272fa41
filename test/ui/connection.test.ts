/** From no connection to connected, and every way that connecting can fail, as a person sees it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox, type FaultAnswer } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';

suite('connection', () => {
  test('with the package alone, Start Sandbox leads to saved queries', async () => {
    await withWorkbench({ name: 'start-sandbox' }, async (workbench) => {
      await workbench.openIdentityView();
      const button = workbench.page.getByRole('button', { name: 'Start Sandbox' });
      await button.waitFor();
      await workbench.screenshot('1-welcome');
      await button.click();
      await workbench.treeItem(/owner left/).waitFor();
      await workbench.statusBar('Sandbox').waitFor();
      await workbench.screenshot('2-connected');
      await workbench.runCommand('Stop Sandbox');
      await workbench.page.getByRole('button', { name: 'Start Sandbox' }).waitFor();
    });
  });

  test('a connection is added step by step; a wrong secret is said and can be put right', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    try {
      await withWorkbench({ name: 'add-connection', theme: 'Default Light Modern' }, async (workbench) => {
        await workbench.openIdentityView();
        await workbench.page.getByRole('button', { name: 'Add Connection...' }).click();
        const answer = async (prompt: RegExp, text: string) => {
          await workbench.quickInputMessage.filter({ hasText: prompt }).waitFor();
          await workbench.quickInput.fill(text);
          await workbench.page.keyboard.press('Enter');
        };
        await answer(/name for this connection/, 'Local');
        await answer(/Base address/, 'http://api.example.com');
        await workbench.quickInputMessage.filter({ hasText: /in clear/ }).waitFor();
        await workbench.screenshot('1-plain-http');
        await workbench.quickInput.fill(sandbox.baseUrl);
        await workbench.page.keyboard.press('Enter');
        await answer(/Token address/, sandbox.authUrl);
        await answer(/Environment/, '');
        await answer(/Client id/, sandbox.clientId);
        await answer(/Client secret/, 'wrong');
        const notice = workbench.notification(/client id or secret is wrong/i);
        await notice.waitFor();
        await workbench.statusBar('Local: not connected').waitFor();
        await workbench.screenshot('2-wrong-secret');
        await notice.getByRole('button', { name: 'Update Secret' }).click();
        await workbench.quickInput.fill(sandbox.clientSecret);
        await workbench.page.keyboard.press('Enter');
        await workbench.treeItem(/owner left/).waitFor();
        await workbench.screenshot('3-connected');
        const log = await workbench.log();
        assert.ok(!log.includes(sandbox.clientSecret), 'the log holds the secret');
      });
    } finally {
      await sandbox.stop();
    }
  });

  test('every failure of the service says what it is and what to do', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const cases: readonly (readonly [string, FaultAnswer, RegExp])[] = [
      ['html', { kind: 'html' }, /HTML page instead of JSON. Check the base address/],
      ['403', { kind: 'status', status: 403, code: 'FORBIDDEN' }, /read scope/],
      ['500', { kind: 'status', status: 500, code: 'INTERNAL_ERROR' }, /try again later/],
      ['429', { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS' }, /Try again in a minute/],
      [
        '429-after',
        { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '90' },
        /in 90 seconds/,
      ],
      ['cut', { kind: 'truncate' }, /in the middle of its answer/],
      ['closed', { kind: 'drop' }, /closed the connection before it answered/],
      ['invalid-json', { kind: 'invalid-json' }, /instead of JSON/],
      ['redirect', { kind: 'redirect', location: 'https://elsewhere.example.com/' }, /redirect/],
    ];
    try {
      await sandbox.setFaults([{ path: '/v1/schema/models', always: { kind: 'html' } }]);
      const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
      await withWorkbench(
        { name: 'connection-fails', env, theme: 'Default High Contrast' },
        async (workbench) => {
          await workbench.openIdentityView();
          await workbench.treeItem('Connect Again').waitFor();
          for (const [name, fault, message] of cases) {
            await sandbox.setFaults([{ path: '/v1/schema/models', always: fault }]);
            await workbench.runCommand('Identity Queries: Connect Again');
            const notice = workbench.notification(message);
            await notice.waitFor();
            await workbench.screenshot(name);
            await workbench.runCommand('Notifications: Clear All Notifications');
            await notice.waitFor({ state: 'hidden' });
          }
          await sandbox.stop();
          await workbench.runCommand('Identity Queries: Connect Again');
          await workbench.notification(/refuses connections.*is running/).waitFor();
          await workbench.screenshot('refused');
        },
      );
    } finally {
      await sandbox.stop();
    }
  });

  test('a token that the service has forgotten is renewed without a word', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    try {
      const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
      await withWorkbench({ name: 'token-renewed', env }, async (workbench) => {
        await workbench.openIdentityView();
        await workbench.treeItem(/owner left/).waitFor();
        await sandbox.forgetRequests();
        await sandbox.nextAnswers('/v1/query/saved-queries', { kind: 'expire-tokens' });
        await workbench.runCommand('Identity Queries: Refresh Saved Queries');
        await workbench.until('a new token and the list again', async () => {
          const asked = (await sandbox.requests()).map(({ path, status }) => `${path} ${status}`);
          return asked.includes('/oauth/token 200') && asked.at(-1) === '/v1/query/saved-queries 200';
        });
        await workbench.treeItem(/owner left/).waitFor();
        assert.equal(await workbench.notification(/./).count(), 0);
      });
    } finally {
      await sandbox.stop();
    }
  });
});
