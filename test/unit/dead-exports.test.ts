/** The rule about what nobody uses: plants each kind in a small tree and expects a report. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deadExports } from '#scripts/lib/dead-exports.js';

const user = "import { used, type Used, other as renamed } from '#core/planted.ts';\nrenamed(used);\n";
const tree = (planted: string, more: Readonly<Record<string, string>> = {}) =>
  new Map(
    Object.entries({
      'core/src/planted.ts': planted,
      'cli/src/user.ts': user,
      'esbuild.mjs': "'cli/src/user.ts'",
      ...more,
    }),
  );

describe('what nobody uses', () => {
  const imported = 'export const used = 1;\nexport interface Used {}\nexport function other() {}\n';
  const found = [
    ['a value', 'export const dead = 1;\n', 'nobody uses dead: remove it'],
    [
      'a function that only its module calls',
      'export async function own() {}\nown();\n',
      'nobody imports own: remove its `export`',
    ],
    [
      'a class that only its module makes',
      'export abstract class Own {}\nclass Other extends Own {}\n',
      'nobody imports Own: remove its `export`',
    ],
    ['a type', 'export interface Dead {}\n', 'nobody uses Dead: remove it'],
    ['a name that is passed on', "export { dead, used } from './away.ts';\n", 'nobody uses dead: remove it'],
    [
      'a name that is passed on and used here',
      "import type { Dead } from './away.ts';\nexport type { Dead };\n",
      'nobody imports Dead: remove its `export`',
    ],
  ] as const;
  for (const [what, line, problem] of found)
    it(`is reported: ${what}`, () => {
      const away = {
        'core/src/away.ts': 'export const used = 1;\nexport const dead = 1;\nexport interface Dead {}\n',
      };
      const uses = { 'test/unit/away.test.ts': "import { used, dead, type Dead } from '#core/away.ts';\n" };
      assert.deepEqual(deadExports(tree(imported + line, { ...away, ...uses })), [
        `core/src/planted.ts: ${problem}`,
      ]);
    });

  it('is reported: a module', () => {
    assert.deepEqual(deadExports(tree(imported, { 'core/src/dead.ts': 'export const one = 1;\n' })), [
      'core/src/dead.ts: nobody imports or starts this module: remove it',
    ]);
  });

  const alive = [
    [
      'a type of what its module exports',
      'export interface Own {}\nexport const used = (_: Own) => 1;\n',
      '',
    ],
    ['what a test imports', 'export const tested = 1;\n', "import { tested } from '#core/planted.ts';\n"],
    [
      'what a module imports as a whole',
      'export const any = 1;\n',
      "import * as all from '#core/planted.ts';\n",
    ],
    ['what a module loads', 'export const any = 1;\n', "const { any } = await import('#core/planted.ts');\n"],
    [
      'a type that is named by its module',
      'export interface Any {}\n',
      "let a: import('#core/planted.ts').Any;\n",
    ],
    [
      'what is passed on and imported there',
      'export const on = 1;\n',
      "export { on as next } from '#core/planted.ts';\n",
    ],
  ] as const;
  for (const [what, line, more] of alive)
    it(`is not: ${what}`, () => {
      assert.deepEqual(deadExports(tree(imported + line, { 'test/unit/planted.test.ts': more })), []);
    });

  it('is not: a worker that a module starts', () => {
    const starts = { 'cli/src/user.ts': `${user}new URL('./own/worker.ts', import.meta.url);\n` };
    assert.deepEqual(deadExports(tree(imported, { ...starts, 'cli/src/own/worker.ts': 'export {};\n' })), []);
  });
});
