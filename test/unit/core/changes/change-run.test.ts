/** Despite lost, refused and interrupted requests, a change is applied at most once and reported truthfully. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  ContractError,
  NotFoundError,
  RateLimitError,
  ServerFaultError,
  TimeoutError,
  TransportError,
} from '#api/client/errors.ts';
import { errorOfResponse } from '#api/client/requests/error-of-response.ts';
import { ChangeRun, type ChangeService } from '#core/changes/change-run.ts';
import {
  isOver,
  reopened,
  type Confirmation,
  type JobView,
  type OddResponse,
  type Operation,
} from '#core/changes/change.ts';

/** Outcome of a request. */
type Fate = 'answered' | 'acted-lost' | 'lost' | 'refused' | 'limited' | 'not-found';

const words = {
  stopped: 'stopped',
  restarted: 'the window closed',
  noSuchData: 'no such data',
  noSuchJob: 'no such job',
  unfollowed: 'not followed',
  followedTooLong: 'it does not end',
};

class Crash extends Error {}

/** A simulated service and clock. */
class World {
  now = 0;
  /** Number of applied changes per account. */
  readonly acted = new Map<string, number>();
  readonly appliesAt = new Map<string, number>();
  saved: Confirmation | undefined;
  readonly #fates: Map<string, Fate[]>;
  readonly #jobMs: number;
  #callsUntilCrash: number;
  #isDown = false;

  constructor(
    fates: ReadonlyMap<string, readonly Fate[]>,
    options: { readonly jobMs: number; readonly crashAfter: number },
  ) {
    this.#fates = new Map([...fates].map(([id, list]) => [id, [...list]]));
    this.#jobMs = options.jobMs;
    this.#callsUntilCrash = options.crashAfter;
  }

  /** Restarts the process, which will crash again after `crashAfter` calls. */
  restart(crashAfter: number): void {
    this.#isDown = false;
    this.#callsUntilCrash = crashAfter;
  }

  readonly save = async (confirmation: Confirmation): Promise<void> => {
    this.#alive();
    this.saved = confirmation;
    await Promise.resolve();
  };

  readonly pause = async (ms: number): Promise<void> => {
    this.#alive();
    this.now += ms;
    await Promise.resolve();
  };

  readonly service: ChangeService = {
    send: async (operation) => {
      this.#alive();
      await Promise.resolve();
      const id = accountOf(operation);
      const fate = this.#fates.get(id)?.shift() ?? 'answered';
      if (fate === 'answered' || fate === 'acted-lost') {
        this.acted.set(id, (this.acted.get(id) ?? 0) + 1);
        this.appliesAt.set(id, this.now + this.#jobMs);
      }
      this.#alive();
      const fields = { code: 'X', retryable: false };
      switch (fate) {
        case 'answered':
          return { jobId: `job-${id}` };
        case 'acted-lost':
          throw new TransportError('cut', 'reset', undefined);
        case 'lost':
          throw new TimeoutError('no answer', 30_000);
        case 'refused':
          throw new TransportError('refused', 'refused', undefined);
        case 'limited':
          throw new RateLimitError('slow down', { ...fields, retryAfterMs: 1_000 });
        case 'not-found':
          throw new NotFoundError('no such account', fields);
      }
    },
    isShown: async (operation) => {
      this.#alive();
      await Promise.resolve();
      return (this.appliesAt.get(accountOf(operation)) ?? Infinity) <= this.now;
    },
    job: async (jobId) => {
      this.#alive();
      await Promise.resolve();
      const id = jobId.slice('job-'.length);
      const isDone = (this.appliesAt.get(id) ?? Infinity) <= this.now;
      const view: JobView = {
        status: isDone ? 'completed' : 'running',
        isOver: isDone,
        targets: [{ globalId: id, outcome: isDone ? 'changed' : 'pending', reflected: isDone }],
      };
      return view;
    },
  };

  #alive(): void {
    if (this.#isDown || this.#callsUntilCrash-- <= 0) {
      this.#isDown = true;
      throw new Crash();
    }
  }
}

function accountOf(operation: Operation): string {
  return operation.kind === 'remove-group-access' ? operation.group : operation.account;
}

function confirmationOf(count: number): Confirmation {
  return {
    id: 'c',
    kind: 'disable-account',
    connectionKey: 'k',
    connection: 'Sandbox',
    clientId: 'client',
    confirmedAt: 0,
    targets: Array.from({ length: count }, (_, index) => ({
      operation: { kind: 'disable-account', account: `a${index}` },
      label: `account ${index}`,
      state: { kind: 'waiting' },
    })),
  };
}

async function runToTheEnd(
  world: World,
  confirmation: Confirmation,
  crashes: readonly number[],
  stopAt: number,
): Promise<Confirmation> {
  let isFirst = true;
  for (const crashAfter of [...crashes, Infinity]) {
    world.restart(crashAfter);
    const { signal } = new AbortController();
    let sent = 0;
    const run: ChangeRun = new ChangeRun(world.saved ?? confirmation, {
      service: {
        ...world.service,
        send: async (operation, given) => {
          sent += 1;
          if (sent > stopAt) run.stop();
          return await world.service.send(operation, given);
        },
      },
      save: world.save,
      changed: () => undefined,
      words,
      now: () => world.now,
      pause: world.pause,
    });
    try {
      if (isFirst) await run.run(signal);
      else await run.resume(signal);
      return run.confirmation;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    // If the confirmation was not stored, the change has not started.
    isFirst = world.saved === undefined;
  }
  throw new Error('it never ends');
}

const fate = fc.constantFrom<Fate>('answered', 'acted-lost', 'lost', 'refused', 'limited', 'not-found');

suite('a confirmed change', () => {
  test('is carried out at most once and reported truthfully, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fate, { maxLength: 3 }), { minLength: 1, maxLength: 7 }),
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 10 }),
        async (fates, crashes, jobMs, stopAt) => {
          const world = new World(new Map(fates.map((list, index) => [`a${index}`, list])), {
            jobMs,
            crashAfter: Infinity,
          });
          const end = await runToTheEnd(world, confirmationOf(fates.length), crashes, stopAt);
          assert.ok(isOver(end));
          assert.deepEqual(world.saved, end, 'what is kept is the report');
          for (const { operation, state } of end.targets) {
            const id = accountOf(operation);
            const acted = world.acted.get(id) ?? 0;
            assert.ok(acted <= 1, `${id} was acted upon ${acted} times`);
            if (state.kind === 'not-sent' || state.kind === 'refused')
              assert.equal(acted, 0, `${id} says ${state.kind}`);
            if (state.kind === 'ended' || state.kind === 'found-changed') {
              assert.equal(acted, 1, `${id} says ${state.kind}`);
              assert.ok((world.appliesAt.get(id) ?? Infinity) <= world.now, `${id} shows it`);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('waits out a rate limit, and reports since when', async () => {
    const world = new World(new Map([['a0', ['limited', 'limited', 'answered']]]), {
      jobMs: 10,
      crashAfter: Infinity,
    });
    const states: string[] = [];
    const run = new ChangeRun(confirmationOf(1), {
      service: world.service,
      save: world.save,
      changed: ({ targets }) => states.push(targets[0]?.state.kind ?? ''),
      words,
      now: () => world.now,
      pause: world.pause,
    });
    await run.run(new AbortController().signal);
    assert.deepEqual(states.slice(0, 6), ['sending', 'waiting', 'sending', 'waiting', 'sending', 'accepted']);
    assert.equal(states.at(-1), 'ended');
  });

  test('without a response is verified by the record, and reported if it never appears', async () => {
    const world = new World(new Map([['a0', ['lost']]]), { jobMs: 10, crashAfter: Infinity });
    const end = await runToTheEnd(world, confirmationOf(1), [], Infinity);
    assert.equal(end.targets[0]?.state.kind, 'found-unchanged');
    const acted = new World(new Map([['a0', ['acted-lost']]]), { jobMs: 20_000, crashAfter: Infinity });
    const found = await runToTheEnd(acted, confirmationOf(1), [], Infinity);
    assert.equal(found.targets[0]?.state.kind, 'found-changed');
  });

  /** A change whose response is an error; the record can be read from `backAt` on. */
  async function lostIn(backAt: number, look: 'by itself' | 'now') {
    const world = new World(new Map(), { jobMs: 10, crashAfter: Infinity });
    const found: (string | undefined)[] = [];
    const fields = { code: 'UNAVAILABLE', status: 503, retryable: true };
    let sent = 0;
    const run: ChangeRun = new ChangeRun(confirmationOf(1), {
      service: {
        ...world.service,
        send: async () => {
          sent += 1;
          return await Promise.reject(new ServerFaultError('away', fields));
        },
        isShown: async () =>
          world.now < backAt ? await Promise.reject(new ServerFaultError('away', fields)) : false,
      },
      save: world.save,
      changed: ({ targets: [target] }) => {
        if (target?.state.kind === 'unanswered') found.push(target.state.found?.kind);
      },
      words,
      now: () => world.now,
      pause: async (ms, signal) => {
        signal.throwIfAborted();
        if (look === 'by itself' || found.at(-1) === undefined) {
          await world.pause(ms);
          return;
        }
        world.now = backAt;
        const aborted = once(signal, 'abort');
        run.lookNow();
        await aborted;
        throw new Error('aborted');
      },
    });
    await run.run(new AbortController().signal);
    return { end: run.confirmation.targets[0]?.state, found, sent, now: world.now };
  }

  test('keeps what came back instead of an outcome, until and after it is checked again', async () => {
    const cases: readonly (readonly [Error, OddResponse | undefined])[] = [
      [new ServerFaultError('away', { code: 'UNAVAILABLE', status: 503, retryable: true }), 503],
      [new ContractError('a web page', { status: 200 }), 200],
      [
        errorOfResponse({
          ...{ status: 408, headers: { 'content-type': 'text/plain' }, body: 'Request Timeout' },
          ...{ request: 'DELETE /v1/x', origin: 'http://127.0.0.1:9', scope: 'write' },
        }),
        408,
      ],
      [new TransportError('cut', 'truncated', undefined), 'part'],
      [new TransportError('cut', 'reset', undefined), undefined],
      [new TimeoutError('no answer', 30_000), undefined],
    ];
    for (const [error, response] of cases) {
      const world = new World(new Map(), { jobMs: 10, crashAfter: Infinity });
      const run = new ChangeRun(confirmationOf(1), {
        service: { ...world.service, send: () => Promise.reject(error) },
        save: world.save,
        changed: () => undefined,
        words,
        now: () => world.now,
        pause: world.pause,
      });
      await run.run(new AbortController().signal);
      const responses = [run.confirmation, reopened(run.confirmation)].map((confirmation) => {
        const state = confirmation?.targets[0]?.state;
        return state !== undefined && 'response' in state ? state.response : undefined;
      });
      assert.deepEqual(responses, [response, response], error.message);
    }
  });

  test('is looked up as soon as the service is back, however long it was away', async () => {
    const { end, found, sent, now } = await lostIn(20 * 60_000, 'by itself');
    assert.equal(end?.kind, 'found-unchanged');
    assert.deepEqual([...new Set(found)], [undefined, 'unread', 'unchanged']);
    assert.equal(sent, 1);
    assert.ok(now < 20 * 60_000 + 90_000, `${now} ms`);
    const never = await lostIn(Infinity, 'by itself');
    assert.equal(never.end?.kind, 'unknown');
  });

  test('is looked up at once when asked for', async () => {
    const { end, now, sent } = await lostIn(1_000_000, 'now');
    assert.deepEqual([end?.kind, now, sent], ['found-unchanged', 1_000_000, 1]);
  });

  test('that stayed unclear is read once more on request, and never sent', async () => {
    const world = new World(new Map(), { jobMs: 10, crashAfter: Infinity });
    const unclear = confirmationOf(2);
    const ended: Confirmation = {
      ...unclear,
      targets: unclear.targets.map((target, index) => ({
        ...target,
        state:
          index === 0
            ? { kind: 'unknown', at: 1, reason: 'away' }
            : { kind: 'refused', reason: 'no', code: 'X' },
      })),
    };
    const open = reopened(ended);
    assert.ok(open);
    assert.equal(reopened(open), undefined);
    const run = new ChangeRun(open, {
      service: { ...world.service, send: () => assert.fail('sent again') },
      save: world.save,
      changed: () => undefined,
      words,
      now: () => world.now,
      pause: world.pause,
    });
    await run.checkAgain(new AbortController().signal);
    assert.deepEqual(
      run.confirmation.targets.map(({ state }) => state.kind),
      ['found-unchanged', 'refused'],
    );
  });

  test('ends with the last known state if its job is no longer followed', async () => {
    const world = new World(new Map([['a0', ['answered']]]), { jobMs: 10, crashAfter: Infinity });
    const job = { status: 'running', isOver: false, targets: [] };
    let asked = 0;
    const run: ChangeRun = new ChangeRun(confirmationOf(1), {
      service: {
        ...world.service,
        job: () => {
          asked += 1;
          if (asked === 3) run.stopFollowing();
          return Promise.resolve(job);
        },
      },
      save: world.save,
      changed: () => undefined,
      words,
      now: () => world.now,
      pause: (ms, signal) => {
        signal.throwIfAborted();
        return world.pause(ms);
      },
    });
    await run.run(new AbortController().signal);
    assert.equal(asked, 3);
    const [target] = run.confirmation.targets;
    assert.ok(target?.state.kind === 'ended');
    assert.deepEqual([target.state.problem, target.state.job], [words.unfollowed, job]);
    assert.deepEqual(world.saved, run.confirmation);
  });

  test('has an unknown outcome if the service lacks the data, and reports this', async () => {
    const world = new World(new Map([['a0', ['lost']]]), { jobMs: 10, crashAfter: Infinity });
    const run = new ChangeRun(confirmationOf(1), {
      service: { ...world.service, isShown: () => Promise.resolve(undefined) },
      ...{ save: world.save, changed: () => undefined, words, now: () => world.now, pause: world.pause },
    });
    await run.run(new AbortController().signal);
    const [target] = run.confirmation.targets;
    assert.ok(target?.state.kind === 'unknown');
    assert.equal(target.state.reason, words.noSuchData);
  });
});
