/**
 * Carries out a confirmed change according to these rules:
 *
 * - `sending` is stored before a request is sent, so that a later session can tell that it may have been sent.
 * - A request is resent only after the service itself rejected it (429).
 * - If no response arrives, the record is polled until it shows the change, or has not shown it for some time. That is
 *   the outcome. The time does not run while the service is away.
 * - After a restart, waiting changes are not sent, since the person who confirmed them may be gone. Changes that were
 *   already sent are read back.
 *
 * All dependencies are injected, so that a test can lose any response and end the process at any point.
 */
import { pause as realPause } from '#api/client/abort.ts';
import {
  AuthError,
  ConflictError,
  ContractError,
  NotFoundError,
  NotOfferedError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TimeoutError,
  TransportError,
} from '#api/client/errors.ts';
import { Queue } from '#base/async/queue.ts';
import { messageOf } from '#base/errors.ts';
import {
  isSettled,
  type ChangeState,
  type Confirmation,
  type JobView,
  type OddResponse,
  type Operation,
} from './change.ts';

export interface ChangeService {
  /**
   * Sends a change.
   * @throws ApiError, ContractError or UserAbort.
   */
  send(operation: Operation, signal: AbortSignal): Promise<{ readonly jobId: string }>;
  /**
   * Returns whether the service's data shows the change; undefined if the service has no such data.
   * @throws the same errors as `send`.
   */
  isShown(operation: Operation, signal: AbortSignal): Promise<boolean | undefined>;
  /**
   * Reads a job; undefined if there is no such job.
   * @throws the same errors as `send`.
   */
  job(jobId: string, signal: AbortSignal): Promise<JobView | undefined>;
}

export interface ChangeRunDependencies {
  readonly service: ChangeService;
  /** Stores a confirmation. Resolves once it is stored durably. */
  readonly save: (confirmation: Confirmation) => Promise<void>;
  readonly changed: (confirmation: Confirmation) => void;
  readonly words: ChangeRunWords;
  readonly now?: () => number;
  /** @throws if the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ChangeRunWords {
  readonly stopped: string;
  readonly restarted: string;
  readonly noSuchData: string;
  readonly noSuchJob: string;
  readonly unfollowed: string;
  readonly followedTooLong: string;
}

type JobAnswer =
  | { readonly kind: 'job'; readonly job: JobView }
  /** The job can no longer be polled. */
  | { readonly kind: 'gone'; readonly problem: string }
  | { readonly kind: 'later'; readonly afterMs: number };

type FoundState = Extract<ChangeState, { kind: 'found-changed' | 'found-unchanged' | 'unknown' }>;

const concurrency = 4;
const defaultRateLimitMs = 5_000;
const firstJobPauseMs = 1_000;
const maxJobPauseMs = 30_000;
/** Maximum time to wait for a job's effect in the service's data after the job ends. */
const reflectionPatienceMs = 10 * 60_000;
/** Maximum time to follow a job that never ends; shorter if the job reports no status. */
const followedMaxMs = 24 * 60 * 60_000;
const followedUnknownMaxMs = 10 * 60_000;
/** Pauses between readings of the record that do not show a change. */
const looksMs = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000];
/** The same after an error as response, when the service is unlikely to be still at work. */
const looksAfterErrorMs = [2_000, 5_000, 15_000];
/** Pauses between attempts to read the record while the service is away; the last one repeats. */
const awayLooksMs = [2_000, 5_000, 15_000, 30_000, 60_000];
const awayMaxMs = 60 * 60_000;

export class ChangeRun {
  readonly #deps: ChangeRunDependencies;
  readonly #now: () => number;
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<void>;
  #confirmation: Confirmation;
  readonly #saves = new Queue();
  #isStopped = false;
  /** Aborted to read records now, instead of after the pause. */
  #lookingNow = new AbortController();
  /** Aborted when jobs should no longer be followed. */
  readonly #following = new AbortController();

  constructor(confirmation: Confirmation, deps: ChangeRunDependencies) {
    this.#confirmation = confirmation;
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#pause = deps.pause ?? realPause;
  }

  get confirmation(): Confirmation {
    return this.#confirmation;
  }

  /** Drops waiting changes, and follows sent ones until they end. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Like `stop`, but also stops polling jobs and records, which keep their last known state. */
  stopFollowing(): void {
    this.stop();
    this.#following.abort();
    this.lookNow();
  }

  /** Reads the records of changes without a response now, because the service is back or a person asks. */
  lookNow(): void {
    this.#lookingNow.abort();
    this.#lookingNow = new AbortController();
  }

  /**
   * Sends waiting changes and follows all changes until they end. Rejects only if the signal aborts or the state cannot
   * be stored.
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.#deps.save(this.#confirmation);
    await this.#sendAll(signal);
  }

  /** Takes over after a restart. Never sends a change. */
  async resume(signal: AbortSignal): Promise<void> {
    for (const [index, { state }] of this.#confirmation.targets.entries()) {
      if (state.kind === 'waiting') {
        await this.#set(index, { kind: 'not-sent', reason: this.#deps.words.restarted });
      } else if (state.kind === 'sending') {
        await this.#set(index, { kind: 'unanswered', at: state.at, reason: this.#deps.words.restarted });
      }
    }
    await together(signal, (inner) =>
      this.#confirmation.targets.map((_, index) => this.#follow(index, inner)),
    );
  }

  /** Reads the record once for each change without a response. Never sends a change. */
  async checkAgain(signal: AbortSignal): Promise<void> {
    await together(signal, (inner) =>
      this.#confirmation.targets.map(async ({ state }, index) => {
        if (state.kind === 'unanswered') await this.#set(index, (await this.#shown(index, inner)).state);
      }),
    );
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    let next = 0;
    const following: Promise<void>[] = [];
    await together(signal, (inner) => {
      const work = async () => {
        for (let index = next++; index < this.#confirmation.targets.length; index = next++) {
          await this.#send(index, inner);
          const followed = this.#follow(index, inner);
          followed.catch(() => undefined); // awaited below, after all requests are sent
          following.push(followed);
        }
      };
      return Array.from({ length: concurrency }, work);
    });
    await Promise.all(following);
  }

  async #send(index: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isStopped) {
        await this.#set(index, { kind: 'not-sent', reason: this.#deps.words.stopped });
        return;
      }
      const operation = this.#operation(index);
      await this.#set(index, { kind: 'sending', at: this.#now() });
      try {
        const { jobId } = await this.#deps.service.send(operation, signal);
        await this.#set(index, { kind: 'accepted', at: this.#now(), jobId });
        return;
      } catch (error) {
        if (!(error instanceof RateLimitError)) {
          await this.#set(index, stateAfter(error, this.#now()));
          return;
        }
        const delayMs = error.retryAfterMs ?? defaultRateLimitMs;
        await this.#set(index, { kind: 'waiting', until: this.#now() + delayMs });
        await this.#pause(delayMs, signal);
      }
    }
  }

  async #follow(index: number, signal: AbortSignal): Promise<void> {
    const state = this.#state(index);
    if (state.kind === 'unanswered') await this.#look(index, signal);
    else if (state.kind === 'accepted') await this.#watchUntilTold(index, state.jobId, signal);
  }

  /** Polls the record for the outcome of a request that got no response. */
  async #look(index: number, signal: AbortSignal): Promise<void> {
    const unanswered = this.#state(index);
    if (unanswered.kind !== 'unanswered') return;
    const { response } = unanswered;
    const pauses = typeof response === 'number' && response >= 400 ? looksAfterErrorMs : looksMs;
    const since = this.#now();
    for (let unchanged = 0, unread = 0; ;) {
      const { state, mayPass } = await this.#shown(index, signal);
      const { kind, at } = state;
      const pauseMs =
        kind === 'found-unchanged'
          ? pauses[unchanged++]
          : mayPass === true && at - since < awayMaxMs
            ? awayLooksMs[Math.min(unread++, awayLooksMs.length - 1)]
            : undefined;
      if (pauseMs === undefined || this.#following.signal.aborted) {
        await this.#set(index, state);
        return;
      }
      const found = { kind: kind === 'found-unchanged' ? 'unchanged' : 'unread', at } as const;
      await this.#set(index, { ...unanswered, found });
      await this.#pauseForLook(pauseMs, signal);
    }
  }

  /** Ends early if `lookNow` is called. */
  async #pauseForLook(ms: number, signal: AbortSignal): Promise<void> {
    const now = this.#lookingNow.signal;
    try {
      await this.#pause(ms, AbortSignal.any([signal, now]));
    } catch (error) {
      if (signal.aborted || !now.aborted) throw error;
    }
  }

  /** Reads the record. `mayPass`: it could not be read because the service is away, or limits requests. */
  async #shown(
    index: number,
    signal: AbortSignal,
  ): Promise<{ readonly state: FoundState; readonly mayPass?: boolean }> {
    const before = this.#state(index);
    const came =
      before.kind === 'unanswered' && before.response !== undefined ? { response: before.response } : {};
    try {
      const isShown = await this.#deps.service.isShown(this.#operation(index), signal);
      const at = this.#now();
      if (isShown === undefined)
        return { state: { kind: 'unknown', at, reason: this.#deps.words.noSuchData, ...came } };
      return { state: { kind: isShown ? 'found-changed' : 'found-unchanged', at, ...came } };
    } catch (error) {
      signal.throwIfAborted();
      const state = { kind: 'unknown', at: this.#now(), reason: messageOf(error), ...came } as const;
      return { state, mayPass: mayPass(error) };
    }
  }

  async #watchUntilTold(index: number, jobId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#watch(index, jobId, AbortSignal.any([signal, this.#following.signal]));
    } catch (error) {
      if (signal.aborted || !this.#following.signal.aborted) throw error;
      const problem = this.#deps.words.unfollowed;
      await this.#set(index, { ...this.#lastJob(index), kind: 'ended', at: this.#now(), jobId, problem });
    }
  }

  async #watch(index: number, jobId: string, signal: AbortSignal): Promise<void> {
    let delayMs = firstJobPauseMs;
    let overSince: number | undefined;
    const since = this.#now();
    for (;;) {
      await this.#pause(delayMs, signal);
      const asked = await this.#ask(jobId, signal);
      const at = this.#now();
      const limitMs = this.#lastJob(index).job?.status === '?' ? followedUnknownMaxMs : followedMaxMs;
      if (overSince === undefined && at - since > limitMs && asked.kind !== 'gone') {
        const problem = this.#deps.words.followedTooLong;
        await this.#set(index, { ...this.#lastJob(index), kind: 'ended', at, jobId, problem });
        return;
      }
      if (asked.kind === 'gone') {
        await this.#set(index, { ...this.#lastJob(index), kind: 'ended', at, jobId, problem: asked.problem });
        return;
      }
      delayMs = Math.max(asked.kind === 'later' ? asked.afterMs : 0, Math.min(maxJobPauseMs, delayMs * 1.5));
      if (asked.kind === 'later') continue;
      const { job } = asked;
      if (job.isOver) overSince ??= at;
      const isShown = job.targets.every(
        ({ outcome, reflected }) => outcome !== 'changed' || reflected !== false,
      );
      if (overSince !== undefined && (isShown || at - overSince > reflectionPatienceMs)) {
        await this.#set(index, { kind: 'ended', at, jobId, job });
        return;
      }
      await this.#set(index, { kind: 'accepted', at, jobId, job });
    }
  }

  /** Reads a job. Repeating a read is harmless, and an unavailable service may come back. */
  async #ask(jobId: string, signal: AbortSignal): Promise<JobAnswer> {
    try {
      const job = await this.#deps.service.job(jobId, signal);
      return job === undefined ? { kind: 'gone', problem: this.#deps.words.noSuchJob } : { kind: 'job', job };
    } catch (error) {
      signal.throwIfAborted();
      const isRefused = error instanceof AuthError && error.at === 'forbidden';
      if (isRefused || error instanceof NotOfferedError) return { kind: 'gone', problem: error.message };
      return { kind: 'later', afterMs: error instanceof RateLimitError ? (error.retryAfterMs ?? 0) : 0 };
    }
  }

  #lastJob(index: number): { readonly job?: JobView | undefined } {
    const state = this.#state(index);
    return state.kind === 'accepted' ? { job: state.job } : {};
  }

  #state(index: number): ChangeState {
    const target = this.#confirmation.targets[index];
    if (target === undefined) throw new RangeError(`no target ${index}`);
    return target.state;
  }

  #operation(index: number): Operation {
    const target = this.#confirmation.targets[index];
    if (target === undefined) throw new RangeError(`no target ${index}`);
    return target.operation;
  }

  /**
   * Sets the state of a target and stores it. Writes run in order, so that an older state never replaces a newer one.
   */
  async #set(index: number, state: ChangeState): Promise<void> {
    if (isSettled(this.#state(index))) return;
    const targets = this.#confirmation.targets.map((target, at) =>
      at === index ? { ...target, state } : target,
    );
    this.#confirmation = { ...this.#confirmation, targets };
    this.#deps.changed(this.#confirmation);
    await this.#saves.add(() => this.#deps.save(this.#confirmation));
  }
}

/** Waits for all tasks. The first failure aborts the others and is thrown once they have ended. */
async function together(
  signal: AbortSignal,
  start: (signal: AbortSignal) => readonly Promise<void>[],
): Promise<void> {
  const controller = new AbortController();
  const failures: unknown[] = [];
  const tasks = start(AbortSignal.any([signal, controller.signal])).map((task) =>
    task.catch((error: unknown) => {
      failures.push(error);
      controller.abort();
    }),
  );
  await Promise.all(tasks);
  if (failures.length > 0) throw failures[0];
}

/** Returns the state after a failed request. A request that may have reached the service counts as sent. */
function stateAfter(error: unknown, at: number): ChangeState {
  // All other errors may occur after the request was sent.
  if (error instanceof TransportError && (error.reason === 'refused' || error.reason === 'dns'))
    return { kind: 'not-sent', reason: error.message };
  if (
    error instanceof AuthError ||
    error instanceof NotFoundError ||
    error instanceof NotOfferedError ||
    error instanceof ConflictError ||
    error instanceof RejectedError
  ) {
    return { kind: 'refused', reason: error.message, code: error.code, status: error.status };
  }
  return { kind: 'unanswered', at, reason: messageOf(error), response: responseOf(error) };
}

/** Returns what arrived instead of an outcome. */
function responseOf(error: unknown): OddResponse | undefined {
  if (error instanceof ServerFaultError || error instanceof ContractError) return error.status;
  return error instanceof TransportError && error.reason === 'truncated' ? 'part' : undefined;
}

/** Returns whether a later reading may succeed without a change. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof TransportError ||
    error instanceof TimeoutError ||
    error instanceof ServerFaultError ||
    error instanceof RateLimitError
  );
}
