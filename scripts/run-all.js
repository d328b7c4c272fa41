/** Runs all scripts of one kind in sequence: `node scripts/run-all.js bench|fuzz|pictures [name part]`. `bench --table` writes docs/performance.md. */
import { globSync } from 'node:fs';
import { root } from './lib/paths.js';
import { exitCodeOf, run, start } from './lib/processes.js';

const [kind = 'bench', part = ''] = process.argv.slice(2);
if (kind === 'bench' && part === '--table') {
  await import('./bench-table.js');
  process.exit();
}
const files = globSync(`test/${kind}/**/*.${kind}.ts`, { cwd: root })
  .filter((file) => file.includes(part))
  .sort();
let failed = 0;
// Benchmarks and pictures use the shipped build. The build's own output is hidden, since it is not a result.
if (kind !== 'fuzz') {
  await run(process.execPath, ['scripts/package.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
for (const file of files) {
  const code = await exitCodeOf(start(process.execPath, [file]));
  if (code !== 0) {
    failed += 1;
    process.stderr.write(`${file} ended with code ${code}\n`);
  }
}
if (files.length === 0) process.stderr.write(`no test/${kind} file\n`);
process.exit(failed > 0 || files.length === 0 ? 1 : 0);
