/** Repeated runs are one line of the history: the same text, values, place and kind of outcome. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gatherRuns } from '#core/history/repeated-runs.ts';
import type { RunRecord } from '#core/history/run-record.ts';

const value = (text: string) => [
  { name: 'since', type: 'date', isSecret: false, value: { text, isNull: false } },
];

function run(id: string, change: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{ id, startedAt: 0, ms: 1, title: 'Admins', documentUri: 'untitled:1', sql: 'SELECT 1', sha256: '' },
    ...{ connection: 'Sandbox', connectionKey: 'sandbox', model: 'm', outcome: 'rows', rowCount: 1 },
    ...{ savedQuery: { id: 'q', version: 1, isModified: false }, parameters: value('2026-01-01') },
    ...change,
  };
}

suite('repeated runs', () => {
  test('are gathered wherever they stand, in the order of the newest of each', () => {
    const runs = [
      run('5', { rowCount: 3 }),
      run('4', { sql: 'SELECT 2' }),
      run('3'),
      run('2', { sql: 'SELECT 2' }),
      run('1'),
    ];
    assert.deepEqual(
      gatherRuns(runs).map(({ newest, runs: same }) => [newest.id, same.map(({ id }) => id).join()]),
      [
        ['5', '5,3,1'],
        ['4', '4,2'],
      ],
    );
  });

  test('runs whose values are not kept may differ, and stay apart', () => {
    const unknown = { parameters: [{ name: 'since', type: 'date', isSecret: true }] };
    assert.equal(gatherRuns([run('2', unknown), run('1', unknown)]).length, 2);
  });

  const differences: Readonly<Record<string, Partial<RunRecord>>> = {
    'its text': { sql: 'SELECT 1 ' },
    'its title': { title: 'Others' },
    'its part': { part: 'Staff' },
    'its connection': { connectionKey: 'staging' },
    'the name of its connection': { connection: 'Staging' },
    'its model': { model: 'n' },
    'its outcome': { outcome: 'cancelled' },
    'its error': { outcome: 'failed', code: 'A' },
    'its version': { savedQuery: { id: 'q', version: 2, isModified: false } },
    'where its text is from': {
      savedQuery: { id: 'q', version: 1, isModified: false, connection: 'Staging' },
    },
    'a value': { parameters: value('2026-01-02') },
    'a value that is NULL': {
      parameters: [
        { name: 'since', type: 'date', isSecret: false, value: { text: '2026-01-01', isNull: true } },
      ],
    },
  };
  for (const [what, change] of Object.entries(differences)) {
    test(`a run that differs in ${what} has its own line`, () => {
      const all = gatherRuns([run('2'), run('1', change), run('0', change)]);
      assert.deepEqual(
        all.map(({ runs }) => runs.length),
        [1, 2],
      );
    });
  }
});
