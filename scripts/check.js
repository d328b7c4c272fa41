/**
 * Checks types, lint, layers, format, manifest, words and translations. A failing step prints the command that
 * fixes it.
 * `--figures`: only prints sizes.
 */
import { text } from 'node:stream/consumers';
import { exitCodeOf, start } from './lib/processes.js';

/** Run without Node.js, and so does what they import, which the linter checks by its own folder only. */
const withoutNode = ['api/contract', 'server/src/language', 'client/panel-protocol', 'client/webview'];

/** @type {{ name: string, args: string[], repair: string }[]} */
const steps = [
  {
    // The linter's typed rules need what the compiler infers, so one run checks both, each file once.
    name: 'types and lint',
    args: ['node_modules/oxlint/bin/oxlint'],
    repair: 'npx oxlint --fix',
  },
  ...withoutNode.map((folder) => ({
    name: `types of ${folder} without Node.js`,
    args: ['node_modules/typescript/bin/tsc', '-p', folder],
    repair: `npx tsc -p ${folder}`,
  })),
  {
    name: 'import layers, cycles, calls',
    args: ['scripts/house.js'],
    repair: 'node scripts/house.js',
  },
  {
    name: 'format',
    args: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
    repair: 'npx oxfmt .',
  },
  {
    name: 'manifest',
    args: ['scripts/manifest.ts', '--check'],
    repair: 'npm run manifest',
  },
  {
    name: 'words that people see',
    args: ['scripts/words.js'],
    repair: 'node scripts/words.js',
  },
  {
    name: 'translations',
    args: ['scripts/l10n.js', '--check'],
    repair: 'node scripts/l10n.js --check',
  },
];

if (process.argv.includes('--figures'))
  process.exit(await exitCodeOf(start(process.execPath, ['scripts/figures.js'])));

/** Without a limit, the linter's types take up to 3.5 GB before they are collected; with a lower one, the time doubles. */
const env = { GOMEMLIMIT: '1500MiB', ...process.env };

/** @type {typeof steps} */
const failed = [];
const waiting = [...steps];

/** Takes step after step. Two at a time: the compiler and the linter use several threads themselves. */
async function takeSteps() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const started = performance.now();
    const child = start(process.execPath, step.args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    const [code, ...output] = await Promise.all([
      exitCodeOf(child),
      ...[child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
    ]);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `${code === 0 ? '' : output.join('')}${code === 0 ? '✔' : '✖'} ${step.name} (${seconds} s)\n`,
    );
    if (code !== 0) failed.push(step);
  }
}

await Promise.all([takeSteps(), takeSteps()]);
for (const { name, repair } of failed)
  process.stdout.write(`✖ ${name} failed. Look or repair with: ${repair}\n`);
process.exit(failed.length === 0 ? 0 : 1);
