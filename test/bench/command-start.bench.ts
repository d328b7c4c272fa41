/**
 * Measures `check` of a short query from process start to exit, without and with compiled code from an earlier start.
 * Prints JSON lines.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { percentile, print } from './statistics.ts';

const rounds = 15;
const root = path.join(import.meta.dirname, '../..');
const query = path.join(root, 'media/sample-workspace/unused-accounts.identity.sql');

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
try {
  const environments = {
    'without compiled code': { NODE_DISABLE_COMPILE_CACHE: '1' },
    'with compiled code': { NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
  };
  const check = (more: NodeJS.ProcessEnv) => {
    const started = performance.now();
    const env = { ...process.env, ...more };
    const { status } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'check', query], { env });
    if (status !== 0) throw new Error(`check ended with code ${status}`);
    return performance.now() - started;
  };
  check(environments['with compiled code']); // writes it
  const times = new Map<string, number[]>();
  // Alternate, so that other load on the machine affects both equally.
  for (let round = 0; round < rounds; round += 1)
    for (const [name, env] of Object.entries(environments))
      times.set(name, [...(times.get(name) ?? []), check(env)]);
  for (const [name, all] of times) print({ bench: 'start of check', name, medianMs: percentile(all, 0.5) });
} finally {
  await rm(folder, { recursive: true });
}
