/** Notices for third-party software found in the bundles, with license texts. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fromRoot, packagesFile, root } from './paths.js';

export const noticesFile = 'THIRD_PARTY_NOTICES.txt';

/** Code compiled into a package's WebAssembly that the package's own license does not mention. */
export const compiledIn = [
  {
    from: 'libpg-query',
    parts: ['libpg_query', 'postgresql', 'protobuf-c', 'xxhash', 'emscripten', 'musl'],
  },
  { from: '@electric-sql/pglite', parts: ['postgresql', 'emscripten', 'musl'] },
];

/** @typedef {{ readonly name: string, readonly license: string, readonly text: string }} Notice */

/** @returns {string} */
export function writtenNotices() {
  return [introduction, ...sections()].join('\n');
}

/**
 * Returns one entry per license text.
 * @returns {string[]}
 */
function sections() {
  const notices = bundledPackages().flatMap(noticesOf);
  /** @type {Map<string, Set<string>>} */
  const namesByText = new Map();
  for (const { name, license, text } of notices) {
    const names = namesByText.get(text) ?? new Set();
    namesByText.set(text, names.add(`${name} (${license})`));
  }
  return [...namesByText]
    .map(([text, names]) => ({ text, heading: [...names].sort().join('\n') }))
    .sort((one, other) => (one.heading < other.heading ? -1 : 1))
    .map(({ text, heading }) => `${'='.repeat(80)}\n${heading}\n${'='.repeat(80)}\n\n${text}\n`);
}

const introduction = `Identity Queries contains the following software of others.
Written by "node scripts/notices.js" from what the bundles hold.
`;

/** @returns {string[]} folders, relative to the root */
export function bundledPackages() {
  if (existsSync(packagesFile)) return JSON.parse(readFileSync(packagesFile, 'utf8'));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['esbuild.mjs', '--packages'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The packages in the bundles cannot be found out:\n${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** @param {string} folder @returns {Notice[]} */
function noticesOf(folder) {
  /** @type {{ name: string, license: string, author?: string | { name: string } }} */
  const manifest = JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));
  const { name, license } = manifest;
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  const own = { name, license, text: textOf(folder) ?? standardText({ name, license, author }) };
  const parts = compiledIn.find(({ from }) => from === name)?.parts ?? [];
  return [own, ...parts.map((part) => ({ name: part, license: `in ${name}`, text: licenceText(part) }))];
}

/** @param {string} folder */
function textOf(folder) {
  const files = readdirSync(fromRoot(folder))
    .filter((file) => /^(?:licen[cs]e|copying|notice|thirdpartynotices)(?:[.-]|$)/i.test(file))
    .sort();
  if (files.length > 0)
    return files.map((file) => tidied(readFileSync(fromRoot(folder, file), 'utf8'))).join('\n\n');
  const readme = fromRoot(folder, 'README.md');
  const section = existsSync(readme)
    ? /^#+ licen[cs]e\s*$(.*)/ims.exec(readFileSync(readme, 'utf8'))?.[1]
    : undefined;
  return section !== undefined && /permission is hereby granted/i.test(section) ? tidied(section) : undefined;
}

/** @param {{ name: string, license: string, author: string | undefined }} manifest */
function standardText({ name, license, author }) {
  if (license !== 'MIT' || author === undefined)
    throw new Error(`${name} has no text of its licence, ${license}.`);
  return `Copyright (c) ${author}\n\n${licenceText('mit')}`;
}

/** @param {string} name */
function licenceText(name) {
  return tidied(readFileSync(fromRoot('scripts/lib/licences', `${name}.txt`), 'utf8'));
}

/** @param {string} text */
function tidied(text) {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
