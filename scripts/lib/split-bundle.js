/**
 * Builds a program as several CommonJS files, so that startup loads only the code that it runs. Modules loaded by
 * `import()` go into separate files, one per group. esbuild can split only ES modules, so each file is converted
 * afterwards.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

/**
 * @typedef {object} Split
 * @property {string} name of the entry's file. The names of group files and shared files start with it.
 * @property {string} entry relative to the root
 * @property {Readonly<Record<string, RegExp>>} groups patterns for the modules of each group, by group name; the first
 * match wins
 */

/** Marks a plugin's own request to resolve a module. */
const resolving = Symbol('resolving');

/**
 * @param {esbuild.BuildOptions} options for a CommonJS bundle, without entry and output
 * @param {Split} split
 * @param {{ outdir: string, write: boolean }} output `outdir`: relative to the root
 * @returns {Promise<esbuild.BuildOptions & { metafile: true }>}
 */
export async function splitBundle(options, { name, entry, groups }, { outdir, write }) {
  const { format: _format, supported: _supported, sourcemap, plugins = [], ...common } = options;
  const loaded = await loadedOnUse({ ...options, entryPoints: [entry] });
  /** @type {Map<string, string[]>} */
  const members = new Map();
  for (const module of loaded) {
    const group = Object.entries(groups).find(([, pattern]) => pattern.test(module))?.[0];
    if (group === undefined) throw new Error(`no group has ${module}, which is loaded on use`);
    members.set(group, [...(members.get(group) ?? []), module]);
  }
  const exported = await exportsOf(common, loaded);
  for (const files of members.values()) refuseSameNames(files, exported);
  const root = options.absWorkingDir ?? process.cwd();
  const isOnUse = new Map([...members].flatMap(([group, files]) => files.map((file) => [file, group])));
  /** @type {esbuild.Plugin} */
  const onUse = {
    name: 'loaded-on-use',
    setup(build) {
      build.onResolve({ filter: /^[.#]/ }, async ({ path: module, resolveDir, kind, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === resolving) return undefined;
        const found = await build.resolve(module, { resolveDir, kind, pluginData: resolving });
        const group = isOnUse.get(path.relative(root, found.path).replaceAll('\\', '/'));
        return group === undefined ? undefined : { path: `./${name}-${group}.cjs`, external: true };
      });
      build.onResolve({ filter: /^group:/ }, ({ path: group }) => ({
        path: group.slice('group:'.length),
        namespace: 'group',
      }));
      build.onLoad({ filter: /./, namespace: 'group' }, ({ path: group }) => ({
        resolveDir: root,
        // Each group imports the entry, so that the modules loaded at startup go into one file shared by all groups.
        contents: [
          `import './${entry}';`,
          ...(members.get(group) ?? []).map(
            (file) => `export { ${(exported.get(file) ?? []).join(', ')} } from './${file}';`,
          ),
        ].join('\n'),
      }));
    },
  };
  return {
    ...common,
    metafile: true,
    entryPoints: {
      [name]: entry,
      ...Object.fromEntries([...members.keys()].map((group) => [`${name}-${group}`, `group:${group}`])),
    },
    outdir,
    outExtension: { '.js': '.cjs' },
    chunkNames: `${name}-[hash]`,
    format: 'esm',
    splitting: true,
    write: false,
    sourcemap: sourcemap ? 'inline' : false,
    plugins: [onUse, ...plugins, ...(write ? [writtenAsCommonJs(options)] : [])],
  };
}

/**
 * Finds the modules that are loaded by `import()`.
 * @param {esbuild.BuildOptions} options @returns {Promise<readonly string[]>}
 */
async function loadedOnUse(options) {
  const { metafile } = await esbuild.build({ ...options, metafile: true, write: false, outdir: 'dist' });
  /** @type {Set<string>} */
  const targets = new Set();
  for (const { imports } of Object.values(metafile.inputs))
    for (const { path: imported, kind } of imports)
      if (kind === 'dynamic-import' && Object.hasOwn(metafile.inputs, imported)) targets.add(imported);
  return [...targets].sort();
}

/** @param {esbuild.BuildOptions} options @param {readonly string[]} files */
async function exportsOf(options, files) {
  const { metafile } = await esbuild.build({
    ...options,
    entryPoints: [...files],
    bundle: false,
    external: [],
    format: 'esm',
    metafile: true,
    write: false,
    outdir: 'dist',
  });
  return new Map(
    Object.values(metafile.outputs).map(({ entryPoint = '', exports }) => [entryPoint, exports]),
  );
}

/**
 * Throws if two modules of a group export the same name, since a group's modules share one file.
 * @param {readonly string[]} files @param {ReadonlyMap<string, readonly string[]>} exported
 */
function refuseSameNames(files, exported) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const file of files) {
    for (const name of exported.get(file) ?? []) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new Error(`${owner} and ${file} are loaded on use as one file and both export ${name}`);
      owners.set(name, file);
    }
  }
}

/**
 * Converts a build's output files to CommonJS and writes them.
 * @param {esbuild.BuildOptions} options @returns {esbuild.Plugin}
 */
const writtenAsCommonJs = ({ target, platform, supported, sourcemap, minify }) => ({
  name: 'written-as-commonjs',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      await Promise.all(
        outputFiles.map(async ({ path: file, text }) => {
          const { code, map } = await esbuild.transform(text, {
            format: 'cjs',
            target,
            platform,
            supported,
            minify,
            sourcemap: sourcemap ? 'external' : false,
            sourcesContent: false,
            sourcefile: path.basename(file),
          });
          await mkdir(path.dirname(file), { recursive: true });
          const link = map === '' ? '' : `//# sourceMappingURL=${path.basename(file)}.map\n`;
          await writeFile(file, code + link);
          if (map !== '') await writeFile(`${file}.map`, map);
        }),
      );
    });
  },
});
