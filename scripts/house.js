/**
 * Applies the rules of the house to the whole tree: import layers, import cycles, calls with a safer form, the one
 * reader of pages, a singular beside each plural, and nothing that nobody uses.
 */
import { globSync, readFileSync } from 'node:fs';
import { deadExports } from './lib/dead-exports.js';
import {
  callProblems,
  importProblems,
  nameProblems,
  purposeProblems,
  readingProblems,
} from './lib/house-rules.js';
import { cyclesOf, importGraph, sourceFiles, sourceFolders } from './lib/import-graph.js';
import { fromRoot, root } from './lib/paths.js';
import { pluralProblems } from './lib/plurals.js';

const scripts = globSync(['*.mjs', 'scripts/**/*.{js,ts}'], { cwd: root }).map((file) =>
  file.replaceAll('\\', '/'),
);
const texts = new Map(
  [...sourceFiles(root, [...sourceFolders, 'test']), ...scripts].map((file) => [
    file,
    readFileSync(fromRoot(file), 'utf8'),
  ]),
);
const problems = [
  ...[...texts].flatMap(([file, text]) => nameProblems(file, text)),
  ...sourceFiles(root).flatMap((file) =>
    [importProblems, callProblems, purposeProblems, readingProblems, pluralProblems].flatMap((rule) =>
      rule(file, texts.get(file) ?? ''),
    ),
  ),
  ...cyclesOf(importGraph(root, [...sourceFolders, 'test']), { types: true }).map(
    (files) => `a cycle, of types or values: ${files.join(' -> ')}`,
  ),
  ...deadExports(texts),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
