/**
 * Edits random queries, and asks PostgreSQL whether they still mean the same: renames every kind of name, applies every
 * quick fix and refactoring that is offered. Then formats the corpora and those queries with a comment at each boundary,
 * and completes in place of each token of the corpora and of names in random queries. FUZZ_RUNS sets the number of
 * renames and, five times as many, of fixes; FUZZ_SEED repeats a run; FUZZ_PARTS=renames,fixes runs only these parts.
 * Prints JSON lines.
 */
import type { PGlite } from '@electric-sql/pglite';
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

const parts = {
  renames: async () => {
    const { faults, ...counts } = await withJudge((database) =>
      judgeRenames(database, randomFrom(seed), runs),
    );
    tell('renames', counts, faults);
  },
  fixes: async () => {
    const { faults, ...counts } = await withJudge((database) =>
      judgeFixes(database, randomFrom(seed), 5 * runs),
    );
    tell('fixes', counts, faults);
  },
  names: async () => {
    const { faults, ...counts } = await withJudge((database) =>
      judgeNames(database, randomFrom(seed), Math.ceil(runs / 10)),
    );
    tell('names offered', counts, faults);
  },
  formatting: () => {
    const queries = corpora.flatMap((file) => readCorpus(file).map(({ sql }) => sql));
    const random = randomFrom(seed);
    const written = Array.from({ length: writtenCount }, () => writeQuery(random));
    const { texts, faults } = judgeLayouts([...queries, ...written], {
      every: 1,
      first: seed % 10,
      kinds: 2,
    });
    tell('formatting', { texts }, faults);
  },
  completions: async () => {
    const { refused, lost, ...counts } = await judgeCompletions({ every: 1, first: 0 });
    tell('completions', counts, [...refused, ...lost]);
  },
};

async function withJudge<T>(run: (database: PGlite) => Promise<T>): Promise<T> {
  const database = await openJudge();
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

const chosen = process.env.FUZZ_PARTS?.split(',');
for (const [name, run] of Object.entries(parts)) {
  if (chosen === undefined || chosen.includes(name)) await run();
}
