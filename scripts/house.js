/**
 * Applies the rules of the house to the whole tree: import layers, import cycles, calls with a safer form, and the one
 * reader of pages.
 */
import { readFileSync } from 'node:fs';
import { callProblems, importProblems, purposeProblems, readingProblems } from './lib/house-rules.js';
import { cyclesOf, importGraph, sourceFiles, sourceFolders } from './lib/import-graph.js';
import { fromRoot, root } from './lib/paths.js';

const problems = [
  ...sourceFiles(root).flatMap((file) => {
    const text = readFileSync(fromRoot(file), 'utf8');
    return [importProblems, callProblems, purposeProblems, readingProblems].flatMap((rule) =>
      rule(file, text),
    );
  }),
  ...cyclesOf(importGraph(root, [...sourceFolders, 'test']), { types: true }).map(
    (files) => `a cycle, of types or values: ${files.join(' -> ')}`,
  ),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
