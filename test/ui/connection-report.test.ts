/** The connection test's page in each theme: its content, its accessibility, and the absence of scripts. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import { assumptionsReport } from '#client/features/connection/test-report/assumptions.ts';
import { reportHtml } from '#client/features/connection/test-report/report-html.ts';
import type { Report } from '#client/features/connection/test-report/report.ts';
import { takePicture } from '../helpers/pictures.ts';
import { browserOfSuite } from '../helpers/suite-browser.ts';
import { themes, type ThemeName } from '../helpers/webview-themes.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const report: Report = {
  name: 'Production <b>',
  summary: 'Failed: TLS (api.example.com)',
  hasFailed: true,
  secretOrigin: 'entered',
  facts: [
    ['Service', 'https://api.example.com'],
    ['Client ID', 'rea…er'],
  ],
  rows: [
    row('ok', 'works', 'Name resolution', '192.0.2.7'),
    row('warning', 'works in part', 'Scopes', 'Only read was granted.'),
    {
      ...row('failed', 'failed', 'TLS', 'The certificate of https://api.example.com is not trusted.'),
      actions: [{ title: 'Open Settings', command: 'workbench.action.openSettings', arguments: ['a "b"'] }],
    },
    { ...row('skipped', 'not tried', 'Models', 'An earlier step failed.'), ms: undefined },
  ],
  assumptions: assumptionsReport([
    {
      id: 'update',
      verdict: 'differs',
      seen: { kind: 'methods', path: '/v1/query/saved-queries/{id}', missing: ['PUT'] },
    },
    {
      id: 'unknown-model',
      verdict: 'differs',
      seen: { kind: 'status', request: 'POST /v1/query/execute', status: 404, code: '<b>NO_MODEL</b>' },
    },
    { id: 'create-status', verdict: 'unknown', seen: { kind: 'needs-write' } },
    { id: 'execute', verdict: 'holds', seen: { kind: 'as-assumed' } },
    { id: 'token', verdict: 'holds', seen: { kind: 'as-assumed' } },
  ]),
};

function row(status: Report['rows'][number]['status'], word: string, title: string, text: string) {
  return { status, word, title, target: 'api.example.com', text, ms: 12, actions: [] };
}

const html = reportHtml(report, {
  translate: (text, ...values) => text.replace('{0}', values[0] ?? ''),
  language: 'en',
  nonce: 'abc',
});

suite('report of a connection test', () => {
  const browser = browserOfSuite();

  for (const name of Object.keys(themes) as ThemeName[]) {
    test(`is accessible (${name})`, async () => {
      const page = await browser().newPage({ viewport: { width: 900, height: 700 } });
      const theme = themes[name];
      await page.setContent(html);
      await page.evaluate(
        ({ variables, bodyClass }) => {
          for (const [key, value] of Object.entries(variables))
            document.documentElement.style.setProperty(`--vscode-${key}`, value);
          document.body.className = bodyClass;
          document.body.style.setProperty('background', 'var(--vscode-editor-background)');
        },
        { variables: theme.variables, bodyClass: theme.bodyClass },
      );
      await takePicture(page, `connection-report-${name}`, { fullPage: true });
      await page.evaluate(await readFile(axePath, 'utf8'));
      const findings = await page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        }; // injected above
        const { violations } = await axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
      });
      assert.deepEqual(findings, []);
      await page.close();
    });
  }

  test('has links that can be reached by keyboard and start commands with their arguments', async () => {
    const page = await browser().newPage();
    await page.setContent(html);
    const seen: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(() => document.activeElement?.getAttribute('href') ?? ''));
    }
    const args = (values: unknown[]) => encodeURIComponent(JSON.stringify(values));
    assert.deepEqual(seen, [
      'command:_identityQueries.connection.copyReport',
      `command:identityQueries.connection.test?${args(['Production <b>'])}`,
      `command:workbench.action.openSettings?${args(['a "b"'])}`,
    ]);
    await page.close();
  });

  test('lists the assumptions that differ first, with their consequences', () => {
    const [, part = ''] = html.split('<h2>Assumptions</h2>');
    const verdicts = [...part.matchAll(/aria-label="(\w+)"/g)].map(([, word]) => word);
    assert.deepEqual(verdicts, ['differs', 'differs', 'unknown', 'holds', 'holds']);
    assert.match(part, /Assumptions: 2 confirmed, 2 different, 1 not checkable by reading\./);
    assert.match(part, /does not allow PUT\. PATCH is used where the service allows it/);
  });

  test('contains no text that is interpreted as markup or runs', () => {
    assert.ok(!html.includes('<b>'));
    assert.ok(!html.includes('<script'));
    assert.match(html, /default-src 'none'; style-src 'nonce-abc'/);
  });
});
