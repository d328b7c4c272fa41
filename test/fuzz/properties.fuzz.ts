/**
 * Runs the tests with random values, with other values than `npm test` draws: `npm run fuzz -- properties`. FUZZ_SEED is
 * the first seed, FUZZ_COUNT how many are tried; FUZZ_SECONDS ends the run after the seed during which they are over.
 */
import { globSync, readFileSync } from 'node:fs';
import { inGroupsOf, runLanes } from '#scripts/lib/lanes.js';
import { fromRoot, root } from '#scripts/lib/paths.js';

const first = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const count = Number(process.env['FUZZ_COUNT'] ?? 5);
const secondsMax = Number(process.env['FUZZ_SECONDS'] ?? Infinity);
const files = globSync('test/unit/**/*.test.ts', { cwd: root })
  .map((file) => fromRoot(file))
  .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));

const started = performance.now();
let seeds = 0;
let tests = 0;
const failed: string[] = [];
for (; seeds < count && performance.now() - started < secondsMax * 1_000; seeds += 1) {
  process.env['FUZZ_SEED'] = String(first + seeds);
  const { passed, failures } = await runLanes(inGroupsOf(files, 5), { isQuiet: true });
  tests += passed + failures.length;
  for (const { line } of failures) failed.push(`✖ seed ${first + seeds}: ${line}`);
}
for (const line of failed) process.stdout.write(`${line}\n`);
process.stdout.write(
  `${JSON.stringify({ fuzz: 'properties', seed: first, seeds, tests, failures: failed.length, seconds: Math.round((performance.now() - started) / 1_000) })}\n`,
);
process.exit(failed.length > 0 ? 1 : 0);
