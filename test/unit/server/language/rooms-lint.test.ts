/** The lint rule that separates the folders of the language analysis: lints an import between every pair of them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = path.join(import.meta.dirname, '../../../..');
const language = path.join(root, 'server/src/language');
const rule = 'no-restricted-imports';
const eslint = new ESLint({
  cwd: root,
  // The project's rules, without type information, which this rule does not need.
  overrideConfig: [tseslint.configs.disableTypeChecked],
  ruleFilter: ({ ruleId }) => ruleId === rule,
});

/** The folders that each folder may import, in addition to its own files (ARCHITECTURE.md). */
const below: Readonly<Record<string, readonly string[]>> = {
  text: [],
  tree: ['text'],
  names: ['text', 'tree'],
  types: ['text', 'tree', 'names'],
  checks: ['text', 'tree', 'names', 'types'],
  editing: ['text', 'tree', 'names', 'types', 'checks'],
  fixes: ['text', 'tree', 'names', 'types', 'checks'],
  dialects: ['text', 'tree', 'names', 'types', 'checks'],
};
const rooms = Object.keys(below);

async function isForbidden(specifier: string, file: string): Promise<boolean> {
  const [result] = await eslint.lintText(`import type { A } from '${specifier}';\n`, {
    filePath: path.join(language, file),
  });
  assert.equal(result?.fatalErrorCount, 0, JSON.stringify(result?.messages));
  return result.messages.some(({ ruleId }) => ruleId === rule);
}

describe('layers of the language analysis', () => {
  it('are complete', () => {
    const folders = readdirSync(language, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).toSorted(), rooms.toSorted());
  });

  for (const [room, known] of Object.entries(below)) {
    it(`${room} imports ${known.length === 0 ? 'no other layer' : known.join(', ')}`, async () => {
      for (const other of rooms.filter((each) => each !== room)) {
        const expected = !known.includes(other);
        assert.equal(await isForbidden(`../${other}/planted.ts`, `${room}/planted.ts`), expected, other);
        const inside = await isForbidden(`../../${other}/inner/planted.ts`, `${room}/inner/planted.ts`);
        assert.equal(inside, expected, `${other}, from a folder inside`);
      }
      assert.equal(await isForbidden('./planted.ts', `${room}/other.ts`), false);
    });
  }

  it('import no Node, no handlers and no parser', async () => {
    for (const specifier of ['node:fs', '../../handlers/convert.ts', '../../parser/worker-parser.ts']) {
      assert.equal(await isForbidden(specifier, 'checks/planted.ts'), true, specifier);
    }
  });
});
