/** Custom lint rules: import layers by resolved path, and no import cycles, counting type imports. */
import path from 'node:path';
import { importersIn, importGraph, leadingTo, resolved, sourceFolders, wayBetween } from './import-graph.js';

const root = path.resolve(import.meta.dirname, '../..');

/** The only part of `base` that language analysis may import: a table of strings. */
const translations = ['base/texts.ts', 'base/translate.ts'];

/**
 * Allowed imports between folders (ARCHITECTURE.md). A folder may import itself and the listed folders. If several
 * folders contain a file, the longest path applies. `*` matches any name.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const layers = {
  base: ['base/shown-text'],
  'base/shown-text': [],
  'api/contract': [],
  'api/client': ['api/contract', 'base'],
  'core/src': ['api', 'base', 'server/src/language', 'server/src/parser', 'server/src/protocol.ts'],
  'server/src/language': [...translations, 'server/src/protocol.ts'],
  'server/src/parser': [...translations, 'server/src/language'],
  'server/src/protocol.ts': [],
  'server/src': ['base', 'server/src'],
  'client/panel-protocol': ['base', 'core/src'],
  'client/src/ui': ['api', 'base', 'core', 'client/src/contributions.ts'],
  'client/src/session': ['api', 'base', 'core', 'client/src/contributions.ts', 'client/src/ui'],
  'client/src/features/*': [
    'api',
    'base',
    'core',
    'client/panel-protocol',
    'server/src/protocol.ts',
    'client/src/contributions.ts',
    'client/src/contribution-types.ts',
    'client/src/ui',
    'client/src/session',
    'client/src/features/*/index.ts',
  ],
  'client/src/contributions.ts': [
    'client/src/contribution-types.ts',
    'client/src/product.ts',
    'client/src/features/*/contributions.ts',
  ],
  'client/src/contribution-types.ts': [],
  'client/src/product.ts': ['client/src/contribution-types.ts'],
  'client/src': [
    'base',
    'core',
    'client/src/contributions.ts',
    'client/src/ui',
    'client/src/session',
    'client/src/features/*/index.ts',
  ],
  'client/webview': ['client/panel-protocol'],
  service: ['api/contract', 'base'],
  cli: ['api', 'base', 'core', 'server/src'],
};

/**
 * @param {string} pattern
 * @param {string} file
 * @returns {string | undefined} the folder or file that the pattern matches
 */
function within(pattern, file) {
  const parts = pattern.split('/');
  const own = file.split('/').slice(0, parts.length);
  return own.length === parts.length && parts.every((part, index) => part === '*' || part === own[index])
    ? own.join('/')
    : undefined;
}

/**
 * @param {string} file
 * @returns {[pattern: string, folder: string] | undefined} the file's layer
 */
function layerOf(file) {
  return Object.keys(layers)
    .map((pattern) => /** @type {const} */ ([pattern, within(pattern, file)]))
    .filter((found) => found[1] !== undefined)
    .sort(([one], [other]) => other.split('/').length - one.split('/').length)
    .map(([pattern, folder]) => /** @type {[string, string]} */ ([pattern, folder]))[0];
}

/**
 * @param {string} file relative to the root
 * @param {string} target relative to the root
 * @returns {boolean} whether the file may import the target
 */
export function mayImport(file, target) {
  const layer = layerOf(file);
  if (layer === undefined) return true;
  const [pattern, folder] = layer;
  if (layerOf(target)?.[1] === folder) return true;
  return (layers[pattern] ?? []).some((allowed) => within(allowed, target) !== undefined);
}

/** @param {import('eslint').Rule.RuleContext} context */
const fileOf = (context) => path.relative(root, context.filename).replaceAll('\\', '/');

/**
 * Calls `found` for each import of our own modules, in any syntax.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {(target: string, node: import('eslint').Rule.Node) => void} found
 * @returns {import('eslint').Rule.RuleListener}
 */
function eachImport(context, found) {
  const file = fileOf(context);
  /** @param {import('eslint').Rule.Node & { source?: object | null }} node */
  const look = (node) => {
    const source = node.source && 'value' in node.source ? node.source.value : undefined;
    const target = typeof source === 'string' ? resolved(file, source) : undefined;
    if (target !== undefined) found(target, node);
  };
  return {
    ImportDeclaration: look,
    ExportNamedDeclaration: look,
    ExportAllDeclaration: look,
    ImportExpression: look,
    TSImportType: look,
  };
}

/** @type {import('eslint').Rule.RuleModule} */
const rooms = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = fileOf(context);
    return eachImport(context, (target, node) => {
      if (mayImport(file, target)) return;
      const message = within('client/src/features/*', target)
        ? 'Of another feature only its index.ts may be imported: {{target}} is its inside.'
        : '{{file}} may not import {{target}}: ARCHITECTURE.md says who may import whom.';
      context.report({ node, message, data: { file, target } });
    });
  },
};

/**
 * The imports of all files on disk, including tests. They are read once per ESLint run, which lints the whole tree.
 * @type {() => { graph: import('./import-graph.js').ImportGraph, importers: ReadonlyMap<string, readonly string[]> }}
 */
const onDisk = (() => {
  /** @type {ReturnType<typeof onDisk> | undefined} */
  let known;
  return () => {
    if (known !== undefined) return known;
    const graph = importGraph(root, [...sourceFolders, 'test']);
    return (known = { graph, importers: importersIn(graph) });
  };
})();

/**
 * Reports import cycles. The linted file's imports are taken from its current text. Its direct and indirect importers
 * are found only once, which is fast: a feature has few importers, and a test has none.
 * @type {import('eslint').Rule.RuleModule}
 */
const noCycle = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = fileOf(context);
    const { graph, importers } = onDisk();
    if (!graph.has(file)) return {};
    const leading = leadingTo(importers, file);
    return eachImport(context, (target, node) => {
      if (!leading.has(target)) return;
      const way = wayBetween(graph, target, file) ?? [target];
      const message = 'A cycle, of types or values: {{way}}.';
      context.report({ node, message, data: { way: [file, ...way].join(' -> ') } });
    });
  },
};

export default { rules: { rooms, 'no-cycle': noCycle } };
