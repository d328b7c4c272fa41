/** What loading the extension's bundle runs, before any user action. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = 'client/src/extension.ts';

/** Each takes milliseconds to load, so it is imported on first use. */
const loadedLater = /^(?:typebox|undici|csv-parse|vscode-languageclient|@modelcontextprotocol)(?:\/|$)/;

test('no library is loaded with the extension', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    metafile: true,
    write: false,
    outdir: path.join(root, 'dist'),
    logLevel: 'silent',
  });
  const importers = loadedWith(entry, metafile);
  assert.ok(importers.size > 100, 'the graph of imports was followed');
  const chains = [...importers.keys()].flatMap((file) =>
    (metafile.inputs[file]?.imports ?? [])
      .filter(({ path: name, kind }) => kind === 'import-statement' && loadedLater.test(name))
      .map(({ path: name }) => [...chainOf(file, importers), name].join(' > ')),
  );
  assert.deepEqual(chains, []);
});

/** Modules that run with the entry, each with one of its importers. */
function loadedWith(first: string, { inputs }: Metafile): ReadonlyMap<string, string | undefined> {
  const importers = new Map<string, string | undefined>([[first, undefined]]);
  for (const file of importers.keys()) {
    for (const { path: imported, kind } of inputs[file]?.imports ?? []) {
      const isOurs = kind === 'import-statement' && Object.hasOwn(inputs, imported);
      if (isOurs && !importers.has(imported)) importers.set(imported, file);
    }
  }
  return importers;
}

function chainOf(file: string, importers: ReadonlyMap<string, string | undefined>): readonly string[] {
  const importer = importers.get(file);
  return importer === undefined ? [file] : [...chainOf(importer, importers), file];
}
