/**
 * Measures the time from pressing the Run key to the first rows in the panel: a 1,000-row result, the packaged
 * extension, and a real service.
 */
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';
import { percentile, print } from './statistics.ts';

const runs = 9;

const sandbox = await startSandbox({ from: 'dist' });
try {
  const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
  await withWorkbench({ name: 'bench', env }, async (workbench) => {
    await workbench.openIdentityView();
    await workbench.treeItem(/^Access reviews\/Admins/).waitFor();
    await workbench.runCommand('Identity Queries: New Query');
    await workbench.tab(/Untitled/).waitFor();
    const ms: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      // The mark distinguishes each run's rows from the previous run's rows.
      const mark = `run-${run}`;
      await workbench.setEditorText(
        `SELECT '${mark}' AS mark, n, md5(n::text) AS hash FROM generate_series(1, 1000) AS n`,
      );
      const started = performance.now();
      await workbench.page.keyboard.press('ControlOrMeta+Enter');
      await workbench.webview.getByRole('gridcell', { name: mark }).first().waitFor();
      ms.push(performance.now() - started);
    }
    // The first run also opens the panel.
    const [first = 0, ...later] = ms;
    print({
      bench: 'run to first rows',
      unit: 'ms',
      rows: 1000,
      first: Math.round(first),
      median: percentile(later, 0.5),
      max: percentile(later, 1),
      runs: later.length,
    });
  });
} finally {
  await sandbox.stop();
}
