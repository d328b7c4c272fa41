/** File names from arbitrary text. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { draftNameOf, fileNameOf } from '#base/files/file-name.ts';

const tricks: readonly (readonly [text: string, name: string])[] = [
  ['Access inventory', 'Access inventory'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['/etc/passwd', '-etc-passwd'],
  ['C:\\Windows\\x', 'C-Windows-x'],
  ['\\\\server\\share', '-server-share'],
  ['..', 'result'],
  ['.', 'result'],
  ['', 'result'],
  ['.bashrc', 'bashrc'],
  ['CON', 'result-CON'],
  ['nul.csv', 'result-nul.csv'],
  ['Com1.tar.gz', 'result-Com1.tar.gz'],
  ['LPT\u00b9', 'result-LPT\u00b9'],
  ['aux .csv', 'result-aux .csv'],
  ['console', 'console'],
  ['com10', 'com10'],
  ['risks. . .', 'risks'],
  ['risks ', 'risks'],
  ['a\u0000b\nc\u001b[31m', 'a-b-c-[31m'],
  ['exe\u202excod.csv', 'exe-xcod.csv'],
  ['a\u200bb\ufeffc', 'a-b-c'],
  ['a\ud800b', 'a-b'],
  ['e\u0301', '\u00e9'],
  ['file:name*?"<>|', 'file-name-'],
];

suite('a file name from a text', () => {
  for (const [text, name] of tricks) {
    test(JSON.stringify(text), () => assert.equal(fileNameOf(text), name));
  }

  test('stays in its folder, and can be created there', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-names-'));
    try {
      const texts = [...tricks.map(([text]) => text), '\u{1f600}'.repeat(300), 'x'.repeat(5_000)];
      for (const text of texts) {
        const name = fileNameOf(text);
        assert.equal(path.basename(name), name);
        assert.equal(path.win32.basename(name), name);
        assert.ok(name.isWellFormed() && Buffer.byteLength(`${name}.parquet`) <= 255, name);
        assert.equal(path.dirname(path.resolve(folder, name)), folder);
        await writeFile(path.join(folder, name), text);
        assert.ok((await readdir(folder)).includes(name));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('is possible for a draft beside a file with the longest name, and always unique', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-names-'));
    try {
      const target = path.join(folder, `${'\u00e9'.repeat(125)}.csv`);
      const names = [target, target, target.toUpperCase()].map(draftNameOf);
      assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 3);
      for (const name of names) await writeFile(path.join(folder, name), '');
      assert.equal((await readdir(folder)).length, 3);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
