/** What the last runs say about a control, in a list of controls. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import { RecentOutcomes } from '#core/controls/history/recent-outcomes.ts';

it('a run counts for the controls and connections that it looked at', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-recent-'));
  try {
    const folder = new HistoryFolder(root);
    const run = async (scope: string, connections: readonly string[], names: readonly string[]) =>
      await folder.add({
        ...{ startedAt: new Date('2026-11-01T00:00:00Z'), ms: 1, scope, connections, problems: 0 },
        outcomes: connections.flatMap((connection) =>
          names.map((control) => ({
            control,
            connection,
            outcome: control === 'A' && connection === 'eu' ? ('fail' as const) : ('pass' as const),
          })),
        ),
      });
    await run('all', ['eu'], ['A', 'B']);
    for (let at = 0; at < 3; at += 1) await run('only B', ['eu'], ['B']);
    await run('all', ['eu'], ['A', 'B']);
    const counts = async (most?: number) =>
      [...(await new RecentOutcomes(folder, most).byControl())].map(
        ([control, { outcome, bad, runs }]) => `${control} ${outcome} ${bad}/${runs}`,
      );
    assert.deepEqual((await counts())[0], 'A fail 2/2');
    await run('same', ['eu'], ['A', 'B']);
    assert.deepEqual((await counts())[0], 'A fail 3/3', 'another name for every control');
    for (let at = 0; at < 2; at += 1) await run('us', ['us'], ['A', 'B']);
    assert.deepEqual((await counts(2))[0], 'A fail 0/2', 'it fails on the other connection');
    for (let at = 0; at < 2; at += 1) await run('only B', ['eu'], ['B']);
    assert.deepEqual((await counts(2))[0], 'A fail 0/0', 'what is known stays known');
  } finally {
    await rm(root, { recursive: true });
  }
});

it('the last runs say since when a control fails, and how often, by its worst connection', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-recent-'));
  try {
    const folder = new HistoryFolder(root);
    const outcomes = new RecentOutcomes(folder);
    assert.equal((await outcomes.byControl()).size, 0);
    for (const [day, eu, us] of [
      ['01', 'fail', 'pass'],
      ['02', 'pass', 'pass'],
      ['03', 'pass', 'error'],
      ['04', 'warn', 'error'],
    ] as const)
      await folder.add({
        startedAt: new Date(`2026-11-${day}T00:00:00Z`),
        ms: 1,
        scope: '',
        connections: ['eu', 'us'],
        problems: 0,
        outcomes: [
          { control: 'A', connection: 'eu', outcome: eu },
          { control: 'A', connection: 'us', outcome: us },
          { control: 'B', connection: 'eu', outcome: 'pass' },
        ],
      });
    const recent = await outcomes.byControl();
    assert.deepEqual(recent.get('A'), {
      outcome: 'error',
      since: '2026-11-03T00:00:00.000Z',
      bad: 3,
      runs: 4,
    });
    assert.deepEqual(recent.get('B'), { outcome: 'pass', since: undefined, bad: 0, runs: 4 });
    assert.equal(await outcomes.byControl(), recent, 'the same runs are not read again');
    assert.equal((await new RecentOutcomes(folder, 2).byControl()).get('A')?.bad, 2);
    const [, , third = ''] = (await readdir(root)).sort();
    await writeFile(path.join(root, third), 'damaged');
    assert.equal((await new RecentOutcomes(folder).byControl()).get('B')?.runs, 3, 'the others still count');
  } finally {
    await rm(root, { recursive: true });
  }
});
