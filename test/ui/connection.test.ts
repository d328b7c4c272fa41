/**
 * Connections as a user sees them: from none to connected, all connection failures, and the sandbox.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { createPrivateAuthority, freePort, startTlsFront } from '../helpers/forward-proxy.ts';
import { startSandbox, type FaultAnswer } from '../helpers/sandbox.ts';
import { windowSize, withWorkbench, type Workbench } from '../helpers/workbench.ts';

/** Fills in fields of the open connection page. */
async function fill(workbench: Workbench, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts))
    await workbench.webview.getByRole('textbox', { name, exact: true }).fill(text);
}

/** Checks the claims in docs/security.md about stored data against the editor's files and storage. */
async function isKeptOnlyAsSaid(
  workbench: Workbench,
  { secrets, rows, texts }: Readonly<Record<'secrets' | 'rows' | 'texts', readonly string[]>>,
): Promise<void> {
  for (const each of [...secrets, ...rows])
    assert.deepEqual(await workbench.placesOf(each), [], `${each} is kept`);
  const kept = new Set<string>();
  for (const each of texts) for (const place of await workbench.placesOf(each)) kept.add(place);
  const allowed = [
    /globalStorage\/identity-queries\.identity-queries\/memory\.db$/,
    /globalStorage\/identity-queries\.identity-queries\/versions\//,
    // Unsaved edits, and the editor's local history of saved files.
    /\/(?:Backups|History)\//,
    // Remembered parameter values.
    /^browser storage$/,
  ];
  assert.deepEqual(
    [...kept].filter((place) => !allowed.some((each) => each.test(place))),
    [],
  );
  assert.ok(
    [...kept].some((place) => place.endsWith('memory.db')),
    'the look finds what is there',
  );
}

suite('connection', () => {
  test('with the package alone: one sandbox for two windows, one click to it and back, gone with the last window', async () => {
    const service = await startSandbox({ from: 'dist' });
    const settings = {
      'identityQueries.connections': [
        {
          name: 'Production',
          baseUrl: service.baseUrl,
          authUrl: service.authUrl,
          clientId: service.clientId,
          environment: 'prod',
          label: 'PROD',
          colour: 'red',
          protected: true,
          secretVariable: 'IDENTITY_TEST_SECRET',
        },
        {
          name: 'Reports',
          baseUrl: service.baseUrl,
          authUrl: service.authUrl,
          clientId: service.clientId,
          scopes: 'read',
          secretVariable: 'IDENTITY_TEST_SECRET',
        },
      ],
    };
    const env = { IDENTITY_TEST_SECRET: service.clientSecret };
    try {
      await withWorkbench({ name: 'sandbox', settings, env }, async (workbench) => {
        await workbench.openIdentityView();
        const button = workbench.page.getByRole('button', { name: 'Start Sandbox' });
        await button.waitFor();
        await workbench.screenshot('1-disconnected');
        await button.click();
        await workbench.treeItem(/owner left/).waitFor();
        await workbench.statusBar('Sandbox').waitFor();
        await workbench.screenshot('2-connected');

        // A query that is restored with its window waits until the window has joined the sandbox.
        await workbench.treeItem(/owner left/).dblclick();
        await workbench.editor.getByText('SELECT').first().waitFor();
        await workbench.writtenTab('owner left');
        await workbench.page.reload();
        await workbench.editor.getByText('SELECT').first().waitFor();
        await workbench.statusBar('Sandbox').waitFor();
        assert.equal(await workbench.notification('the last one seen here').count(), 0);

        const second = await workbench.openWindow();
        await second.openIdentityView();
        // The new window also connects to the sandbox, which is already running.
        await second.statusBar('Sandbox').waitFor();
        await second.treeItem(/owner left/).waitFor();
        assert.equal(runningSandboxes(workbench).length, 1);

        await workbench.runCommand('Identity Queries: Connect to Service...');
        await workbench.quickPick('Production').waitFor();
        await workbench.screenshot('3-picker');
        await workbench.quickPick('Production').click();
        await workbench.statusBar(/Production \(PROD\), protected/).waitFor();
        await workbench.screenshot('4-protected');

        await workbench.runCommand('Identity Queries: Connect to Service...');
        await workbench.quickPick('Reports').click();
        await workbench.statusBar(/Reports/).hover();
        await workbench.page.getByText('Read-only: the connection requests only the read scope').waitFor();
        await workbench.screenshot('4-scopes');
        await workbench.runCommand('Identity Queries: Connect to Service...');
        await workbench.quickPick('Production').click();
        await workbench.statusBar(/Production/).waitFor();

        const swap = async () => {
          // The buttons of a view appear only on hover or focus.
          await workbench.page.locator('.pane-header', { hasText: 'Saved Queries' }).hover();
          await workbench.page.getByRole('button', { name: 'Switch Between Sandbox and Connection' }).click();
        };
        /** The item shows the name from the first attempt on, with a turning sign until it is connected. */
        const connected = workbench.connectionStatus('Sandbox').filter({ hasNot: spinning(workbench) });
        await swap();
        await connected.waitFor();
        await swap();
        await workbench.statusBar(/Production/).waitFor();
        assert.equal(runningSandboxes(workbench).length, 1);

        await workbench.runCommand('Identity Queries: New Query');
        await workbench.tab(/Untitled/).waitFor();
        await workbench.page.locator('[id="status.languageStatus"]').first().click();
        await workbench.page.getByText(/read (just now|a minute ago)/).waitFor();
        await workbench.screenshot('5-language-status');
        await workbench.page.keyboard.press('Escape');

        // The sandbox keeps running for the second window, even after the window that started it has closed.
        await swap();
        await connected.waitFor();
        await second.runCommand('Identity Queries: Stop Sandbox or Service over Your PostgreSQL');
        await second.connectionStatus('not connected').waitFor();
        await workbench.connectionStatus('not connected').waitFor();
        await workbench.until('no sandbox is left', () =>
          Promise.resolve(runningSandboxes(workbench).length === 0),
        );
        assert.equal(await workbench.notification(/unexpectedly/).count(), 0);
        await second.close();
      });
    } finally {
      await service.stop();
    }
  });

  test('a whole session from the form to a result; none of it is in any log', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'whole-session-'));
    const authority = await createPrivateAuthority(folder);
    const port = await freePort();
    const front = await startTlsFront(`http://127.0.0.1:${port}`, authority, { wantsClient: true });
    const address = `https://localhost:${front.port}`;
    const sandbox = await startSandbox({ from: 'dist', port, args: ['--public-url', address] });
    const settings = {
      'identityQueries.network.caFile': authority.caFile,
      'identityQueries.network.clientCertificate': authority.client.pkcs12File,
    };
    const wrong = 'wrong-secret-6f1c';
    try {
      await withWorkbench(
        { name: 'session', theme: 'Default Light Modern', settings, logsEverything: true },
        async (workbench) => {
          await workbench.openIdentityView();
          const add = workbench.page.getByRole('button', { name: 'Add Connection...' });
          await add.waitFor();
          await workbench.page.setViewportSize({ width: 800, height: 600 });
          // Both ways to begin are in sight, without scrolling the view.
          await workbench.until('the button fits into its view', () =>
            add.evaluate((button) => {
              const view = button.closest('.pane-body')?.getBoundingClientRect();
              return view !== undefined && button.getBoundingClientRect().bottom <= view.bottom;
            }),
          );
          await workbench.screenshot('1-welcome-800x600');
          await workbench.page.setViewportSize(windowSize);
          await workbench.screenshot('1-welcome');
          await workbench.page.getByRole('button', { name: 'Add Connection...' }).click();
          await workbench.tab('Add Connection').waitFor();
          await fill(workbench, { Name: 'Reviews', 'Base address': 'http://api.example.com' });
          const form = workbench.webview;
          await form.getByRole('checkbox', { name: 'Use http:// anyway' }).waitFor();
          await workbench.screenshot('2-plain-http');
          await fill(workbench, {
            'Base address': address,
            'Token address': `${address}/oauth/token`,
            Environment: 'a/b',
            'Client ID': sandbox.clientId,
          });
          await form.getByText(/Letters, digits and hyphens/).waitFor();
          await fill(workbench, { Environment: 'prod' });
          await form.getByText(/Letters, digits and hyphens/).waitFor({ state: 'hidden' });
          const source = form.getByRole('combobox', { name: 'Source of the client secret' });
          await source.selectOption('From an environment variable');
          await form.getByRole('textbox', { name: 'Environment variable' }).waitFor();
          await workbench.screenshot('3-secret-source');
          await source.selectOption('Enter it now');
          await fill(workbench, { 'Client secret': wrong, 'Short label': 'PROD' });
          for (const [name, answer] of [
            ['Scopes to request', 'Read and write'],
            ['Data changes', 'Read data'],
            ['Protection', 'Protected'],
            ['Color', 'Purple'],
          ] as const)
            await form.getByRole('combobox', { name }).selectOption(answer);
          await workbench.screenshot('3-filled');
          await form.getByRole('button', { name: 'Save' }).click();
          await workbench.answerNotification(/passphrase is missing or wrong/, 'Enter Passphrase');
          await workbench.quickInput.fill('hush');
          await workbench.page.keyboard.press('Enter');
          const refused = /client ID or secret is wrong/i;
          await workbench.notification(refused).waitFor();
          await workbench.statusBar('Reviews (PROD), protected: not connected').waitFor();
          // Both views give the notification's reason, and offer the same.
          const ways = workbench.treeItem('Enter Client Secret...');
          const reasons = workbench.page.locator('.part.sidebar').getByText(refused);
          await workbench.until(
            'both views say why, and offer it',
            async () => (await ways.count()) === 2 && (await reasons.count()) === 2,
          );
          await workbench.screenshot('4-wrong-secret');
          assert.equal(await workbench.notification(refused).count(), 1);
          await workbench.answerNotification(refused, 'Enter Client Secret...');
          await workbench.quickInput.fill(sandbox.clientSecret);
          await workbench.page.keyboard.press('Enter');
          await workbench.treeItem(/owner left/).waitFor();
          await workbench.statusBar(/Reviews \(PROD\), protected/).waitFor();
          await workbench.screenshot('5-connected');

          await workbench.runCommand('Identity Queries: New Query');
          await workbench.tab(/Untitled/).waitFor();
          const text = "SELECT upper('needle-text') || :suffix AS found, alias FROM accounts LIMIT 3";
          await workbench.setEditorText(text);
          await workbench.page.keyboard.press('ControlOrMeta+Enter');
          await workbench.webview.locator('#parameter-0:focus').waitFor();
          await workbench.page.keyboard.type('-needle-value');
          await workbench.page.keyboard.press('Enter');
          await workbench.webview.getByText('NEEDLE-TEXT-needle-value').first().waitFor();
          await workbench.webview
            .getByTitle('Connection, marked as protected')
            .getByText('Reviews (PROD)')
            .waitFor();
          await workbench.screenshot('5-result');
          const alias = await workbench.webview.getByRole('gridcell').last().innerText();
          await workbench.setEditorText('SELECT needle_unknown_column FROM accounts');
          await workbench.page.keyboard.press('ControlOrMeta+Enter');
          await workbench.webview
            .getByText(/needle_unknown_column/)
            .first()
            .waitFor();
          await workbench.webview.getByRole('button', { name: 'Show Details' }).click();
          await workbench.tab(/Error Details/).waitFor();
          await workbench.editor.getByText('POST').first().waitFor();
          await workbench.screenshot('6-error-details');
          await workbench.runCommand('Identity Queries: Test Connection');
          await workbench.tab(/Connection test: Reviews/).waitFor();
          await workbench.webviewText('Everything works');
          await workbench.screenshot('6-test-report');

          await workbench.treeItem(/owner left/).dblclick();
          await workbench.tab(/owner left/).waitFor();
          await workbench.setEditorText("SELECT 'needle-edit' AS kept");
          await workbench.runCommand('Identity Queries: Edit Connection...');
          await workbench.tab('Edit Reviews').waitFor();
          await workbench.runCommand('View: Hide Panel');
          const edited = workbench.webview;
          for (const [name, text] of [
            ['Base address', address],
            ['Environment', 'prod'],
            ['Client ID', sandbox.clientId],
            ['Client secret', ''],
            ['Short label', 'PROD'],
          ] as const)
            assert.equal(await edited.getByRole('textbox', { name, exact: true }).inputValue(), text);
          await edited.getByText(/entered, in the secret storage of this editor\. Leave it empty/).waitFor();
          await fill(workbench, { Name: 'Access reviews' });
          await edited.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
          await workbench.statusBar(/Access reviews \(PROD\), protected/).waitFor();
          await workbench.until('one tab is left', async () => {
            const dirty = workbench.tab(/owner left/).and(workbench.page.locator('.dirty'));
            return (await dirty.count()) === 1 && (await workbench.tab(/owner left/).count()) === 1;
          });
          // On saving, the form reconnects, which aborts pending requests.
          await workbench.until('connected as it is now', async () =>
            (await workbench.allLogs()).includes('connected to "Access reviews"'),
          );
          await workbench.screenshot('7-renamed');
          await workbench.page.keyboard.press('ControlOrMeta+s');
          await workbench.statusBar(/is saved as version 2/).waitFor();

          const tokens = front.seen
            .filter((each) => each.path === '/oauth/token' && each.answer.includes('access_token'))
            .map((each) => (JSON.parse(each.answer) as { access_token: string }).access_token);
          assert.ok(tokens.length > 0);
          const hidden = [
            sandbox.clientSecret,
            encodeURIComponent(sandbox.clientSecret),
            Buffer.from(`${sandbox.clientId}:${sandbox.clientSecret}`).toString('base64'),
            wrong,
            'hush',
            ...tokens,
            'needle',
            'NEEDLE',
            alias,
          ];
          const logs = await workbench.allLogs();
          assert.match(logs, /execute 200/); // shows that the log has entries
          for (const each of hidden) assert.ok(!logs.includes(each), `a log holds ${each}`);
          await isKeptOnlyAsSaid(workbench, {
            secrets: hidden.slice(0, hidden.indexOf('needle')),
            rows: ['NEEDLE-TEXT-needle-value'],
            texts: ['needle-text', 'needle_unknown_column', 'needle-edit', '-needle-value'],
          });
        },
      );
    } finally {
      await sandbox.stop();
      await front.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('every failure of the service is explained, with a remedy; an expired token is renewed silently', async () => {
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
      ['cut', { kind: 'truncate' }, /in the middle of its response/],
      ['closed', { kind: 'drop' }, /closed the connection before it responded/],
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
          await workbench.treeItem('Connect Again').first().waitFor();
          // Failures during window startup show no notification.
          assert.equal(await workbench.notification(/./).count(), 0);
          const connectAgain = async () => {
            await workbench.runCommand('Identity Queries: Connect to Service...');
            await workbench.quickPick('Connect Again').click();
          };
          for (const [name, fault, message] of cases) {
            await sandbox.setFaults([{ path: '/v1/schema/models', always: fault }]);
            await connectAgain();
            const notice = workbench.notification(message);
            await notice.waitFor();
            await workbench.screenshot(name);
            await workbench.runCommand('Notifications: Clear All Notifications');
            await notice.waitFor({ state: 'hidden' });
          }
          await sandbox.setFaults([]);
          await connectAgain();
          await workbench.treeItem(/owner left/).waitFor();
          await sandbox.forgetRequests();
          await sandbox.nextAnswers('/v1/query/saved-queries', { kind: 'expire-tokens' });
          await workbench.runCommand('Saved Queries: Refresh');
          await workbench.until('a new token and the list again', async () => {
            const asked = (await sandbox.requests()).map((each) => `${each.path} ${each.status}`);
            return asked.includes('/oauth/token 200') && asked.at(-1) === '/v1/query/saved-queries 200';
          });
          await workbench.treeItem(/owner left/).waitFor();
          assert.equal(await workbench.notification(/./).count(), 0);

          await sandbox.stop();
          await workbench.runCommand('Identity Queries: Connect to Service...');
          await workbench.quickPick('Sandbox').first().click();
          await workbench.notification(/refuses connections.*is running/).waitFor();
          await workbench.screenshot('refused');
          await workbench.answerNotification(/refuses/, 'Test Connection');
          await workbench.tab(/Connection test/).waitFor();
          await workbench.webviewText('Failed');
          await workbench.screenshot('failed-report');
        },
      );
    } finally {
      await sandbox.stop();
    }
  });
});

function spinning({ page }: Workbench): Locator {
  return page.locator('.codicon-sync');
}

/** Returns the sandboxes of a workbench's windows, one line of `ps` each. */
function runningSandboxes(workbench: Workbench): readonly string[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes('--leases') && line.includes(workbench.serverData));
}
