/**
 * Creates the release files in `dist/release`: the .vsix for the Marketplace and Open VSX, the npm package, the
 * software bill of materials, and SHA-256 checksums. `npm run release -- --dry-run` works for any commit and only
 * prints what it would publish. Otherwise, the commit must be clean, tagged `v<version>` and described in CHANGELOG.md.
 * `.github/workflows/release.yml` publishes the files and has the tokens.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { archiveEnvironment } from './lib/archives.js';
import { releaseGaps } from './lib/catalogues.js';
import { fromRoot, packageFile, root } from './lib/paths.js';
import { run } from './lib/processes.js';
import { isPreRelease, releaseProblems } from './lib/release-problems.js';
import { softwareBill } from './lib/sbom.js';

const { values: flags } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const folder = fromRoot('dist/release');
/** @type {{ name: string, version: string }} */
const { name, version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));

const changelog = readFileSync(fromRoot('CHANGELOG.md'), 'utf8');
const problems = releaseProblems({
  version,
  tags: git('tag', '--points-at', 'HEAD').split('\n'),
  changes: git('status', '--porcelain'),
  changelog,
  gaps: releaseGaps().length,
});
for (const problem of problems)
  process.stderr.write(`${flags['dry-run'] ? 'Before a release: ' : ''}${problem}\n`);
if (problems.length > 0 && !flags['dry-run']) process.exit(1);

// Two builds of the same commit are byte-identical.
const seconds = Number(git('log', '-1', '--format=%ct'));
Object.assign(process.env, archiveEnvironment(seconds));
await run(process.execPath, ['scripts/package.js']);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(packageFile(), path.join(folder, path.basename(packageFile())));
await run(process.execPath, ['scripts/package-cli.js', '--built', '--out', fromRoot('dist/npm')]);
for (const file of readdirSync(fromRoot('dist/npm')).filter((each) => each.endsWith('.tgz')))
  cpSync(fromRoot('dist/npm', file), path.join(folder, file));
const bill = softwareBill({ timestamp: new Date(seconds * 1_000).toISOString() });
writeFileSync(path.join(folder, `${name}-${version}.cdx.json`), `${JSON.stringify(bill, undefined, 2)}\n`);

const sums = readdirSync(folder)
  .sort()
  .map((file) => `${sha256(path.join(folder, file))}  ${file}\n`)
  .join('');
writeFileSync(path.join(folder, 'SHA256SUMS'), sums);
const preRelease = isPreRelease(changelog, version) ? ' --pre-release' : '';
const vsix = path.relative(root, path.join(folder, path.basename(packageFile())));
process.stdout.write(`\n${sums}
${flags['dry-run'] ? 'A release would publish with:' : 'Publish with:'}
  vsce publish --packagePath ${vsix}${preRelease}
  ovsx publish ${vsix}${preRelease}
  npm publish ${path.relative(root, path.join(folder, `${name}-${version}.tgz`))}${preRelease && ' --tag next'}
`);

/** @param {string[]} args @returns {string} */
function git(...args) {
  const { stdout, stderr, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
