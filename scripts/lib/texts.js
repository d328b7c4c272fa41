/**
 * Finds translatable texts: the first arguments of `vscode.l10n.t` and, outside the editor's API, of `t`,
 * `translate` and methods of that name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-api';
import { fromRoot } from './paths.js';

/** Folders with all strings translated. */
export const translatedFolders = ['base', 'core/src', 'server/src', 'client/src', 'client/webview'];

const functions = new Set(['t', 'translate', 'vscode.l10n.t']);

/** @param {string} name of a function, as written */
const isTranslation = (name) => functions.has(name) || name.endsWith('.translate');

/**
 * @param {string} folder of source files, relative to the root
 * @returns {Map<string, string>} each text with its first location
 */
export function textsOf(folder) {
  return textsIn(sourcesOf(folder));
}

/**
 * @param {readonly ts.SourceFile[]} files
 * @returns {Map<string, string>} each text with its first location
 */
function textsIn(files) {
  const texts = new Map();
  for (const file of files) {
    visit(file, (call, place) => {
      const [first] = call.arguments;
      for (const text of first === undefined ? [] : literalsOf(first)) {
        if (!texts.has(text)) texts.set(text, place);
      }
    });
  }
  return texts;
}

/**
 * Returns the texts of a bundle.
 * @param {import('esbuild').Metafile | undefined} metafile
 * @returns {string[]}
 */
export function textsOfBundle(metafile) {
  const files = Object.keys(metafile?.inputs ?? {}).filter((name) =>
    translatedFolders.some((folder) => name.startsWith(`${folder}/`) && name.endsWith('.ts')),
  );
  return [...textsIn(files.map(sourceOf)).keys()].sort();
}

/**
 * Finds calls with computed texts, which cannot be extracted.
 * @param {string} folder of source files, relative to the root
 * @returns {string[]} locations of the calls
 */
export function unknownTextsOf(folder) {
  /** @type {string[]} */
  const places = [];
  for (const file of sourcesOf(folder)) {
    visit(file, (call, place) => {
      const [first] = call.arguments;
      if (first !== undefined && literalsOf(first).length === 0) places.push(place);
    });
  }
  return places;
}

/** @param {string} folder @returns {ts.SourceFile[]} */
export function sourcesOf(folder) {
  return readdirSync(fromRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => sourceOf(path.posix.join(folder, name.replaceAll(path.sep, '/'))));
}

/** @param {string} file relative to the root */
function sourceOf(file) {
  return ts.createSourceFile(file, readFileSync(fromRoot(file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** @param {ts.SourceFile} file @param {(call: ts.CallExpression, place: string) => void} found */
function visit(file, found) {
  /** @param {ts.Node} node */
  const enter = (node) => {
    if (ts.isCallExpression(node) && isTranslation(node.expression.getText(file))) {
      found(node, `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`);
    }
    ts.forEachChild(node, enter);
  };
  enter(file);
}

/**
 * @param {ts.Expression} text
 * @returns {string[]} the text, or both branches of a conditional; empty for anything else
 */
function literalsOf(text) {
  if (ts.isStringLiteralLike(text)) return [text.text];
  if (ts.isConditionalExpression(text)) {
    const sides = [literalsOf(text.whenTrue), literalsOf(text.whenFalse)];
    return sides.every((side) => side.length > 0) ? sides.flat() : [];
  }
  return ts.isParenthesizedExpression(text) ? literalsOf(text.expression) : [];
}
