/**
 * Prints the size of the code, for information only: `npm run check -- --figures`, or `node scripts/figures.js FOLDER`
 * for another checkout.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-api';
import { cyclesOf, importGraph } from './lib/import-graph.js';
import { fromRoot } from './lib/paths.js';

/** @typedef {{ name: string, file: string, lines: number }} Measured */

/**
 * Measures functions that have a block body. Nested functions also count toward the outer one.
 * @param {string} file
 * @param {string} text
 * @returns {Measured[]}
 */
export function functionsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Measured[]} */
  const found = [];
  const lineAt = (/** @type {number} */ offset) => source.getLineAndCharacterOfPosition(offset).line;
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body))
      found.push({ name: nameOf(node), file, lines: lineAt(node.end) - lineAt(node.getStart(source)) + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @param {ts.SignatureDeclaration} node */
function nameOf(node) {
  const named = node.name ?? ('name' in node.parent ? node.parent.name : undefined);
  const name = named && /** @type {ts.Node} */ (named).getText();
  return name ?? (ts.isConstructorDeclaration(node) ? 'constructor' : 'a function');
}

/** @param {readonly number[]} sorted @param {number} part from 0 to 1 */
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** @template Value @param {readonly Value[]} values @param {(value: Value) => number} sizeOf */
const largest = (values, sizeOf) => values.toSorted((one, other) => sizeOf(other) - sizeOf(one));

/** @param {string} root */
export function figuresOf(root) {
  const graph = importGraph(root);
  const texts = [...graph.keys()].map(
    (file) => /** @type {const} */ ([file, readFileSync(path.join(root, file), 'utf8')]),
  );
  const lineCounts = texts.map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }));
  const functions = texts.flatMap(([file, text]) => functionsOf(file, text));
  const lengths = functions.map(({ lines }) => lines).sort((one, other) => one - other);
  /** @type {Map<string, number>} */
  const folders = new Map();
  for (const [file] of texts) {
    const folder = path.posix.dirname(file);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const fanOuts = [...graph].map(([file, imports]) => ({
    file,
    count: new Set(imports.map(({ to }) => to)).size,
  }));
  return {
    files: texts.length,
    lines: lineCounts.reduce((sum, { lines }) => sum + lines, 0),
    functions: functions.length,
    median: at(lengths, 0.5),
    p90: at(lengths, 0.9),
    over80: lengths.filter((length) => length > 80).length,
    longestFunctions: largest(functions, ({ lines }) => lines).slice(0, 10),
    longestFiles: largest(lineCounts, ({ lines }) => lines).slice(0, 5),
    fullestFolders: largest([...folders], ([, count]) => count).slice(0, 5),
    fanOuts: largest(fanOuts, ({ count }) => count).slice(0, 5),
    cyclesOfValues: cyclesOf(graph, { types: false }),
    cyclesOfTypes: cyclesOf(graph, { types: true }),
  };
}

/** @param {ReturnType<typeof figuresOf>} figures */
function print(figures) {
  const list = (/** @type {readonly string[]} */ entries) =>
    entries.map((entry) => `    ${entry}`).join('\n');
  const cycles = (/** @type {readonly string[][]} */ groups) =>
    `${groups.length}${groups.map((group) => `\n    ${group.join(' ')}`).join('')}`;
  process.stdout.write(
    [
      `files ${figures.files}, lines ${figures.lines}`,
      `functions ${figures.functions}: median ${figures.median} lines, p90 ${figures.p90}, over 80 lines ${figures.over80}`,
      `longest functions:\n${list(figures.longestFunctions.map(({ name, file, lines }) => `${lines} ${name} ${file}`))}`,
      `longest files:\n${list(figures.longestFiles.map(({ file, lines }) => `${lines} ${file}`))}`,
      `fullest folders:\n${list(figures.fullestFolders.map(([folder, count]) => `${count} ${folder}`))}`,
      `most imports of ours:\n${list(figures.fanOuts.map(({ file, count }) => `${count} ${file}`))}`,
      `cycles of values: ${cycles(figures.cyclesOfValues)}`,
      `cycles with types: ${cycles(figures.cyclesOfTypes)}`,
    ].join('\n') + '\n',
  );
}

if (import.meta.main) print(figuresOf(path.resolve(process.argv[2] ?? fromRoot('.'))));
