/**
 * Feeds mutated corpora and random tokens to the lexer and to the whole check. Expects no exceptions, no hangs, no
 * check over its time limit, and no read-only proof for text that writes. FUZZ_RUNS sets the number of inputs, and
 * FUZZ_SEED repeats a run. Prints JSON lines.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Analyser } from '#server/language/checks/analyser.ts';
import { complete } from '#server/language/editing/completion.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { corpora, readCorpus } from '../helpers/corpora.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 100_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const timeLimitMs = 5_000;

const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [{ name: 'x', columns: [{ name: 'a', type: 'int' }] }, { name: 'y' }],
    },
  ],
};

const pieces = fc.constantFrom(
  ...`' " $$ $a$ -- /* */ \\ E' U&" : :: :p ; ( ) [ ] , . * ' ' = <> || select from where with as union values into for update
  delete insert case when end join using lateral null 1 .5 1e5 é 💥 a b x.y @model @param \0`.split(
    / (?!')|\s+/,
  ),
  ' ',
  '\n',
  '\r',
);
const soup = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' '));

/** Generates statements from the corpus with parts removed, duplicated, swapped or replaced by random tokens. */
function mutated(corpus: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(2_000),
    length: fc.nat(30),
    insert: fc.oneof(fc.constant(''), pieces, soup),
  });
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([sql, edits]) =>
      edits.reduce((text, { at, length, insert }) => {
        const start = text.length === 0 ? 0 : at % text.length;
        return text.slice(0, start) + insert + text.slice(start + length);
      }, sql),
    );
}

const parser = new WorkerParser({ timeLimitsMs: [timeLimitMs, timeLimitMs] });
const analyser = new Analyser(parser);
const started = performance.now();
let gaveUp = 0;
try {
  const corpus = corpora.flatMap((file) => readCorpus(file)).map(({ sql }) => sql);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 4, arbitrary: mutated(corpus) }, soup),
      fc.nat(),
      async (text, place) => {
        const { all } = lex(text);
        assert.equal(Array.from({ length: all.length }, (_, index) => all.textOf(index)).join(''), text);
        complete(lex(text), text.length === 0 ? 0 : place % text.length, {
          catalogue,
          model: 'platform_identity',
        });
        const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue });
        assert.ok(analysis !== undefined);
        for (const { start, end } of analysis.findings) {
          assert.ok(0 <= start && start <= end && end <= text.length, 'a finding lies outside the text');
        }
        gaveUp += analysis.statements.filter(({ verdict }) => verdict === 'unverified').length;
        // Text followed by a DELETE must never be proven read-only as a whole.
        const extended = await analyser.analyse(`${text}\n;DELETE FROM x`, { isSavedQuery: false });
        const isProven = extended?.statements.every(({ verdict }) => verdict === 'read-only') === true;
        assert.ok(!isProven, 'a text with a DELETE was proven to read only');
      },
    ),
    { numRuns: runs, seed },
  );
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(`${JSON.stringify({ fuzz: 'language', runs, seed, seconds, gaveUp, failures: 0 })}\n`);
} finally {
  await parser.dispose();
}
