/**
 * Checks types, lint, format, manifest and the notices for bundled software. A failing step prints the command that
 * fixes it.
 * `--figures`: only prints sizes.
 */
import { readFileSync } from 'node:fs';
import { fromRoot } from './lib/paths.js';
import { exitCodeOf, start } from './lib/processes.js';

/** @type {{ references: { path: string }[] }} */
const { references } = JSON.parse(readFileSync(fromRoot('tsconfig.json'), 'utf8'));

/** @type {{ name: string, args: string[], repair: string }[]} */
const steps = [
  ...references.map(({ path }) => ({
    name: `types of ${path}`,
    args: ['node_modules/typescript/bin/tsc', '-p', path],
    repair: `npx tsc -p ${path}`,
  })),
  {
    name: 'lint',
    args: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
    repair: 'npx eslint --fix .',
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
  {
    name: 'notices of what is bundled',
    args: ['scripts/notices.js', '--check'],
    repair: 'node scripts/notices.js',
  },
];

if (process.argv.includes('--figures'))
  process.exit(await exitCodeOf(start(process.execPath, ['scripts/figures.js'])));

const failed = [];
for (const step of steps) {
  const started = performance.now();
  const code = await exitCodeOf(start(process.execPath, step.args));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? '✔' : '✖'} ${step.name} (${seconds} s)\n`);
  if (code !== 0) failed.push(step);
}
for (const { name, repair } of failed)
  process.stdout.write(`✖ ${name} failed. Look or repair with: ${repair}\n`);
process.exit(failed.length === 0 ? 0 : 1);
