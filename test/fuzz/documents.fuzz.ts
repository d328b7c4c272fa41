/**
 * Analyses documents of FUZZ_RUNS shapes (default: 500) of 95,000 characters, and measures how long the request of
 * another document waits meanwhile. Prints JSON lines: the longest waits, and a summary. Fails above FUZZ_MS (default:
 * 200) milliseconds: on a busy machine, set more.
 */
import { Analyser } from '#server/language/checks/analyser.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { randomFrom } from '../helpers/agent-queries.ts';
import { makeDocument } from '../helpers/document-shapes.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 500);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const limitMs = Number(process.env['FUZZ_MS'] ?? 200);
const random = randomFrom(seed);
const parser = new ServerParser();
const analyser = new Analyser(parser);
const analyse = (text: string) => analyser.analyse(text, { isSavedQuery: false });
await analyse('SELECT 1');
await analyse(`SELECT ${'1, '.repeat(2_000)}1`);
const waits: { readonly ms: number; readonly run: number; readonly start: string }[] = [];
for (let run = 0; run < runs; run++) {
  const text = makeDocument(random, 95_000);
  const state = { isOver: false };
  const large = analyse(text).finally(() => (state.isOver = true));
  let longest = 0;
  for (let nth = 0; nth === 0 || !state.isOver; nth++) {
    const start = performance.now();
    await new Promise((resolve) => setImmediate(resolve)); // as the next message arrives
    await analyse(`SELECT ${run} AS n${nth}`);
    longest = Math.max(longest, performance.now() - start);
  }
  await large;
  waits.push({ ms: Math.round(longest), run, start: text.slice(0, 60) });
}
waits.sort((a, b) => b.ms - a.ms);
for (const wait of waits.slice(0, 10)) process.stdout.write(`${JSON.stringify(wait)}\n`);
const over = waits.filter(({ ms }) => ms > limitMs).length;
process.stdout.write(`${JSON.stringify({ fuzz: 'documents', seed, runs, longestMs: waits[0]?.ms, over })}\n`);
await parser.dispose();
process.exitCode = over > 0 ? 1 : 0;
