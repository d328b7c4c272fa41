/**
 * Builds the .vsix, lists its files, and fails if it contains forbidden ones. `--built`: packages the existing
 * production bundles in `dist`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setArchiveModes } from './lib/archives.js';
import { packageChangelog, packageReadme } from './lib/package-readme.js';
import { fromRoot, packageFile, root } from './lib/paths.js';
import { run } from './lib/processes.js';
import { repositoryUrl } from './lib/repository.js';

const maxBytes = 12 * 1024 * 1024;
const file = path.basename(packageFile());

if (!process.argv.includes('--built')) await run(process.execPath, ['esbuild.mjs', '--production']);
await run(process.execPath, ['scripts/notices.js']);
const readme = repositoryUrl === '' ? 'dist/readme.md' : 'README.md';
if (repositoryUrl === '')
  writeFileSync(fromRoot(readme), packageReadme(readFileSync(fromRoot('README.md'), 'utf8')));
const changelog = 'dist/changelog.md';
const changes = readFileSync(fromRoot('CHANGELOG.md'), 'utf8');
writeFileSync(fromRoot(changelog), repositoryUrl === '' ? packageChangelog(changes) : changes);
const listed = spawnSync(
  process.execPath,
  ['node_modules/@vscode/vsce/vsce', 'ls', '--no-dependencies', '--readme-path', readme],
  { cwd: root, encoding: 'utf8' },
);
const files = listed.stdout.split('\n').filter((line) => line !== '');
setArchiveModes(files.map((each) => fromRoot(each)));
// vsce would run `npm list` to find dependencies, but everything is bundled.
const packed = spawnSync(
  process.execPath,
  [
    'node_modules/@vscode/vsce/vsce',
    'package',
    '--no-dependencies',
    '--readme-path',
    readme,
    '--changelog-path',
    changelog,
    ...(repositoryUrl === '' ? ['--no-rewrite-relative-links', '--allow-missing-repository'] : []),
    '--out',
    file,
  ],
  { cwd: root, encoding: 'utf8' },
);
const said = `${packed.stdout}${packed.stderr}`;
if (packed.status !== 0 || /\bWARNING\b|\bERROR\b/.test(said)) fail(`vsce is not content:\n${said}`);
for (const each of files)
  process.stdout.write(`${kilobytes(statSync(fromRoot(each)).size).padStart(10)}  ${each}\n`);
const { size } = statSync(fromRoot(file));
process.stdout.write(`${file}: ${files.length} files, ${(size / 1024 / 1024).toFixed(2)} MB\n`);
const stray = files.filter(
  (each) =>
    !/^(dist|l10n|library|media|syntaxes)\/|^(docs\/diagnostics\.md|package(\.nls(\..+)?)?\.json|README\.md|LICENSE|THIRD_PARTY_NOTICES\.txt)$/.test(
      each,
    ),
);
for (const each of [changelog, 'LICENSE', 'THIRD_PARTY_NOTICES.txt', 'dist/webview/results.texts.json']) {
  if (!files.includes(each)) fail(`${each} is not in the package`);
}
if (stray.length > 0) fail(`these do not belong into the package: ${stray.join(', ')}`);
if (size > maxBytes) fail(`the package has more than ${maxBytes / 1024 / 1024} MB`);

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
