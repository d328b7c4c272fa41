/** Outcomes by threshold, severity, waivers, baseline and failure, compared with an independent oracle. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TransportError } from '#api/client/errors.ts';
import type { Outcome } from '#core/controls/control-result.ts';
import type { ControlFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { runControl } from '#core/controls/run-control.ts';
import { fakeService, provenStatement, type FakeRow } from '#test/helpers/control-service.ts';

const digests = rowDigests('a key for tests only');
const comparisons = ['<', '<=', '=', '!=', '>', '>='] as const;
const condition = fc.record({
  comparison: fc.constantFrom(...comparisons),
  value: fc.integer({ min: 0, max: 8 }),
});

const story = fc.record({
  expect: fc.constantFrom(undefined, 'no rows', 'one row', 'rows'),
  warnIf: fc.option(condition, { nil: undefined }),
  errorIf: fc.option(condition, { nil: undefined }),
  severity: fc.constantFrom(undefined, 'none', 'low', 'medium', 'high', 'critical'),
  /** Row keys; null means a row without a key. */
  rows: fc.array(fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), { maxLength: 12 }),
  waived: fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
  baseline: fc.option(fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']), { nil: undefined }),
  isNewOnly: fc.boolean(),
  hasDigestKey: fc.boolean(),
  failure: fc.constantFrom(
    'none',
    'page',
    'unproven',
    'refused',
    'syntax',
    'row-limit',
    'no-column',
    'parameter',
    'file',
  ),
  failAfter: fc.nat({ max: 12 }),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

describe('the outcome of a control', () => {
  it('follows from all rows, or is an error, whatever the threshold, waivers, baseline and failures', async () => {
    await fc.assert(fc.asyncProperty(story, check), { numRuns: 1_500 });
  });

  it('does not depend on the severity', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (one) => {
        const low = await outcomeOf({ ...one, severity: 'low' });
        const critical = await outcomeOf({ ...one, severity: 'critical' });
        assert.equal(low.outcome, critical.outcome);
      }),
      { numRuns: 100 },
    );
  });
});

async function check(one: Story): Promise<void> {
  const { outcome } = await outcomeOf(one);
  const expected = oracle(one);
  const mustFail = ['unproven', 'refused', 'syntax', 'no-column', 'parameter', 'file'].includes(one.failure);
  if (mustFail) {
    assert.equal(outcome, 'error');
    return;
  }
  if (one.failure === 'page' || one.failure === 'row-limit') {
    // If certain before the failed page, the outcome stands; otherwise, it is an error.
    assert.ok(outcome === expected || outcome === 'error', `${outcome} in place of ${expected}`);
    return;
  }
  assert.equal(outcome, expected);
}

function textOf({ expect, warnIf, errorIf, severity, failure }: Story): string {
  return [
    '-- @control AC-1 Test',
    ...(expect === undefined ? [] : [`-- @expect ${expect}`]),
    ...(warnIf === undefined ? [] : [`-- @warn_if rows ${warnIf.comparison} ${warnIf.value}`]),
    ...(errorIf === undefined ? [] : [`-- @error_if rows ${errorIf.comparison} ${errorIf.value}`]),
    ...(severity === undefined ? [] : [`-- @severity ${severity}`]),
    `-- @key ${failure === 'no-column' ? 'missing' : 'id'}`,
    'SELECT id FROM accounts',
  ].join('\n');
}

async function outcomeOf(one: Story): Promise<{ readonly outcome: Outcome }> {
  const text = textOf(one);
  const control = readControl(text);
  assert.ok(control !== undefined);
  assert.deepEqual(control.problems, []);
  const rows = one.rows.map((key): FakeRow => [key, 'value']);
  const digest = (key: string) => digests.digest(control, [key]) ?? '';
  const failAfter = { rows: one.failAfter, error: new TransportError('lost', 'reset', undefined) };
  const service = fakeService({
    columns: ['id', 'other'],
    rows,
    ...(one.failure === 'page' ? { failAfter } : {}),
  });
  const facts: ControlFacts = {
    waivers: new Map(
      one.waived.map((key) => [digest(key), { reason: 'known', owner: 'iam', expires: '2027-01-31' }]),
    ),
    isNewOnly: one.isNewOnly,
    notes: [],
    ...(one.baseline === undefined ? {} : { baseline: new Set(one.baseline.map(digest)) }),
    ...(one.hasDigestKey ? { digests } : {}),
    ...(one.failure === 'file'
      ? { problem: { code: 'DAMAGED_FILE', message: 'waivers.json:3: wrong' } }
      : {}),
  };
  const result = await runControl(
    { control, place: { name: 'a.identity.sql' }, text, checked: checkedFor(one.failure), facts },
    {
      client: service.client,
      signal: new AbortController().signal,
      ...(one.failure === 'row-limit' ? { rowsMax: 3 } : {}),
    },
  );
  return { outcome: result.outcome };
}

function checkedFor(failure: Story['failure']) {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  switch (failure) {
    case 'unproven':
      return provenStatement({ verdict: 'unverified' });
    case 'refused':
      return provenStatement({ verdict: 'not-read-only' });
    case 'syntax':
      return provenStatement({ verdict: 'syntax-error' });
    case 'parameter':
      return provenStatement({
        placeholders: [{ name: 'since', range }],
        parameters: [{ name: 'since', isList: false }],
      });
    default:
      return provenStatement();
  }
}

/** An independent oracle that uses all rows at once, without running counts. */
function oracle({
  expect,
  warnIf,
  errorIf,
  rows,
  waived,
  baseline,
  isNewOnly,
  hasDigestKey,
}: Story): Outcome {
  const isWarningOnly = expect === undefined && errorIf === undefined && warnIf !== undefined;
  const byExpectation = { 'no rows': ['!=', 0], 'one row': ['!=', 1], rows: ['=', 0] } as const;
  const [comparison, value] = byExpectation[expect ?? 'no rows'];
  const fails = isWarningOnly ? undefined : (errorIf ?? { comparison, value });
  const levelOf = (count: number) =>
    fails !== undefined && compare(count, fails) ? 2 : warnIf !== undefined && compare(count, warnIf) ? 1 : 0;
  const all = levelOf(rows.length);
  const isWaived = (key: string | null) => hasDigestKey && key !== null && waived.includes(key);
  const isKnown = (key: string | null) =>
    hasDigestKey && isNewOnly && key !== null && baseline?.includes(key) === true;
  const left = levelOf(rows.filter((key) => !isWaived(key) && !isKnown(key)).length);
  const isTold = waived.length > 0 || (isNewOnly && baseline !== undefined);
  if (all > 0 && !hasDigestKey && isTold) return 'error';
  const level = Math.min(all, left);
  if (level === 0 && all > 0 && rows.some(isWaived)) return 'waived';
  return (['pass', 'warn', 'fail'] as const)[level] ?? 'fail';
}

function compare(
  count: number,
  { comparison, value }: { readonly comparison: (typeof comparisons)[number]; readonly value: number },
): boolean {
  switch (comparison) {
    case '<':
      return count < value;
    case '<=':
      return count <= value;
    case '=':
      return count === value;
    case '!=':
      return count !== value;
    case '>':
      return count > value;
    case '>=':
      return count >= value;
    default:
      return comparison satisfies never;
  }
}
