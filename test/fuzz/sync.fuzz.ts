/**
 * Random interleavings of two clones, edits on the service, renames, deletions and lost responses (`npm run fuzz --
 * sync`).
 */
import { randomFrom } from '../helpers/random.ts';
import { playSync } from '../helpers/sync-model.ts';

const interleavings = Number(process.env['FUZZ_INTERLEAVINGS'] ?? 10_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 0x7fff_ffff);

const started = performance.now();
const totals = { pushes: 0, writes: 0, conflicts: 0, merges: 0 };
let faults = 0;
for (let story = 0; story < interleavings; story += 1) {
  try {
    const counts = await playSync(randomFrom(seed + story), 40);
    for (const name of ['pushes', 'writes', 'conflicts', 'merges'] as const) totals[name] += counts[name];
  } catch (error) {
    faults += 1;
    if (faults <= 5)
      process.stderr.write(
        `seed ${seed + story}: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    process.exitCode = 1;
  }
}
process.stdout.write(
  `${JSON.stringify({ fuzz: 'sync', seed, interleavings, ...totals, seconds: Math.round((performance.now() - started) / 1000), faults })}\n`,
);
