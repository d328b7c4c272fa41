/**
 * Finds what nobody uses: modules that nobody imports or starts, values that are exported and not imported, and types
 * that are mentioned nowhere else. A type that only its own module mentions may stay exported, since it belongs to what
 * the module exports.
 */
import path from 'node:path';
import { resolved, sourceFolders } from './import-graph.js';

/** Imported as a whole, so all that it exports may be used. */
const everything = '*';

/** Product code, and what tests share: its modules exist to be imported. */
const shared = [...sourceFolders, 'test/helpers'];

/**
 * @param {ReadonlyMap<string, string>} texts of all modules of the product, tests and scripts, by path
 * @returns {string[]} one sentence each
 */
export function deadExports(texts) {
  const imported = namesImported(texts);
  /** @type {string[]} */
  const problems = [];
  for (const [file, text] of texts) {
    if (!shared.some((folder) => file.startsWith(`${folder}/`)) || file.endsWith('.d.ts')) continue;
    const names = imported.get(file);
    if (names === undefined) {
      if (!isStarted(file, texts)) problems.push(`${file}: nobody imports or starts this module: remove it`);
      continue;
    }
    if (names.has(everything)) continue;
    for (const { name, isType } of exportsOf(text)) {
      if (names.has(name)) continue;
      if (!isMentionedTwice(text, name)) problems.push(`${file}: nobody uses ${name}: remove it`);
      else if (!isType) problems.push(`${file}: nobody imports ${name}: remove its \`export\``);
    }
  }
  return problems;
}

/**
 * @param {ReadonlyMap<string, string>} texts
 * @returns {ReadonlyMap<string, ReadonlySet<string>>} names by the path of the module that they are imported from
 */
function namesImported(texts) {
  /** @type {Map<string, Set<string>>} */
  const imported = new Map();
  for (const [file, text] of texts) {
    /** @param {string} specifier @param {readonly string[]} names */
    const note = (specifier, names) => {
      const to = resolved(file, specifier);
      if (to === undefined) return;
      const known = imported.get(to) ?? new Set();
      for (const name of names) known.add(name);
      imported.set(to, known);
    };
    for (const [, names = '', specifier = ''] of text.matchAll(
      /^(?:import|export)\b(?: type\b)?([^;'"]*)from '([^']+)';/gm,
    ))
      note(specifier, names.includes('*') ? [everything] : namesIn(names));
    for (const [, specifier = ''] of text.matchAll(/^import '([^']+)';/gm)) note(specifier, []);
    for (const [, specifier = ''] of text.matchAll(/\bimport\('([^']+)'\)/g)) note(specifier, [everything]);
  }
  return imported;
}

/** @param {string} list names in braces, such as `{ type A, b as c }` @returns {string[]} their names in the module */
function namesIn(list) {
  const [, inside = ''] = /\{([^}]*)\}/.exec(list) ?? [];
  return inside.split(',').flatMap((each) => /^\s*(?:type\s+)?(\w+)/.exec(each)?.[1] ?? []);
}

/** @param {string} text @returns {{ name: string, isType: boolean }[]} */
function exportsOf(text) {
  const declared = text.matchAll(
    /^export (?:declare )?(?:async )?(?:abstract )?(function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((each) => /(\w+)\s*$/.exec(each)?.[1] ?? []),
  );
  return [
    ...[...declared].map(([, kind = '', name = '']) => ({ name, isType: /^(?:interface|type)$/.test(kind) })),
    ...listed.map((name) => ({ name, isType: false })),
  ];
}

/** @param {string} text @param {string} name */
function isMentionedTwice(text, name) {
  return [...text.matchAll(RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'))].length > 1;
}

/**
 * Returns true if a build script or another module names the file: an entry of a bundle, a worker, a process.
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts
 */
function isStarted(file, texts) {
  const name = path.posix.basename(file);
  return [...texts].some(([other, text]) => other !== file && RegExp(`['"\`/]${name}['"\`]`).test(text));
}
