/** Types 5,000 keys (FUZZ_KEYS) in the real editor while documents become others. FUZZ_SEED replays a run. */
import { exitCodeOf, start } from '#scripts/lib/processes.js';

const started = performance.now();
const keys = process.env['FUZZ_KEYS'] ?? '5000';
const seed = process.env['FUZZ_SEED'] ?? String(Date.now() % 0x7fff_ffff);
const env = { ...process.env, FUZZ_KEYS: keys, FUZZ_SEED: seed };
process.exitCode = await exitCodeOf(
  start(process.execPath, ['scripts/test-node.js', 'ui', 'typist'], { env, stdio: 'inherit' }),
);
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(`${JSON.stringify({ fuzz: 'typist', seed, keys, seconds })}\n`);
