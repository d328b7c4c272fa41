/** `controls history` names what is damaged in the runs that it lists. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

test('the list of runs names a damaged line, and is no success', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'history-damage-'));
  try {
    const folder = new HistoryFolder(path.join(cwd, 'h'));
    const outcome = { connection: 'eu', outcome: 'fail' } as const;
    const run = { startedAt: new Date(), ms: 1, scope: '', connections: ['eu'], problems: 0 };
    const outcomes = ['A', 'B'].map((control) => ({ control, ...outcome }));
    const { id } = (await folder.add({ ...run, outcomes })).head;
    await folder.add({ ...run, outcomes: [] });
    const file = path.join(cwd, 'h', `${id}.jsonl`);
    const whole = await readFile(file, 'utf8');
    const history = async (limit: string) =>
      await runInProcess(['controls', 'history', '--history', 'h', '--limit', limit], {
        cwd,
        environment: {},
      });
    assert.equal((await history('5')).code, 0);
    const [head = '', first = '', second = ''] = whole.split('\n');
    for (const [text, limits] of [
      [
        [head, first.slice(0, 20), second, ''],
        ['1', '5'],
      ],
      [
        [head, first, ''],
        ['1', '5'],
      ],
      [[head, first, second.replace('"fail"', '"great"'), ''], ['5']],
    ] as const)
      for (const limit of limits) {
        await writeFile(file, text.join('\n'));
        const { code, stdout, stderr } = await history(limit);
        assert.equal(code, 2);
        assert.match(stdout, /worse|gone/);
        assert.match(stderr, new RegExp(`^${id}\\.jsonl:\\d: `, 'm'));
      }
  } finally {
    await rm(cwd, { recursive: true });
  }
});
