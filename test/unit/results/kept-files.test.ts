/** The files of remembered results: each belongs to one window. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { KeptFiles } from '#client/features/results/kept/kept-files.ts';

const root = mkdtempSync(path.join(tmpdir(), 'kept-files-'));
after(() => rmSync(root, { recursive: true }));

let folders = 0;
const newFolder = () => path.join(root, String((folders += 1)));

/** All windows of these tests have the same process: another window runs until it is released. */
const newWindow = (folder: string) =>
  new KeptFiles(
    () => folder,
    (pid) => pid !== 0,
  );

suite('files of remembered results', () => {
  test('another window on the same folder does not see them; the same window does after its reload', async () => {
    const folder = newFolder();
    const [first, second] = [newWindow(folder), newWindow(folder)];
    assert.deepEqual(first.read(), []);
    await first.write(['first']);
    assert.deepEqual(second.read(), []);
    await second.write(['second']);
    first.release();
    const reloaded = newWindow(folder);
    assert.deepEqual(reloaded.read(), ['first']);
    // They stay remembered if the window is reloaded again before it has rows.
    reloaded.release();
    const again = newWindow(folder);
    assert.deepEqual(again.read(), ['first']);
    assert.deepEqual(newWindow(folder).read(), []);
    await again.write(['first', 'new']);
    again.release();
    assert.deepEqual(newWindow(folder).read(), ['first', 'new']);
    second.release();
    assert.deepEqual(newWindow(folder).read(), ['second']);
  });

  test('the newest are left, also if the window ends while they are written', async () => {
    const folder = newFolder();
    const window = newWindow(folder);
    const writes = [window.write(['older']), window.write(['newest'])];
    window.release();
    await Promise.all(writes);
    assert.deepEqual(newWindow(folder).read(), ['newest']);
    assert.equal(readdirSync(folder).length, 1);
  });

  test('a window that was killed leaves them, and a truncated file is nothing', async () => {
    const folder = newFolder();
    await newWindow(folder).write(['killed']);
    writeFileSync(path.join(folder, `0.${crypto.randomUUID()}.json`), '["trunc');
    const next = new KeptFiles(
      () => folder,
      () => false,
    );
    assert.deepEqual(next.read(), ['killed']);
  });
});
