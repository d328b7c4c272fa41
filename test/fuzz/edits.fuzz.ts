import { openJudge } from '../helpers/edited-queries.ts';
/**
 * Renames names in random queries and asks PostgreSQL whether rows, types and the other names stay. Then completes in
 * place of each token of the corpora and asks the grammar about each suggestion. FUZZ_RUNS sets the number of renames,
 * and FUZZ_SEED repeats a run. Prints JSON lines.
 */
import { judgeCompletions } from '../helpers/judged-completions.ts';
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

const { refused, lost, ...counts } = await judgeCompletions({ every: 1, first: 0 });
for (const where of [...refused, ...lost].slice(0, 20)) process.stdout.write(`${JSON.stringify(where)}\n`);
const failures = refused.length + lost.length;
process.stdout.write(`${JSON.stringify({ fuzz: 'completions', ...counts, failures })}\n`);
if (failures > 0) process.exitCode = 1;
