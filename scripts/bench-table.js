/**
 * Runs the benchmarks of the table one after the other and writes docs/performance.md: `npm run bench -- --table`.
 * `--lines FILE` keeps their JSON lines, and with `--again` writes the page from them without running anything.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { performanceDocument, tableBenchmarks } from './lib/bench-table.js';
import { fromRoot } from './lib/paths.js';
import { exitCodeOf, run, start } from './lib/processes.js';

const fileAt = process.argv.indexOf('--lines');
const kept = fileAt === -1 ? undefined : process.argv[fileAt + 1];

async function measured() {
  await run(process.execPath, ['scripts/package.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
  let lines = '';
  for (const [name, ...more] of tableBenchmarks) {
    const child = start(process.execPath, [`test/bench/${name}.bench.ts`, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      lines += text;
      process.stdout.write(text);
    });
    const code = await exitCodeOf(child);
    if (kept !== undefined) writeFileSync(kept, lines);
    if (code !== 0)
      throw new Error(`The benchmark ${name} ended with code ${code}, so the table is not written.`);
  }
  return lines;
}

const output =
  process.argv.includes('--again') && kept !== undefined ? readFileSync(kept, 'utf8') : await measured();
/** @type {Readonly<Record<string, unknown>>[]} */
const lines = output
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line));
const model = os.cpus()[0]?.model ?? 'an unknown processor';
writeFileSync(
  fromRoot('docs/performance.md'),
  performanceDocument(lines, {
    machine: `${os.cpus().length} cores (${model.trim()}), ${os.type()}, Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
    isAgain: process.argv.includes('--again'),
    before: readFileSync(fromRoot('docs/performance.md'), 'utf8'),
  }),
);
await run(process.execPath, [fromRoot('node_modules/oxfmt/bin/oxfmt'), 'docs/performance.md']);
