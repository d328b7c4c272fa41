/** Time from asking for the extension to its being active (bundle load and activate), in fresh extension hosts. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildForHost, runInCodeServer } from '../../scripts/lib/extension-host.js';
import { fromRoot } from '../../scripts/lib/paths.js';
import { percentile, print } from './statistics.ts';

const times = 7;

const scratch = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
try {
  await buildForHost(['test/bench/host/activate.ts'], 'out/bench');
  const workspace = path.join(scratch, 'workspace');
  await cp(fromRoot('test/workspace'), workspace, { recursive: true });
  const resultsFile = path.join(scratch, 'results.jsonl');
  await writeFile(resultsFile, '');
  const problem = await runInCodeServer({
    module: fromRoot('out/bench/activate.cjs'),
    workspace,
    scratch,
    times,
    limitMs: 120_000,
    env: { IDENTITY_QUERIES_BENCH_RESULTS: resultsFile },
  });
  if (problem !== '') throw new Error(problem);
  const lines = (await readFile(resultsFile, 'utf8')).trim().split('\n');
  const ms = lines.map((line) => (JSON.parse(line) as { activationMs: number }).activationMs);
  print({
    bench: 'activation',
    unit: 'ms',
    median: percentile(ms, 0.5),
    max: percentile(ms, 1),
    runs: ms.length,
    goal: 100,
  });
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
