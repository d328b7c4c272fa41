/** Which query a missing one has become: advice that is followed must not lose a file. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQueryFolder } from '#core/sync/folder/read-folder.ts';

const metadata = (name: string): Uint8Array => Buffer.from(JSON.stringify({ name, model: 'm' }));

async function renamesIn(missing: readonly string[], unlisted: readonly string[]) {
  const contents = new Map<string, Uint8Array>([
    ...missing.map((file) => [`${file}.identity.json`, metadata(file)] as const),
    ...unlisted.map((file) => [`${file}.identity.sql`, Buffer.from('SELECT 1')] as const),
  ]);
  const { held } = await readQueryFolder({
    files: new Map([...contents.keys()].map((file) => [file, 'file'])),
    read: (files) =>
      Promise.resolve(
        new Map(
          files.flatMap((file) => {
            const bytes = contents.get(file);
            return bytes === undefined ? [] : [[file, bytes] as const];
          }),
        ),
      ),
  });
  return held.flatMap(({ file = '', problem }) =>
    problem.kind === 'file' && problem.renamed !== undefined
      ? [`${file.split('.')[0]} -> ${problem.renamed.split('.')[0]}`]
      : [],
  );
}

const cases: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  ['one', ['a'], ['b'], ['a -> b']],
  ['none', ['a'], [], []],
  ['two into one', ['a', 'b'], ['c'], []],
  ['one into two', ['a'], ['b', 'c'], []],
  ['a folder', ['x/a', 'x/b'], ['y/a', 'y/b'], ['x/a -> y/a', 'x/b -> y/b']],
  ['a folder and a name', ['x/a', 'x/b'], ['y/a', 'y/c'], ['x/a -> y/a', 'x/b -> y/c']],
  ['two of the same name', ['x/a', 'z/a'], ['y/a'], []],
];

describe('a query without its text was perhaps renamed', () => {
  for (const [name, missing, unlisted, wanted] of cases)
    it(name, async () => {
      const renames = await renamesIn(missing, unlisted);
      assert.deepEqual(renames.toSorted(), wanted);
      assert.equal(new Set(renames.map((each) => each.split(' -> ')[1])).size, renames.length);
    });
});
