/** Job records of any shape: known parts are explained, unknown parts are shown in full, and polling ends. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ChangeRun } from '#core/changes/change-run.ts';
import type { ChangeState, Confirmation, JobView } from '#core/changes/change.ts';
import { jobView } from '#core/changes/job-view.ts';

suite('job records', () => {
  const rows: readonly [string, unknown, Partial<JobView>][] = [
    ['SUCCEEDED', { status: 'SUCCEEDED', targets: [] }, { status: 'SUCCEEDED', isOver: true, targets: [] }],
    ['state', { state: 'running', targets: [] }, { status: 'running', isOver: false }],
    [
      'COMPLETED_WITH_ERRORS and targets with a status',
      {
        status: 'COMPLETED_WITH_ERRORS',
        targets: [
          { id: 'a', status: 'SUCCEEDED' },
          { targetId: 'b', status: 'FAILED', error: { message: 'locked' } },
        ],
      },
      {
        isOver: true,
        targets: [
          { globalId: 'a', outcome: 'changed' },
          { globalId: 'b', outcome: 'FAILED', reason: 'locked' },
        ],
      },
    ],
    ['an end without a status', { finishedAt: '2026-01-01T00:00:00Z' }, { isOver: true, status: '?' }],
    ['an end of another spelling', { finished_at: '2026-01-01T00:00:00Z' }, { isOver: true, status: '?' }],
    ['an end in seconds', { state: 'x', end_time: 1_767_225_600 }, { isOver: true, status: 'x' }],
    ['an end in milliseconds, as text', { state: 'x', end_time: '1767225600000' }, { isOver: true }],
    ['a duration', { state: 'x', completionTime: 30 }, { isOver: false }],
    ['a duration in milliseconds', { state: 'x', completionTime: '125000' }, { isOver: false }],
    ['a duration as text', { state: 'x', completion_time: 'PT30S' }, { isOver: false }],
    ['a clock', { state: 'x', completion_time: '00:00:30' }, { isOver: false }],
    ['no end yet', { state: 'x', completedAt: '0001-01-01T00:00:00Z' }, { isOver: false }],
    ['an end in the far future', { state: 'x', endTime: '9999-12-31' }, { isOver: false }],
    ['a planned end', { status: 'RUNNING', endTime: '2026-12-01T10:00:00Z' }, { isOver: false }],
    ['a planned end in seconds', { state: 'in progress', end_time: 1_796_083_200 }, { isOver: false }],
    [
      'a planned end of what waits',
      { state: 'waiting for approval', end_time: '2026-12-01' },
      { isOver: false },
    ],
    ['an accepted job that ended', { status: 'accepted', completedAt: '2026-11-30' }, { isOver: true }],
    ['an active one that ended', { status: 'ACTIVE', completedAt: '2026-11-30' }, { isOver: true }],
    ['a batch that ended', { status: 'batch', finishedAt: '2026-11-30' }, { isOver: true }],
    ['a flag of the end', { done: true }, { isOver: true, status: '?' }],
    ['a flag of no end', { isFinished: false }, { isOver: false, status: '?' }],
    ['a phase', { Phase: 'Finished', targets: [] }, { status: 'Finished', isOver: true }],
    [
      'members of another spelling',
      {
        job_status: 'running',
        targets: [{ global_id: 'a', Outcome: 'rolled_back', is_reflected: 'no', canBe_changed: 'yes' }],
      },
      {
        status: 'running',
        isOver: true,
        targets: [{ globalId: 'a', outcome: 'rolled_back', reflected: false }],
      },
    ],
    ['a text', 'queued', { isOver: false, status: '?', targets: [] }],
  ];
  for (const [name, record, expected] of rows) {
    test(name, () => {
      const view = jobView(record);
      assert.deepEqual({ ...view, ...expected }, view);
    });
  }

  test('unknown parts are kept in full', () => {
    for (const record of [
      { targets: [] },
      { status: 'done', results: [] },
      { status: 'failed', targets: [{ outcome: 'changed' }, { verdict: 'no' }] },
      'queued',
    ]) {
      assert.equal(jobView(record).unknown, record);
    }
    assert.equal(jobView({ status: 'done', targets: [{ status: 'ok' }] }).unknown, undefined);
  });
});

suite('a target whose members do not agree', () => {
  const rows: readonly (readonly [object, string])[] = [
    [{ status: 'completed', canBeChanged: false }, 'not_possible'],
    [{ status: 'completed', can_be_changed: 'no' }, 'not_possible'],
    [{ status: 'completed', couldBeChanged: 'N' }, 'not_possible'],
    [{ status: 'completed', applied: false }, 'failed'],
    [{ status: 'completed', was_changed: 'no' }, 'failed'],
    [{ status: 'completed', errors: ['locked'] }, 'failed'],
    [{ status: 'completed', result: 'failed', error: 'locked' }, 'failed'],
    [{ status: 'completed', error: { message: 'locked' } }, 'failed'],
    [{ status: 'completed', error: { code: 17 } }, 'failed'],
    [{ status: 'completed', errorCount: 1 }, 'failed'],
    [{ status: 'completed', errorCode: 'E17' }, 'failed'],
    [{ status: 'completed', isError: 'yes' }, 'failed'],
    [{ status: 'completed', errorMessage: 'No error handler' }, 'failed'],
    [{ status: 'completed', errorReasons: ['locked'] }, 'failed'],
    [{ status: 'completed', result: false }, 'failed'],
    [{ outcome: 'done', state: 'rejected' }, 'rejected'],
    [{ status: 'succeeded', result: 'pending' }, 'pending'],
  ];
  for (const [target, outcome] of rows)
    test(`${JSON.stringify(target)} was not changed`, () => {
      const record = { status: 'completed', targets: [{ id: 'a', ...target }] };
      const view = jobView(record);
      assert.equal(view.targets[0]?.outcome, outcome);
      const isPlain = outcome === 'not_possible' && !('status' in target);
      assert.equal(view.unknown, isPlain ? undefined : record);
    });

  for (const told of [
    ...[{ errorCount: 0 }, { errorCode: '0' }, { error_code: '00000' }, { errors: {} }, { errors: [] }],
    ...[{ isError: 'no' }, { hasErrors: 'false' }, { errorMessage: 'None' }, { errorMessage: 'N/A' }],
    ...[{ error: 0 }, { error: {} }, { error: 'NO_ERROR' }, { failures: 0 }, { result: {} }],
    ...[{ errorHandling: 'stop' }, { noError: true }, { reasons: ['Requested by manager'] }],
    ...[{ errorMessage: 'No error occurred' }, { errorMessage: 'Completed successfully.' }],
    ...[{ errors: { count: 0 } }, { error: { code: 0, message: '' } }, { errorsUrl: 'https://x/y' }],
  ])
    test(`${JSON.stringify(told)} denies no change`, () => {
      for (const outcome of ['changed', 'success']) {
        const [target] = jobView({ status: 'completed', targets: [{ id: 'a', outcome, ...told }] }).targets;
        assert.deepEqual(target, { globalId: 'a', outcome: 'changed' });
      }
    });

  test('a fact that cannot be read, or that is told of the job, stays in the record', () => {
    for (const record of [
      { status: 'done', targets: [{ status: 'ok', reflected: 'pending' }] },
      { status: 'done', targets: [{ status: 'ok', canBeChanged: {} }] },
      { status: 'done', targets: [{ status: 'ok', reason: 17 }] },
      { status: 'done', targets: [{ global_id: 'a', status: 'failed', Status: 'changed' }] },
      { status: 'done', reflected: false, targets: [{ status: 'ok' }] },
      { status: 'done', targets: [{ status: 'ok' }], nextPageToken: 'a' },
      { status: 'done', targets: [{ status: 'ok' }], totalTargets: 9 },
      { status: 'done', targets: [{ status: 'ok' }], truncated: true },
      { status: 'done', targets: [{ status: 'ok' }], progress: { done: 1, total: 9 } },
      { status: 'done', targets: [{ status: 'ok' }], remaining: 3 },
      { status: 'done', canBeChanged: true, reflected_in_graph: 'no', targets: [{ status: 'ok' }] },
    ])
      assert.equal(jobView(record).unknown, record);
    const [target] = jobView({ status: 'done', targets: [{ status: 'ok', reflected: 0 }] }).targets;
    assert.equal(target?.reflected, false);
  });

  test('how far a job is tells of no other targets', () => {
    for (const course of [
      ...[{ progress: 40 }, { percentComplete: 50 }, { done: false }, { completed: false }],
      ...[{ retryAfterSeconds: 5 }, { nextPollAt: '2026-01-31T08:00:00Z' }, { next_check_at: 1_769_846_400 }],
      ...[
        { progress: { done: 1, percent: 50 } },
        { remainingSeconds: 40 },
        { polling: { nextPollInMs: 10 } },
      ],
    ])
      assert.equal(
        jobView({ status: 'running', targets: [{ status: 'pending' }], ...course }).unknown,
        undefined,
        JSON.stringify(course),
      );
  });

  for (const [status, isOver] of [
    ['processed', true],
    ['ok', true],
    ['ENDED', true],
    ['noop', true],
    [' Completed ', true],
    ['disabled', true],
    ['not_supported', true],
    ['crashed', true],
    ['OBSOLETE', true],
    ['not_found', true],
    ['terminated by an operator', true],
    ['stopping', false],
    ['not_started', false],
    ['waiting for approval', false],
    ['failed_retrying', false],
    ['failed - retry scheduled', false],
    ['not_applied_yet', false],
    ['not applied yet', false],
    ['confirmed', false],
    ['verified by a manager', false],
    ['enabled', false],
    ['committed', false],
    ['added_to_queue', false],
    ['Added to batch', false],
  ] as const)
    test(`${status} is ${isOver ? '' : 'not '}the end`, () => {
      assert.equal(jobView({ status, targets: [] }).isOver, isOver);
    });
});

suite('following a job', () => {
  /** Follows an accepted change whose job always reports this state. */
  function following(job: JobView, pause?: (ms: number, signal: AbortSignal) => Promise<void>) {
    let now = 0;
    const confirmation: Confirmation = {
      id: 'c',
      kind: 'disable-account',
      connectionKey: 'k',
      connection: 'n',
      clientId: 'i',
      confirmedAt: 0,
      targets: [
        { operation: { kind: 'disable-account', account: 'a' }, label: 'a', state: { kind: 'waiting' } },
      ],
    };
    const run: ChangeRun = new ChangeRun(confirmation, {
      service: {
        send: () => Promise.resolve({ jobId: 'j' }),
        isShown: () => Promise.resolve(undefined),
        job: () => Promise.resolve(job),
      },
      save: () => Promise.resolve(),
      changed: () => undefined,
      words: {
        stopped: '',
        restarted: '',
        noSuchData: '',
        noSuchJob: '',
        followedTooLong: 'too long',
        unfollowed: 'stopped following',
      },
      now: () => now,
      pause:
        pause ??
        ((ms) => {
          now += ms;
          return Promise.resolve();
        }),
    });
    const state = (): ChangeState | undefined => run.confirmation.targets[0]?.state;
    return { run, state, now: () => now };
  }

  for (const [status, hours] of [
    ['running', 24],
    ['?', 0],
  ] as const) {
    test(`ends with a note if the job stays ${status}`, async () => {
      const { run, state, now } = following({ status, isOver: false, targets: [] });
      await run.run(new AbortController().signal);
      const last = state();
      assert.ok(last?.kind === 'ended');
      assert.deepEqual([last.problem, last.job?.status], ['too long', status]);
      assert.ok(now() >= hours * 3_600_000 && now() < (hours + 1) * 3_600_000);
    });
  }

  test('ends immediately when the person stops it, and keeps the known state', async () => {
    const { run, state } = following({ status: 'running', isOver: false, targets: [] }, (ms, signal) => {
      if (ms < 2_000) return Promise.resolve();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        run.stopFollowing();
      });
    });
    await run.run(new AbortController().signal);
    const last = state();
    assert.ok(last?.kind === 'ended');
    assert.deepEqual([last.problem, last.job?.status], ['stopped following', 'running']);
  });
});
