/**
 * Types 5,000 keys (FUZZ_KEYS) in the real editor while documents become others, 1,000 in each window, since a file of
 * tests has a time limit. FUZZ_SEED with FUZZ_KEYS=1000 replays one window.
 */
import { exitCodeOf, start } from '#scripts/lib/processes.js';

const keysOfWindow = 1_000;
const keys = Number(process.env['FUZZ_KEYS'] ?? 5_000);
const first = Number(process.env['FUZZ_SEED'] ?? Date.now() % 0x7fff_ffff);
for (let typed = 0; typed < keys; typed += keysOfWindow) {
  const started = performance.now();
  const seed = String(first + typed / keysOfWindow);
  const part = String(Math.min(keysOfWindow, keys - typed));
  const env = { ...process.env, FUZZ_KEYS: part, FUZZ_SEED: seed };
  const code = await exitCodeOf(
    start(process.execPath, ['scripts/test-node.js', 'ui', 'typist'], { env, stdio: 'inherit' }),
  );
  if (code !== 0) process.exitCode = code;
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${JSON.stringify({ fuzz: 'typist', seed, keys: part, seconds })}\n`);
}
