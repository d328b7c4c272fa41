/**
 * Random interleavings of two or three people who edit, save, lose responses, merge, undo and restart (`npm run fuzz`).
 */
import fc from 'fast-check';
import { actions, playSaves } from '../helpers/save-model.ts';

const interleavings = Number(process.env['FUZZ_INTERLEAVINGS'] ?? 20_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 0x7fff_ffff);

const started = performance.now();
let played = 0;
const outcome = fc.check(
  fc.property(actions, fc.constantFrom(2 as const, 3 as const), (script, people) => {
    played += script.length;
    playSaves(script, people);
  }),
  { numRuns: interleavings, seed },
);
process.stdout.write(
  `${JSON.stringify({ fuzz: 'saving', seed, interleavings: outcome.numRuns, actions: played, seconds: Math.round((performance.now() - started) / 1000), faults: outcome.failed ? 1 : 0 })}\n`,
);
if (outcome.failed) {
  process.stderr.write(`${JSON.stringify(outcome.counterexample)}\n${String(outcome.errorInstance)}\n`);
  process.exitCode = 1;
}
