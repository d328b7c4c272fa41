/** The rules about imports: plants every kind of violation in a suitable file and expects a report. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importProblems, mayImport, nameProblems } from '#scripts/lib/house-rules.js';
import {
  cyclesOf,
  importersIn,
  importGraph,
  importsOf,
  leadingTo,
  sourceFolders,
  wayBetween,
} from '#scripts/lib/import-graph.js';

const root = path.join(import.meta.dirname, '../..');

/** Returns the cycles that a line makes when added to a file. */
function cyclesWith(file: string, line: string): string[][] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const graph = new Map(importGraph(root, [...sourceFolders, 'test']));
  return cyclesOf(graph.set(file, importsOf(file, `${text}\n${line}\n`)), { types: true });
}

/** Returns the part of the product that contains a file. The client is one: its features list their contributions. */
function folderOf(file: string): string {
  const parts = file.split('/');
  if (parts[0] === 'core' || file.startsWith('server/src/language/') || file.startsWith('server/src/parser/'))
    return parts.slice(0, 3).join('/');
  if (file === 'server/src/protocol.ts') return file;
  return parts[0] === 'api' ? parts.slice(0, 2).join('/') : (parts[0] ?? file);
}

describe('import layers', () => {
  const inside = [
    ['client/src/features/evidence/planted.ts', "import { a } from '../results/result.ts';"],
    ['client/src/features/evidence/planted.ts', "import type { A } from '../results/result.ts';"],
    ['client/src/features/evidence/planted.ts', "export { a } from '../results/result.ts';"],
    ['client/src/features/evidence/planted.ts', "const a = await import('../results/result.ts');"],
    ['client/src/features/evidence/planted.ts', "let a: typeof import('../results/result.ts');"],
    ['client/src/features/exports/planted.ts', "import { a } from '../records/open-records.ts';"],
    ['client/src/features/records/planted.ts', "import { a } from '../runs/run-target.ts';"],
    [
      'client/src/features/runs/parameters/planted.ts',
      "import { a } from '../../results/export/planted.ts';",
    ],
    ['client/src/features/runs/planted.ts', "import { a } from '../results/contributions.ts';"],
    ['client/src/extension.ts', "import { a } from './features/results/result.ts';"],
  ] as const;
  const layers = [
    ['client/src/ui/planted.ts', "import { a } from '../features/runs/index.ts';"],
    ['client/src/ui/planted.ts', "import { a } from '../session/session.ts';"],
    ['client/src/session/planted.ts', "import { a } from '../features/runs/index.ts';"],
    ['client/src/features/runs/planted.ts', "import { a } from '../../extension.ts';"],
    ['client/src/features/runs/planted.ts', "import { a } from '#server/language/text/lines.ts';"],
    ['client/src/features/runs/contributions.ts', "import { a } from '#cli/main.ts';"],
    ['client/webview/results/planted.ts', "import { a } from '../../src/contributions.ts';"],
    ['client/webview/results/grid/planted.ts', "import { a } from '../../../../core/src/rows/planted.ts';"],
    [
      'client/webview/results/grid/planted.ts',
      "import type { A } from '../../../../core/src/rows/planted.ts';",
    ],
    ['client/panel-protocol/planted.ts', "import { a } from '#client/ui/planted.ts';"],
    ['core/src/rows/planted.ts', "import { a } from '../../../client/src/ui/planted.ts';"],
    ['core/src/rows/planted.ts', "import { a } from '#panel-protocol/planted.ts';"],
    ['core/src/rows/planted.ts', "import { a } from '../../../server/src/handlers/planted.ts';"],
    ['base/shown-text/planted.ts', "import { a } from '../errors.ts';"],
    ['base/planted.ts', "import { a } from '#core/rows/rows.ts';"],
    ['base/words/planted.ts', "import type { A } from '#server/protocol.ts';"],
    ['api/planted/planted.ts', "import { a } from '#core/rows/rows.ts';"],
    ['client/planted/planted.ts', "import { a } from '#core/rows/rows.ts';"],
    ['core/src/reading/planted.ts', "import type { A } from '../runs/query-run.ts';"],
    ['server/src/language/checks/planted.ts', "import { a } from '#core/parameters/form.ts';"],
    ['server/src/language/text/planted.ts', "import { a } from '../../parser/planted.ts';"],
    ['server/src/planted.ts', "import { a } from '#core/runs/planted.ts';"],
    ['api/contract/planted.ts', "import type { A } from '../client/client.ts';"],
    ['api/client/planted.ts', "import { a } from '#core/runs/planted.ts';"],
    ['service/src/planted.ts', "import { a } from '#core/runs/planted.ts';"],
    ['cli/src/planted.ts', "import { a } from '../../client/src/ui/planted.ts';"],
  ] as const;
  for (const [file, line] of [...inside, ...layers])
    it(`forbids ${line} in ${file}`, () => assert.equal(importProblems(file, line).length, 1));

  it('allows the index of another feature, files in the same folder, and packages', () => {
    const file = 'client/src/features/evidence/planted.ts';
    for (const line of [
      "import { a } from '../results/index.ts';",
      "import { a } from './beside.ts';",
      "import { a } from '../../ui/planted.ts';",
      "import * as vscode from 'vscode';",
    ])
      assert.deepEqual(importProblems(file, line), [], line);
  });

  it('are respected everywhere', () => {
    const broken = [...importGraph(root)].flatMap(([file, imports]) =>
      imports.filter(({ to }) => !mayImport(file, to)).map(({ to }) => `${file} -> ${to}`),
    );
    assert.deepEqual(broken, []);
  });
});

describe('an import', () => {
  // Not in the planted lines, since the rules read this file, too.
  const [imported, required] = ['import', 'require'];
  for (const line of [
    "import a from '../../../client/src/ui/a.json' with { type: 'json' };",
    "import '../../../client/src/ui/a.json' with { type: 'json' };",
    "export { default } from '../../../client/src/ui/a.json' with { type: 'json' };",
    `const a = await ${imported}(\`../../../client/src/ui/planted.ts\`);`,
    `const a = await ${imported}('../../../client/src/ui/a.json', { with: { type: 'json' } });`,
    `const a = await ${imported}(\n  '../../../client/src/ui/planted.ts',\n);`,
    `const a = ${required}('../../../client/src/ui/planted.ts');`,
    `const a = ${required}.resolve("../../../client/src/ui/planted.ts");`,
    'import { a } from "../../../client/src/ui/planted.ts";',
  ])
    it(`is seen however it is written: ${line}`, () =>
      assert.equal(importProblems('core/src/rows/planted.ts', line).length, 1));
});

describe('imports by name', () => {
  // Not in the planted lines, since the rule reads this file, too.
  const dynamic = 'import';
  const planted = [
    ['test/unit/scripts/planted.test.ts', "import { a } from '../../../scripts/lib/chromium.js';"],
    ['test/helpers/planted.ts', "import { a } from '../../service/build.ts';"],
    ['test/helpers/planted.ts', "import type { A } from '../../core/src/rows/rows.ts';"],
    ['scripts/planted.ts', "import { a } from '../client/src/contributions.ts';"],
    ['scripts/planted.js', `const { a } = await ${dynamic}('../cli/src/program.ts');`],
    ['scripts/lib/planted.js', "export { a } from '../../test/helpers/sandbox.ts';"],
    ['scripts/lib/planted.js', "import '../../base/texts.ts';"],
    ['cli/src/planted.ts', "import { a } from '../../core/src/rows/rows.ts';"],
    ['cli/src/planted.ts', `let a: typeof ${dynamic}('../../api/client/client.ts');`],
  ] as const;
  for (const [file, line] of planted)
    it(`forbids ${line} in ${file}`, () => assert.equal(nameProblems(file, line).length, 1));

  it('allows the same top folder, names, packages, and what is built', () => {
    for (const line of [
      "import { a } from '../../src/planted.ts';",
      "import { a } from '#core/rows/rows.ts';",
      "import { a } from 'commander';",
      "const { a } = await import('../../../dist/cli.js');",
    ])
      assert.deepEqual(nameProblems('client/webview/results/planted.ts', line), [], line);
  });
});

describe('cycles', () => {
  const low = 'client/src/ui/read-failure.ts';
  const high = 'client/src/features/runs/run-controller.ts';
  const between = path.posix.relative(path.posix.dirname(low), high);

  it('are forbidden, even of types', () => {
    assert.ok(wayBetween(importGraph(root), high, low) !== undefined, 'the two files are no longer related');
    for (const line of [`import { a } from '${between}';`, `import type { A } from '${between}';`])
      assert.equal(cyclesWith(low, line).length, 1, line);
  });

  it('do not exist between folders, but that features add to the lists of the client', () => {
    const graph = new Map<string, { to: string; isType: boolean }[]>();
    for (const [file, imports] of importGraph(root)) {
      const from = folderOf(file);
      const above = imports.map(({ to, isType }) => ({ to: folderOf(to), isType }));
      graph.set(from, [...(graph.get(from) ?? []), ...above.filter(({ to }) => to !== from)]);
    }
    assert.deepEqual(cyclesOf(graph, { types: true }), []);
  });

  it('are forbidden in tests', () => {
    const line = "import { a } from './saving.test.ts';";
    assert.equal(cyclesWith('test/host/support.ts', line).length, 1);
    assert.deepEqual(cyclesWith('test/host/saving.test.ts', "import { b } from './support.ts';"), []);
  });

  it('are reported with their path', () => {
    const graph = new Map([
      ['a', [{ to: 'b', isType: false }]],
      ['b', [{ to: 'c', isType: true }]],
      ['c', [{ to: 'a', isType: false }]],
      ['d', [{ to: 'a', isType: false }]],
    ]);
    assert.deepEqual(wayBetween(graph, 'b', 'a'), ['b', 'c', 'a']);
    assert.equal(wayBetween(graph, 'a', 'd'), undefined);
    assert.deepEqual([...leadingTo(importersIn(graph), 'd')], ['d']);
    assert.deepEqual([...leadingTo(importersIn(graph), 'b')].sort(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(cyclesOf(graph, { types: true }), [['a', 'b', 'c']]);
    assert.deepEqual(cyclesOf(graph, { types: false }), []);
  });

  it('do not exist', () => {
    assert.deepEqual(cyclesOf(importGraph(root, [...sourceFolders, 'test']), { types: true }), []);
  });
});
