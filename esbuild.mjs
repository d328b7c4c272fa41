// Builds all bundles, or only the named ones, into dist/. Each bundle has one options object over a shared base.
//
//   node esbuild.mjs [--production] [--watch] [--only NAME[,NAME...]]
//   node esbuild.mjs --packages      writes nothing, prints the folders of the bundled packages
//
// Names: server, parser-worker, dialect-worker, cli, agents, duckdb, extension, results-worker, webview, sandbox. A bundle
// whose entry point does not exist is skipped with a message. Types are checked separately (npm run check).
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { extensionSplit } from './scripts/lib/extension-split.js';
import { idsAlone } from './scripts/lib/ids-alone.js';
import { packagesFile } from './scripts/lib/paths.js';
import { splitBundle } from './scripts/lib/split-bundle.js';

const { values: flags } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    only: { type: 'string' },
    packages: { type: 'boolean', default: false },
  },
});
const root = import.meta.dirname;
const outdir = path.join(root, 'dist');
const production = flags.production;

/** @type {esbuild.BuildOptions} */
const base = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production || flags.packages ? false : 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};
// The extension host's Node version. Client and server code must run on it.
/** @type {esbuild.BuildOptions} */
const node = { ...base, platform: 'node', target: 'node22.19' };
/** @type {esbuild.BuildOptions} */
const commonjs = {
  ...node,
  format: 'cjs',
  mainFields: ['module', 'main'],
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
};
/** @type {esbuild.BuildOptions} */
const browser = { ...base, platform: 'browser', format: 'iife', target: 'es2023' };

/** @param {string} file relative to the root */
const exists = (file) =>
  stat(path.join(root, file)).then(
    () => true,
    () => false,
  );

/**
 * Webviews: each folder of client/webview with a main.ts produces dist/webview/<folder>.js, and its main.css (or the
 * style sheets that main.ts imports) produces dist/webview/<folder>.css.
 */
async function webviews() {
  const folder = 'client/webview';
  if (!(await exists(folder))) {
    return [];
  }
  const bundles = [];
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    if (entry.isDirectory() && (await exists(`${folder}/${entry.name}/main.ts`))) {
      const entryPoints = [{ in: `${folder}/${entry.name}/main.ts`, out: entry.name }];
      if (await exists(`${folder}/${entry.name}/main.css`)) {
        entryPoints.push({ in: `${folder}/${entry.name}/main.css`, out: entry.name });
      }
      bundles.push({
        ...browser,
        entryPoints,
        outdir: 'dist/webview',
        plugins: [ownTexts(`dist/webview/${entry.name}.texts.json`)],
      });
    }
  }
  return bundles;
}

/**
 * Writes a list of a page's UI strings, so that the page receives only their translations.
 * @param {string} file relative to the root
 * @returns {esbuild.Plugin}
 */
const ownTexts = (file) => ({
  name: 'own-texts',
  setup(plugin) {
    plugin.onEnd(async ({ metafile }) => {
      if (plugin.initialOptions.write === false) return;
      const { textsOfBundle } = await import('./scripts/lib/texts.js');
      written.add(path.join(root, file));
      await writeFile(path.join(root, file), `${JSON.stringify(textsOfBundle(metafile))}\n`);
    });
  },
});

/**
 * The client's and the server's packages depend on different versions of the protocol package. In the server's bundle,
 * our shared module uses the server's version, so that only one is bundled.
 * @type {esbuild.Plugin}
 */
const oneProtocol = {
  name: 'one-protocol',
  setup(build) {
    build.onResolve({ filter: /^vscode-languageserver-protocol$/ }, ({ importer, resolveDir, kind }) =>
      path.basename(importer) === 'protocol.ts'
        ? build.resolve('vscode-languageserver', { resolveDir, kind })
        : undefined,
    );
  },
};

/**
 * Defers built-in modules that the protocol library loads at startup but rarely uses: `crypto` for named pipes and
 * `child_process` for searching npm packages. Together they account for a sixth of the server's startup time.
 * @type {esbuild.Plugin}
 */
const builtinsLater = {
  name: 'builtins-later',
  setup(build) {
    build.onResolve({ filter: /^(?:crypto|child_process)$/ }, ({ path: builtin }) => ({
      path: builtin,
      namespace: 'builtins-later',
    }));
    build.onLoad({ filter: /./, namespace: 'builtins-later' }, ({ path: builtin }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('node:${builtin}')[name] });`,
    }));
  },
};

/**
 * Libraries that the extension loads on first use. They are in separate files so that activation does not parse them.
 */
const loadedLater = {
  undici: 'undici',
  'vscode-languageclient/node': 'language-client',
  typebox: 'typebox',
  'typebox/value': 'typebox-value',
  'typebox/compile': 'typebox-compile',
  'csv-parse': 'csv-parse',
};

/** Libraries that the results worker loads only to write files (compression, Parquet). */
const loadedByResults = { fflate: 'fflate', 'hyparquet-writer': 'hyparquet-writer' };

/** The agent protocol library: half a megabyte that nothing else uses. */
const loadedForAgents = { './protocol-library.ts': 'mcp-library' };

/** @param {Record<string, string>} libraries file names by library @returns {esbuild.Plugin} */
const besides = (libraries) => ({
  name: 'besides',
  setup(plugin) {
    for (const [library, file] of Object.entries(libraries)) {
      plugin.onResolve({ filter: new RegExp(`^${library}$`) }, () => ({
        path: path.extname(file) === '' ? `./${file}.cjs` : `./${file}`,
        external: true,
      }));
    }
  },
});

/**
 * An `import * as vscode` copies the whole namespace of some 330 properties into each of our modules, which took more
 * than half of the bundle's loading time. The editor's own object works just as well. It is required only once, since
 * the editor resolves the file's real path at each `require('vscode')`.
 * @type {esbuild.Plugin}
 */
const oneEditorApi = {
  name: 'one-editor-api',
  setup(build) {
    build.onLoad({ filter: /[\\/]client[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => ({
      loader: 'ts',
      contents: (await readFile(file, 'utf8')).replace(
        /^import \* as vscode from 'vscode';$/m,
        `import vscode = require('vscode');`,
      ),
    }));
    build.onResolve({ filter: /^vscode$/ }, ({ path: api, namespace }) =>
      namespace === 'editor-api' ? { path: api, external: true } : { path: api, namespace: 'editor-api' },
    );
    build.onLoad({ filter: /./, namespace: 'editor-api' }, () => ({
      contents: `module.exports = require('vscode');`,
    }));
  },
};

const extensionOptions = {
  ...commonjs,
  // `import()` sees only some exports of a CommonJS file, so it becomes `require`.
  supported: { 'dynamic-import': false },
  external: ['vscode'],
  plugins: [besides(loadedLater), besides(loadedForAgents), idsAlone, oneEditorApi],
};

/**
 * Refuses to bundle modules of ours besides the entry: the process that loads the bundle has them already, and two
 * copies of a class break `instanceof`.
 * @type {esbuild.Plugin}
 */
const onlyLibraries = {
  name: 'only-libraries',
  setup(build) {
    build.onResolve({ filter: /^[.#]/ }, ({ path: module, importer, kind }) =>
      kind === 'entry-point' || importer.includes('node_modules')
        ? undefined
        : { errors: [{ text: `${module} is not part of a library` }] },
    );
  },
};

/** Other Node bundles, with their entry points and output files. */
const programs = [
  {
    name: 'server',
    entry: 'server/src/launch.ts',
    options: { ...commonjs, outfile: 'dist/server.cjs' },
  },
  {
    name: 'server',
    entry: 'server/src/main.ts',
    options: { ...commonjs, outfile: 'dist/language-server.cjs', plugins: [oneProtocol, builtinsLater] },
  },
  {
    name: 'parser-worker',
    entry: 'server/src/parser/worker.ts',
    options: { ...commonjs, outfile: 'dist/parser-worker.cjs' },
    after: copyParserFiles,
  },
  {
    name: 'dialect-worker',
    entry: 'server/src/parser/dialect-worker.ts',
    options: { ...commonjs, outfile: 'dist/dialect-worker.cjs' },
  },
  {
    name: 'cli',
    entry: 'cli/src/launch.ts',
    options: {
      ...node,
      target: 'node20',
      format: /** @type {const} */ ('esm'),
      outfile: 'dist/cli.js',
      plugins: [besides({ './main.ts': 'command-line.js' })],
      banner: { js: '#!/usr/bin/env node' },
    },
  },
  {
    name: 'cli',
    entry: 'cli/src/main.ts',
    options: {
      ...node,
      target: 'node22',
      format: /** @type {const} */ ('esm'),
      outfile: 'dist/command-line.js',
      plugins: [besides(loadedForAgents)],
      // Bundled libraries are CommonJS modules that load Node's built-in modules with `require`.
      banner: {
        js: "import { createRequire as requireHere } from 'node:module';\nconst require = requireHere(import.meta.url);",
      },
    },
  },
  {
    name: 'agents',
    entry: 'core/src/agents/mcp/protocol-library.ts',
    options: { ...commonjs, outfile: 'dist/mcp-library.cjs', plugins: [onlyLibraries] },
  },
  {
    name: 'agents',
    entry: 'core/src/agents/mcp/relay.ts',
    options: { ...commonjs, outfile: 'dist/agent-relay.cjs' },
  },
  {
    name: 'duckdb',
    entry: 'core/src/duckdb/duckdb-process.ts',
    options: { ...commonjs, outfile: 'dist/duckdb-process.cjs' },
  },
  {
    name: 'extension',
    entry: 'client/src/launch.ts',
    options: { ...commonjs, outfile: 'dist/extension.cjs' },
  },
  ...Object.entries(loadedLater).map(([library, file]) => ({
    name: 'extension',
    entry: path.relative(root, createRequire(import.meta.url).resolve(library)),
    options: { ...commonjs, outfile: `dist/${file}.cjs`, external: ['vscode'] },
  })),
  {
    name: 'results-worker',
    entry: 'core/src/rows/worker/worker-main.ts',
    options: {
      ...commonjs,
      outfile: 'dist/results-worker.cjs',
      supported: { 'dynamic-import': false },
      plugins: [besides(loadedByResults)],
    },
  },
  ...Object.entries(loadedByResults).map(([library, file]) => ({
    name: 'results-worker',
    entry: path.relative(root, createRequire(import.meta.url).resolve(library)),
    options: { ...commonjs, outfile: `dist/${file}.cjs` },
  })),
];

/** The worker's bundle loads the parser's WebAssembly and the type catalog from its own folder at run time. */
async function copyParserFiles() {
  const wasm = createRequire(import.meta.url).resolve('libpg-query/wasm/libpg-query.wasm');
  await mkdir(outdir, { recursive: true });
  await cp(wasm, path.join(outdir, 'libpg-query.wasm'));
  await cp(
    path.join(root, 'server/src/language/types/catalogue/type-catalogue.bin'),
    path.join(outdir, 'type-catalogue.bin'),
  );
}

/** The sandbox has its own build step, since it includes a database and prepared data. */
async function buildSandbox() {
  if (await exists('service/build.ts')) {
    const step = await import(pathToFileURL(path.join(root, 'service/build.ts')).href);
    if (flags.packages) await build('sandbox', step.sandboxBundles({ outdir, production }));
    else notePackages(await step.buildSandbox({ outdir: path.join(outdir, 'sandbox'), production }));
    return;
  }
  process.stdout.write('sandbox: no service/build.ts, left out\n');
}

/** Absolute paths of this build's output. */
const written = new Set(['libpg-query.wasm', 'type-catalogue.bin'].map((file) => path.join(outdir, file)));

/** Removes earlier builds' files, which must not end up in a package. The sandbox manages its own folder. */
async function removeLeftovers() {
  for (const entry of await readdir(outdir, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !file.startsWith(path.join(outdir, 'sandbox')) && !written.has(file)) {
      await rm(file, { force: true });
    }
  }
}

const wanted = flags.only === undefined ? undefined : new Set(flags.only.split(','));
/** @param {string} name */
const isWanted = (name) => wanted === undefined || wanted.has(name);

/** Folders of packages with bundled code. */
const packages = new Set();

/** @param {esbuild.BuildOptions} options */
async function findPackages(options) {
  const { metafile } = await esbuild.build({ ...options, metafile: true, write: false });
  notePackages(metafile);
}

/** @param {esbuild.Metafile} metafile */
function notePackages(metafile) {
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
      if (folder !== undefined && bytesInOutput > 0) packages.add(folder);
    }
  }
}

/** @param {string} name @param {esbuild.BuildOptions} options */
async function build(name, options) {
  if (flags.packages) {
    await findPackages(options);
    return;
  }
  if (flags.watch) {
    const context = await esbuild.context(options);
    await context.watch();
    return;
  }
  const started = performance.now();
  const { metafile } = await esbuild.build(options);
  if (metafile !== undefined) notePackages(metafile);
  const ms = Math.round(performance.now() - started);
  for (const [file, output] of Object.entries(metafile?.outputs ?? {})) {
    written.add(path.join(root, file));
    if (!file.endsWith('.map')) {
      process.stdout.write(`${name}: ${file} ${(output.bytes / 1024).toFixed(0)} KB (${ms} ms)\n`);
    }
  }
}

// Of any other build, the bundles hold something else.
if (!flags.packages) await rm(packagesFile, { force: true });
for (const { name, entry, options, after } of programs) {
  if (!isWanted(name)) {
    continue;
  }
  if (!(await exists(entry))) {
    process.stdout.write(`${name}: no ${entry}, left out\n`);
    continue;
  }
  await build(name, { ...options, entryPoints: [entry] });
  if (!flags.packages) await after?.();
}
if (isWanted('extension')) {
  const output = { outdir: 'dist', write: !flags.packages };
  await build('extension', await splitBundle(extensionOptions, extensionSplit, output));
}
if (isWanted('webview')) {
  for (const options of await webviews()) {
    await build('webview', options);
  }
}
if (isWanted('sandbox')) {
  await buildSandbox();
}
if (production && wanted === undefined && !flags.watch && !flags.packages) {
  await removeLeftovers();
  // The notices and the bill of materials need them, and finding them takes a second build.
  await mkdir(path.dirname(packagesFile), { recursive: true });
  await writeFile(packagesFile, JSON.stringify([...packages].sort()));
}
if (flags.packages) process.stdout.write(`${JSON.stringify([...packages].sort())}\n`);
