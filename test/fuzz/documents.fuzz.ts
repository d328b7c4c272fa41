/**
 * Analyses documents of FUZZ_RUNS shapes (default: 500) of FUZZ_SIZE characters (default: 95,000), and all the long ones
 * of document-shapes.ts. Measures how long the request of another document waits meanwhile for the server's own thread:
 * in processor time, so that a busy machine changes little. Prints JSON lines: the longest waits, and a summary. Fails
 * above FUZZ_MS (default: 200) milliseconds.
 */
import { Analyser } from '#server/language/checks/analyser.ts';
import { LexedTexts } from '#server/language/text/lexed-texts.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { createPause } from '#server/turns.ts';
import { randomFrom } from '../helpers/agent-queries.ts';
import { longDocuments, makeDocument, shortStatements } from '../helpers/document-shapes.ts';
import { goldenCatalogue } from '../unit/server/language/checks/golden-catalogue.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 500);
const size = Number(process.env['FUZZ_SIZE'] ?? 95_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const limitMs = Number(process.env['FUZZ_MS'] ?? 200);
const random = randomFrom(seed);
const parser = new ServerParser();
const analyser = new Analyser(parser, undefined, new LexedTexts(), createPause());
const options = { isSavedQuery: false, catalogue: goldenCatalogue, model: 'platform_identity' };
const analyse = (text: string) => analyser.analyse(text, options);
const busyMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
await analyse('SELECT 1');
await analyse(`SELECT ${'1, '.repeat(2_000)}1`);
const documents = [
  ...Object.entries(longDocuments).map(([name, make]) => [name, make(size)] as const),
  ...shortStatements.map(
    (each) => [JSON.stringify(each), `${each};\n`.repeat(size / (each.length + 2))] as const,
  ),
  ...Array.from({ length: runs }, (_, run) => [`shape ${run}`, makeDocument(random, size)] as const),
];
const waits: { readonly ms: number; readonly name: string; readonly start: string }[] = [];
for (const [name, text] of documents) {
  const state = { isOver: false };
  const large = analyse(text).finally(() => (state.isOver = true));
  let longest = 0;
  for (let nth = 0; nth === 0 || !state.isOver; nth++) {
    const start = busyMs();
    await new Promise((resolve) => setImmediate(resolve)); // as the next message arrives
    await analyse(`SELECT ${waits.length} AS n${nth}`);
    longest = Math.max(longest, busyMs() - start);
  }
  await large;
  waits.push({ ms: Math.round(longest), name, start: text.slice(0, 60) });
}
waits.sort((a, b) => b.ms - a.ms);
for (const wait of waits.slice(0, 10)) process.stdout.write(`${JSON.stringify(wait)}\n`);
const over = waits.filter(({ ms }) => ms > limitMs).length;
process.stdout.write(
  `${JSON.stringify({ fuzz: 'documents', seed, size, documents: documents.length, longestMs: waits[0]?.ms, over })}\n`,
);
await parser.dispose();
process.exitCode = over > 0 ? 1 : 0;
