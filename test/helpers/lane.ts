/**
 * Runs several test files in one process, in sequence: starting a process and loading modules takes longer than most
 * files. The arguments are the files' paths. Hooks of a file stay within it, since it runs inside a suite.
 */
import path from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { limitPerFileMs } from '#scripts/lib/lanes.js';
import { fromRoot, root } from '#scripts/lib/paths.js';

// Each run of all tests draws the same values, so that it fails for what changed. `npm run fuzz -- properties` draws others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

const files = process.argv.slice(2);
if (files.some((file) => file.startsWith(fromRoot('test/ui')))) {
  const [{ shareBrowser }, { keepWorkbench }] = await Promise.all([
    import('./borrowed-browser.ts'),
    import('./shared-workbench.ts'),
  ]);
  const [endWorkbench, closeBrowser] = [keepWorkbench(), shareBrowser()];
  // One hook: after a failing one, the others would not run.
  after(async () => {
    try {
      await endWorkbench();
    } finally {
      await closeBrowser();
    }
  });
}
// What a failed test leaves open, such as a service, holds up no other file.
after(() => {
  setTimeout(() => process.exit(), 30_000).unref();
});
for (const file of files) {
  describe(path.relative(root, file), { timeout: limitPerFileMs }, async () => {
    await import(pathToFileURL(file).href);
  });
}
