/**
 * Packs the command line for npm: `node scripts/package-cli.js [--built] [--out FOLDER]`. Everything is bundled, so the
 * package has no dependencies and no install scripts.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setArchiveModes } from './lib/archives.js';
import { readCatalogue, translationsOf } from './lib/catalogues.js';
import { noticesFile } from './lib/notices.js';
import { fromRoot } from './lib/paths.js';
import { run } from './lib/processes.js';
import { repositoryFields, repositoryUrl } from './lib/repository.js';
import { textsOf } from './lib/texts.js';

const { values: flags } = parseArgs({
  options: {
    built: { type: 'boolean', default: false },
    out: { type: 'string', default: fromRoot('dist/npm') },
  },
});
const folder = path.resolve(flags.out);

/** Files that the program loads at run time. */
const bundles = [
  'cli.js',
  'command-line.js',
  'mcp-library.cjs',
  'server.cjs',
  'language-server.cjs',
  'parser-worker.cjs',
  'dialect-worker.cjs',
  'results-worker.cjs',
  'duckdb-process.cjs',
  'fflate.cjs',
  'hyparquet-writer.cjs',
  'libpg-query.wasm',
  'type-catalogue.bin',
];
const maxBytes = 12 * 1024 * 1024;

if (!flags.built) {
  const names = 'server,parser-worker,dialect-worker,results-worker,cli,agents,duckdb,sandbox';
  await run(process.execPath, ['esbuild.mjs', '--production', '--only', names]);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(path.join(folder, 'dist/sandbox'), { recursive: true });
for (const bundle of bundles) copy(`dist/${bundle}`, `dist/${bundle}`);
for (const file of readdirSync(fromRoot('dist/sandbox')))
  if (/\.(js|br)$/.test(file)) copy(`dist/sandbox/${file}`, `dist/sandbox/${file}`);
writeServerCatalogues();
cpSync(fromRoot('library'), path.join(folder, 'library'), { recursive: true });
// Findings link to it.
cpSync(fromRoot('docs/diagnostics.md'), path.join(folder, 'docs/diagnostics.md'));
for (const file of ['identity-queries.cjs', 'start.cjs', 'README.md']) copy(`cli/npm/${file}`, file);
// Made anew each time: an earlier one may name what is no longer inside.
await run(process.execPath, ['scripts/notices.js']);
for (const file of ['LICENSE', noticesFile]) copy(file, file);
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);

setArchiveModes(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.join(each.parentPath, each.name)),
);

// Packing needs neither our npm scripts nor a registry.
const packed = spawnSync('npm', ['pack', '--json', '--offline', '--ignore-scripts'], {
  cwd: folder,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (packed.status !== 0) fail(`npm pack ended with code ${packed.status}:\n${packed.stderr}`);
/** @type {{ filename: string, size: number, files: { path: string, size: number }[] }[]} */
const [{ filename, size, files } = fail('npm pack made nothing')] = JSON.parse(packed.stdout);
for (const each of files)
  process.stdout.write(`${(each.size / 1024).toFixed(1).padStart(10)} KB  ${each.path}\n`);
process.stdout.write(
  `${path.join(folder, filename)}: ${files.length} files, ${(size / 1024 / 1024).toFixed(2)} MB\n`,
);
if (size > maxBytes) fail(`the package has more than ${maxBytes / 1024 / 1024} MB`);

/** Writes translations of the language server's strings only: the command line is in English. */
function writeServerCatalogues() {
  const wanted = textsOf('server/src');
  mkdirSync(path.join(folder, 'l10n'));
  for (const { file } of translationsOf('l10n/bundle.l10n.*.json')) {
    const own = Object.entries(readCatalogue(file)).filter(([text]) => wanted.has(text));
    writeFileSync(path.join(folder, file), JSON.stringify(Object.fromEntries(own)));
  }
}

/** @param {string} from relative to the root @param {string} to relative to the package */
function copy(from, to) {
  if (!statSync(fromRoot(from), { throwIfNoEntry: false })?.isFile())
    fail(`${from} is not there: npm run build`);
  cpSync(fromRoot(from), path.join(folder, to));
}

/** @returns {object} */
function manifest() {
  /** @type {{ name: string, version: string, license: string, engines: { node: string } }} */
  const { name, version, license, engines } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  return {
    name,
    version,
    license,
    ...repositoryFields(repositoryUrl),
    description: 'Query identity and access data with SQL from the command line.',
    keywords: ['identity', 'access', 'sql', 'cli'],
    type: 'module',
    engines: { node: engines.node },
    bin: { 'identity-queries': 'identity-queries.cjs' },
    files: ['dist/', 'docs/', 'l10n/', 'library/', '*.cjs', 'LICENSE', noticesFile],
  };
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
