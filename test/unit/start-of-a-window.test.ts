/** The code that runs when the extension's bundle is loaded, before any user action. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { extensionSplit } from '#scripts/lib/extension-split.js';
import { idsAlone } from '#scripts/lib/ids-alone.js';
import { splitBundle } from '#scripts/lib/split-bundle.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { entry } = extensionSplit;

/** Packages that take milliseconds to load, so they are imported on first use. */
const loadedLater = /^(?:typebox|undici|csv-parse|vscode-languageclient|@modelcontextprotocol)(?:\/|$)/;

/** Maximum size of the entry file, which every window reads at startup. Other code is loaded on use, by `import()`. */
const startLimitBytes = 520_000;

const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  packages: 'external',
  external: ['vscode'],
  minify: true,
  logLevel: 'silent',
  plugins: [idsAlone],
};

test('a starting window reads only the code that it runs, within a size limit', async () => {
  const output = { outdir: 'dist', write: false };
  const { metafile, outputFiles = [] } = await build(await splitBundle(options, extensionSplit, output));
  const files = loadedWith('dist/client.cjs', { inputs: metafile.outputs });
  const read = [...files.keys()].map((file) => metafile.outputs[file]);
  const modules = new Set(read.flatMap((output) => Object.keys(output?.inputs ?? {})));
  const started = loadedWith(entry, metafile);
  assert.deepEqual(
    [...modules].filter((module) => !started.has(module)),
    [],
  );
  const onUse = Object.keys(metafile.inputs).filter((module) => !started.has(module));
  assert.ok(onUse.includes('client/src/features/library/library.ts'), 'commands load their modules');
  const bytes = read.reduce((sum, output) => sum + (output?.bytes ?? 0), 0);
  assert.ok(bytes <= startLimitBytes, `${bytes} bytes are read`);
  // V8 takes twice the memory for a file with other characters. esbuild escapes them, except in regular expressions.
  const texts = outputFiles.filter(({ path: file }) =>
    files.has(path.relative(root, file).replaceAll('\\', '/')),
  );
  assert.equal(texts.length, files.size);
  for (const { text } of texts) assert.equal(/.{0,20}[^\x00-\x7f]/.exec(text)?.[0], undefined);
});

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

interface Importing {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** Returns the modules that run when the entry is loaded, each with one of its importers. */
function loadedWith(
  first: string,
  { inputs }: { readonly inputs: Readonly<Record<string, Importing>> },
): ReadonlyMap<string, string | undefined> {
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
