/**
 * Measures the extension host's memory with a large result: its resident size before and after loading 100,000 x 20
 * rows in a real window. Runs only on systems that report it (Linux).
 */
import { readFile } from 'node:fs/promises';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';
import { print } from './statistics.ts';

const rows = 100_000;
const columns = [
  ...['n AS number', 'md5(n::text) AS hash', "'2026-01-01'::timestamptz + n * interval '1 minute' AS moment"],
  ...['n % 3 = 0 AS flag', "CASE WHEN n % 7 > 0 THEN 'user-' || n END AS name"],
];
const selected = Array.from({ length: 20 }, (_, index) => `${columns[index % 5] ?? ''}_${index}`);

async function residentMb(workbench: Workbench): Promise<number> {
  const status = await readFile(`/proc/${workbench.extensionHosts().at(-1) ?? 0}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

async function run(workbench: Workbench, text: string): Promise<void> {
  await workbench.setEditorText(text);
  await workbench.page.keyboard.press('ControlOrMeta+Enter');
}

const sandbox = await startSandbox({ from: 'dist', rowLimit: rows });
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  const settings = { 'identityQueries.results.rowLimit': rows };
  await withWorkbench({ name: 'memory', env, settings }, async (workbench) => {
    const { webview } = workbench;
    await workbench.openIdentityView();
    await workbench
      .treeItem(/^Access reviews/)
      .first()
      .waitFor();
    await workbench.runCommand('Identity Queries: New Query');
    await workbench.tab(/Untitled/).waitFor();
    await run(workbench, 'SELECT 1 AS one');
    await webview.getByRole('gridcell').first().waitFor();
    const before = await residentMb(workbench);
    await run(workbench, `SELECT ${selected.join(', ')} FROM generate_series(1, ${rows}) AS n`);
    const loadAll = webview.getByRole('button', { name: 'Load all' });
    await loadAll.click();
    await webview
      .locator('.row-count')
      .filter({ hasText: /^100,000 rows/ })
      .waitFor();
    print({
      bench: 'extension host',
      unit: 'MB',
      rows,
      columns: 20,
      before,
      after: await residentMb(workbench),
    });
  });
} finally {
  await sandbox.stop();
}
