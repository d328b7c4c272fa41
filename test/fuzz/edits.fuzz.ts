/**
 * Edits random queries, and asks PostgreSQL whether they still mean the same: renames every kind of name, applies every
 * quick fix and refactoring that is offered. Then formats the corpora and those queries with a comment at each boundary,
 * and completes in place of each token of the corpora and of names in random queries. FUZZ_RUNS sets the number of renames and, five times as many,
 * of fixes; FUZZ_SEED repeats a run. Prints JSON lines.
 */
import { corpora, readCorpus } from '../helpers/corpora.ts';
import { openJudge, writeQuery } from '../helpers/edited-queries.ts';
import { judgeCompletions, judgeNames } from '../helpers/judged-completions.ts';
import { judgeFixes } from '../helpers/judged-fixes.ts';
import { judgeLayouts } from '../helpers/judged-layouts.ts';
import { judgeRenames } from '../helpers/judged-renames.ts';
import { randomFrom } from '../helpers/random.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const writtenCount = 300;

function tell(fuzz: string, counts: object, faults: readonly unknown[]): void {
  for (const fault of faults.slice(0, 20)) process.stdout.write(`${JSON.stringify(fault)}\n`);
  process.stdout.write(`${JSON.stringify({ fuzz, seed, ...counts, failures: faults.length })}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

const database = await openJudge();
try {
  const { faults, ...counts } = await judgeRenames(database, randomFrom(seed), runs);
  tell('renames', counts, faults);
  const fixes = await judgeFixes(database, randomFrom(seed), 5 * runs);
  tell('fixes', { queries: fixes.queries, applied: fixes.applied, unmended: fixes.unmended }, fixes.faults);
  const offered = await judgeNames(database, randomFrom(seed), Math.ceil(runs / 10));
  tell('names offered', { places: offered.places, names: offered.names }, offered.faults);
} finally {
  await database.close();
}

const queries = corpora.flatMap((file) => readCorpus(file).map(({ sql }) => sql));
const random = randomFrom(seed);
const written = Array.from({ length: writtenCount }, () => writeQuery(random));
const layouts = judgeLayouts([...queries, ...written], { every: 1, first: seed % 10, kinds: 2 });
tell('formatting', { texts: layouts.texts }, layouts.faults);

const { refused, lost, ...counts } = await judgeCompletions({ every: 1, first: 0 });
tell('completions', counts, [...refused, ...lost]);
