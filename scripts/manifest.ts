/**
 * Generates the parts of package.json, package.nls.json and docs/settings.md that derive from
 * client/src/contributions.ts. With `--check`, it only lists outdated files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contributions } from '#client/contributions.ts';
import { formatted } from './lib/format.js';
import { manifestOf, settingsDocument } from './lib/manifest.ts';
import { fromRoot } from './lib/paths.js';
import { repositoryFields, repositoryUrl } from './lib/repository.js';

interface Package {
  readonly capabilities: { readonly untrustedWorkspaces: object };
}

/** Returns the generated files by path, with their expected content. */
export async function manifestFiles(): Promise<ReadonlyMap<string, string>> {
  const { contributes, restrictedConfigurations, texts } = manifestOf(contributions);
  const old = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as Package; // we wrote this file
  const { capabilities } = old;
  const untrustedWorkspaces = { ...capabilities.untrustedWorkspaces, restrictedConfigurations };
  return new Map([
    [
      'package.json',
      json({
        ...old,
        ...repositoryFields(repositoryUrl),
        capabilities: { ...capabilities, untrustedWorkspaces },
        contributes,
      }),
    ],
    ['package.nls.json', json(texts)],
    ['docs/settings.md', await formatted('docs/settings.md', settingsDocument(contributions))],
  ]);
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Returns the paths of outdated files. */
export function oldOnes(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(fromRoot(path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

if (import.meta.main) {
  const files = await manifestFiles();
  const old = oldOnes(files);
  if (process.argv.includes('--check')) {
    for (const path of old) process.stderr.write(`${path} is not what client/src/contributions.ts says\n`);
    process.exitCode = old.length === 0 ? 0 : 1;
  } else {
    for (const path of old) writeFileSync(fromRoot(path), files.get(path) ?? '');
    process.stdout.write(old.length === 0 ? 'nothing to write\n' : `written: ${old.join(', ')}\n`);
  }
}
