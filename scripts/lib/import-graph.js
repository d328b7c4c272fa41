/** The project's import graph, used by the rules about layers and cycles and by the size figures. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Import
 * @property {string} to path of the module, relative to the root
 * @property {boolean} isType whether it imports only types
 */

/** @type {{ imports: Record<string, string> }} */
const manifest = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'));

/** Folders by their name in imports, such as `#core`. @type {Readonly<Record<string, string>>} */
const namedFolders = Object.fromEntries(
  Object.entries(manifest.imports).map(([name, folder]) => [
    name.slice(0, -'/*'.length),
    folder.slice('./'.length, -'/*'.length),
  ]),
);

/** Folders of product code. Tests and scripts may import everything. */
export const sourceFolders = ['api', 'base', 'cli', 'client', 'core', 'server', 'service'];

/**
 * @param {string} root
 * @param {readonly string[]} [folders]
 * @returns {string[]} paths relative to the root, with `/` as the separator
 */
export function sourceFiles(root, folders = sourceFolders) {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')))
        .filter((file) => file.endsWith('.ts') && !file.includes('node_modules/'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  });
}

/**
 * @param {string} file path relative to the root
 * @param {string} specifier as written in the import
 * @returns {string | undefined} path relative to the root, if the module is ours
 */
export function resolved(file, specifier) {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  const [name = '', ...rest] = specifier.split('/');
  const folder = namedFolders[name];
  return folder === undefined ? undefined : path.posix.join(folder, ...rest);
}

/**
 * Finds imports in formatted code, where each statement starts on a new line. This is much faster than a parser.
 * @param {string} file path relative to the root
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(file, text) {
  return specifiersOf(text).flatMap(({ specifier, isType }) => {
    const to = resolved(file, specifier);
    return to === undefined ? [] : [{ to, isType }];
  });
}

/**
 * @param {string} text of a module
 * @returns {{ specifier: string, isType: boolean }[]} all imports, as written
 */
export function specifiersOf(text) {
  const found = [];
  for (const [, word, names = '', specifier = ''] of text.matchAll(
    /^(?:import|export)\b( type\b)?([^;'"]*)from ['"]([^'"]+)['"](?: with \{[^}]*\})?;/gm,
  ))
    found.push({ specifier, isType: word !== undefined || isOfTypes(names) });
  for (const [, specifier = ''] of text.matchAll(/^import ['"]([^'"]+)['"](?: with \{[^}]*\})?;/gm))
    found.push({ specifier, isType: false });
  for (const [, type, specifier = ''] of text.matchAll(
    /(typeof )?\b(?:import|require)(?:\.resolve)?\(\s*['"`]([^'"`]+)['"`]/g,
  ))
    found.push({ specifier, isType: type !== undefined });
  return found;
}

/** @param {string} names the text between `import` and `from` */
function isOfTypes(names) {
  const [, inside] = /^\s*\{([^}]*)\}\s*$/.exec(names) ?? [];
  const all = (inside ?? '').split(',').filter((name) => name.trim() !== '');
  return all.length > 0 && all.every((name) => /^\s*type\s/.test(name));
}

/** @typedef {ReadonlyMap<string, readonly Import[]>} ImportGraph */

/** @param {string} root @param {readonly string[]} [folders] @returns {ImportGraph} */
export function importGraph(root, folders = sourceFolders) {
  return new Map(
    sourceFiles(root, folders).map((file) => [
      file,
      importsOf(file, readFileSync(path.join(root, file), 'utf8')),
    ]),
  );
}

/**
 * @param {ImportGraph} graph
 * @returns {ReadonlyMap<string, readonly string[]>} each module's importers
 */
export function importersIn(graph) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [from, imports] of graph)
    for (const { to } of imports) {
      const known = importers.get(to);
      if (known === undefined) importers.set(to, [from]);
      else known.push(from);
    }
  return importers;
}

/**
 * @param {ReadonlyMap<string, readonly string[]>} importers
 * @param {string} file
 * @returns {ReadonlySet<string>} the module and all its direct and indirect importers
 */
export function leadingTo(importers, file) {
  const leading = new Set([file]);
  for (const each of leading) for (const importer of importers.get(each) ?? []) leading.add(importer);
  return leading;
}

/**
 * Finds the shortest path from one module to another.
 * @param {ImportGraph} graph
 * @param {string} from
 * @param {string} to
 * @returns {string[] | undefined} the path, including both ends
 */
export function wayBetween(graph, from, to) {
  /** @type {Map<string, string | undefined>} */
  const reachedFrom = new Map([[from, undefined]]);
  for (const file of reachedFrom.keys()) {
    if (file === to) return wayTo(reachedFrom, to);
    for (const { to: next } of graph.get(file) ?? []) if (!reachedFrom.has(next)) reachedFrom.set(next, file);
  }
  return undefined;
}

/** @param {ReadonlyMap<string, string | undefined>} reachedFrom @param {string} end */
function wayTo(reachedFrom, end) {
  const way = [];
  for (let file = /** @type {string | undefined} */ (end); file !== undefined; file = reachedFrom.get(file))
    way.unshift(file);
  return way;
}

/**
 * Finds import cycles: strongly connected components with more than one module (Tarjan's algorithm).
 * @param {ImportGraph} graph
 * @param {{ types: boolean }} options `types`: whether type imports count
 * @returns {string[][]}
 */
export function cyclesOf(graph, { types }) {
  /** @type {Map<string, { index: number, low: number, isOpen: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const groups = [];
  const visit = (/** @type {string} */ file) => {
    const own = { index: seen.size, low: seen.size, isOpen: true };
    seen.set(file, own);
    open.push(file);
    for (const { to, isType } of graph.get(file) ?? []) {
      if (isType && !types) continue;
      const next = seen.get(to) ?? visit(to);
      if (next.isOpen) own.low = Math.min(own.low, next.low);
    }
    if (own.low !== own.index) return own;
    const group = open.splice(open.indexOf(file));
    for (const one of group) /** @type {{ isOpen: boolean }} */ (seen.get(one)).isOpen = false;
    if (group.length > 1) groups.push(group);
    return own;
  };
  for (const file of graph.keys()) if (!seen.has(file)) visit(file);
  return groups;
}
