/**
 * Renames names in random queries and asks PostgreSQL whether rows, types and the other names stay. FUZZ_RUNS sets the
 * number of renames, and FUZZ_SEED repeats a run. Prints JSON lines.
 */
import { openJudge } from '../helpers/edited-queries.ts';
import { judgeRenames } from '../helpers/judged-renames.ts';
import { randomFrom } from '../helpers/random.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

const database = await openJudge();
try {
  const { faults, ...counts } = await judgeRenames(database, randomFrom(seed), runs);
  for (const fault of faults.slice(0, 20)) process.stdout.write(`${JSON.stringify(fault)}\n`);
  process.stdout.write(`${JSON.stringify({ fuzz: 'edits', seed, ...counts, failures: faults.length })}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await database.close();
}
