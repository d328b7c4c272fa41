/** A report of a run with history, waivers and rows, in which every text from outside is hostile. */
import type { ControlResult, Outcome } from '#core/controls/control-result.ts';
import { outcomes } from '#core/controls/control-result.ts';
import { readControl } from '#core/controls/control.ts';
import type { RunHead } from '#core/controls/history/history-format.ts';
import type { ControlReport } from '#core/controls/reports/report.ts';

const hostileText =
  '</title></style><script>document.title="run"</script><img src=x onerror=alert(1)> "\'><b>& \u202e\u0007 https://evil.example';

export function hostileReport(count: number, text = hostileText): ControlReport {
  const results = Array.from({ length: count }, (_, index) => resultOf(index, text));
  const runs = Array.from({ length: 30 }, (_, index): RunHead => ({
    version: 1,
    id: `202611${String(index + 1).padStart(2, '0')}T000000000Z-000000000000`,
    startedAt: index === 0 ? text : `2026-11-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
    ms: 1,
    isWhole: true,
    depth: 0,
    scope: '',
    connections: [text],
    counts: { pass: 80 + index, fail: 20 - Math.floor(index / 2), error: index % 4, waived: 3 },
    news: { bad: 0, good: 0, gone: 0 },
    problems: 0,
    records: 0,
  }));
  const known = { control: 'MFA-01', connection: text, title: text, outcome: 'fail' } as const;
  return {
    results,
    startedAt: new Date('2026-11-30T00:00:00Z'),
    ms: 1_234,
    connection: text,
    problems: [{ message: text, file: text, line: 3 }],
    history: {
      run: runs.at(-1)?.id ?? '',
      commit: 'c0ffee'.repeat(6),
      runs,
      changes: [
        { kind: 'failed', before: undefined, after: known, added: 3 },
        { kind: 'passed', before: known, after: { ...known, outcome: 'pass' }, removed: 2 },
      ],
      sinceOf: () => '2026-10-01T00:00:00.000Z',
      textOf: () => '0123456789ab',
    },
  };
}

function resultOf(index: number, text: string): ControlResult {
  const oneLine = text.replaceAll('\n', ' ');
  const control = readControl(
    `-- @control C-${index} ${oneLine}\n-- ${oneLine}\n-- @owner ${oneLine}\n-- @tags soc2=CC6.1\n-- @key id\n-- @population SELECT count(*) FROM accounts\nSELECT 1`,
  );
  if (control === undefined) throw new TypeError('this is a control');
  const outcome: Outcome = outcomes[index % outcomes.length] ?? 'pass';
  return {
    control,
    place: { name: `${text}.identity.sql` },
    connection: text,
    outcome,
    message: text,
    line: 1,
    rows: { read: 3, counted: 2, waived: 1, known: 0, isAll: true },
    population: { count: '4211', countedAt: new Date('2026-11-30T00:00:00Z') },
    digests:
      outcome === 'waived'
        ? [{ digest: 'ab'.repeat(32), state: 'waived', reason: text, owner: text, expires: '2027-01-31' }]
        : [],
    hasBaseline: false,
    notes: index < 2 ? [{ message: text }] : [],
    startedAt: new Date('2026-11-30T00:00:00Z'),
    ms: 10,
    ...(index < 4
      ? { sample: index === 1 ? wideSample(text) : { columns: [text, 'id'], rows: [[text, '1']] } }
      : {}),
  };
}

/** More columns than a page of paper has room for. */
function wideSample(text: string): {
  readonly columns: readonly string[];
  readonly rows: readonly string[][];
} {
  const columns = [text, ...Array.from({ length: 60 }, (_, index) => `column_${index}_of_many`)];
  return { columns, rows: [columns] };
}
