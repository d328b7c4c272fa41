/** The rule that separates the folders of the language analysis: plants an import between every pair of them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importProblems } from '#scripts/lib/house-rules.js';

const root = path.join(import.meta.dirname, '../../../..');
const language = path.join(root, 'server/src/language');
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

const isForbidden = (specifier: string, file: string): boolean =>
  importProblems(`server/src/language/${file}`, `import type { A } from '${specifier}';\n`).length > 0;

describe('layers of the language analysis', () => {
  it('are complete', () => {
    const folders = readdirSync(language, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).toSorted(), rooms.toSorted());
  });

  for (const [room, known] of Object.entries(below)) {
    it(`${room} imports ${known.length === 0 ? 'no other layer' : known.join(', ')}`, () => {
      for (const other of rooms.filter((each) => each !== room)) {
        const expected = !known.includes(other);
        assert.equal(isForbidden(`../${other}/planted.ts`, `${room}/planted.ts`), expected, other);
        const inside = isForbidden(`../../${other}/inner/planted.ts`, `${room}/inner/planted.ts`);
        assert.equal(inside, expected, `${other}, from a folder inside`);
      }
      assert.equal(isForbidden('./planted.ts', `${room}/other.ts`), false);
    });
  }

  it('import no Node, no handlers and no parser', () => {
    for (const specifier of ['node:fs', '../../handlers/convert.ts', '../../parser/worker-parser.ts']) {
      assert.equal(isForbidden(specifier, 'checks/planted.ts'), true, specifier);
    }
  });
});
