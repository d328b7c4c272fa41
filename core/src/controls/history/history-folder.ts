/**
 * A folder with one file per run, which is complete once it has its name: no lock, no conflict between writers, and
 * nothing half after a crash. Most files hold only what changed; every thirtieth holds everything. The folder may come
 * from a stranger, so its files are read with bounds and a damaged one is told.
 */
import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { FileRefusal, readBoundedText, refusedWords, writeWithin } from '#base/files/bounded-file.ts';
import { leftAfterMs } from '#base/files/left-overs.ts';
import { t } from '#base/texts.ts';
import { controlFolder } from '../files/control-file.ts';
import {
  beforeAllRuns,
  historyEnding,
  historyVersion,
  isRunId,
  momentOfRun,
  parseRun,
  recordKey,
  runIdOf,
  textOfRun,
  type HistoryProblem,
  type OutcomeRecord,
  type ParsedRun,
  type RunHead,
} from './history-format.ts';
import {
  changesBetween,
  newsCounts,
  recordsBetween,
  scopeDigest,
  stateAfter,
  type KnownOutcome,
  type OutcomeChange,
  type OutcomeState,
} from './outcome-state.ts';

/** Enough for every outcome of as many controls as a folder may have. */
const fileBytesMax = 64_000_000;
/** Room for the first line. */
const headBytesMax = 100_000;
/** Runs of which it is known one by one whether a receiver was told. */
const toldMax = 500;
/** Files from one whole run to the next. */
const wholeEvery = 30;

/** The state after a run, and what could not be read of it. */
export interface StateOfRun {
  readonly head: RunHead;
  readonly state: OutcomeState;
  /** If there are any, some outcomes are unknown. */
  readonly problems: readonly HistoryProblem[];
}

/** The runs that a receiver was told, or did not have to be. */
export interface ToldRuns {
  /** All runs up to this one. */
  readonly until: string;
  /** Runs after it. One that began earlier may be written later, so that the latest is not enough. */
  readonly ids: ReadonlySet<string>;
}

/** No control has this ID. */
const noControl = '\0';

/** A run to add. */
export interface NewRun extends Pick<
  RunHead,
  'ms' | 'scope' | 'connections' | 'commit' | 'keyId' | 'problems'
> {
  readonly startedAt: Date;
  readonly outcomes: readonly KnownOutcome[];
  /** Whether the run stopped at a failure, so that it did not look at what is missing. */
  readonly isStopped?: boolean;
}

/** Where a folder of controls keeps its history, unless another folder is named. */
export const historyFolderDefault = `${controlFolder}/history`;

export class HistoryFolder {
  readonly #folder: string;
  readonly #bytesMax: number;

  /** @param options.bytesMax largest file that is read; lower in tests. */
  constructor(folder: string, { bytesMax = fileBytesMax }: { readonly bytesMax?: number } = {}) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
  }

  /** The IDs of the runs, the oldest first. */
  async ids(): Promise<readonly string[]> {
    return await this.#idsWith(historyEnding);
  }

  /**
   * The heads of all runs, the oldest first, and what is damaged: in the last ones any line, in the others a line that
   * is cut or lost, since reading every line of a year takes seconds.
   */
  async heads(last = 0): Promise<{
    readonly heads: readonly RunHead[];
    readonly problems: readonly HistoryProblem[];
  }> {
    const heads: RunHead[] = [];
    const problems: HistoryProblem[] = [];
    const ids = await this.ids();
    for (const [index, id] of ids.entries()) {
      const run = await this.run(id, index < ids.length - last ? noControl : undefined);
      if ('head' in run) {
        heads.push(run.head);
        for (const problem of run.problems.slice(0, 10)) problems.push(problem);
      } else problems.push(run);
    }
    return { heads, problems };
  }

  /** @param control only its outcomes are read. */
  async run(id: string, control?: string): Promise<ParsedRun | HistoryProblem> {
    const text = await this.#text(id);
    return typeof text === 'string' ? parseRun(text, fileOf(id), control) : text;
  }

  /** Returns the state after a run; a problem if its own file cannot be read. */
  async stateOf(id: string): Promise<StateOfRun | HistoryProblem> {
    const chain: ParsedRun[] = [];
    const problems: HistoryProblem[] = [];
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at);) {
      seen.add(at);
      const run: ParsedRun | HistoryProblem = await this.run(at);
      if (!('head' in run)) {
        if (at === id) return run;
        problems.push(run);
        break;
      }
      chain.push(run);
      for (const problem of run.problems.slice(0, 100)) problems.push(problem);
      at = run.head.isWhole ? undefined : run.head.base;
    }
    const [own] = chain;
    if (own === undefined) throw new TypeError('a chain begins with its own run');
    let state: OutcomeState = new Map();
    for (const run of chain.reverse()) state = stateAfter(state, run);
    return { head: own.head, state, problems };
  }

  /** Returns the state after the latest run that can be read; undefined if there is none. */
  async latest(): Promise<{
    readonly latest: StateOfRun | undefined;
    readonly problems: readonly HistoryProblem[];
  }> {
    const problems: HistoryProblem[] = [];
    for (const id of [...(await this.ids())].reverse()) {
      const found = await this.stateOf(id);
      if ('state' in found) return { latest: found, problems: [...problems, ...found.problems] };
      problems.push(found);
    }
    return { latest: undefined, problems };
  }

  /**
   * Adds a run after the latest one.
   * @throws FileRefusal, or a file system error, if it cannot be written.
   */
  async add(
    { outcomes, startedAt, ms, scope, connections, commit, keyId, problems, isStopped = false }: NewRun,
    now = new Date(),
  ): Promise<StateOfRun & { readonly before: OutcomeState; readonly told: readonly HistoryProblem[] }> {
    const known = (await this.ids()).length;
    const { latest, problems: told } = await this.latest();
    const continued = comparable(latest, keyId);
    const before = comparable(await this.#withRunsBeside(latest), keyId);
    const state = new Map(
      outcomes.map((one) => [recordKey(one), since(one, before.get(recordKey(one)), startedAt)]),
    );
    const unknown: KnownOutcome[] = [];
    for (const [key, one] of before) {
      if (state.has(key)) continue;
      // What another choice of controls or connections knows stays known.
      if (isStopped || one.scope !== scopeDigest(scope) || !connections.includes(one.connection))
        state.set(key, one);
      else if (problems > 0) {
        // It may be in a file that could not be read. What the same choice no longer has otherwise is gone.
        const now = since(unknownOutcome(one), one, startedAt);
        state.set(key, now);
        unknown.push(now);
      }
    }
    const changes = changesBetween(before, state);
    const isWhole = latest === undefined || latest.problems.length > 0 || latest.head.depth + 1 >= wholeEvery;
    const records = recordsBetween(isWhole ? new Map() : continued, state, scope);
    const counts: Partial<Record<KnownOutcome['outcome'], number>> = {};
    for (const { outcome } of [...outcomes, ...unknown]) counts[outcome] = (counts[outcome] ?? 0) + 1;
    const head: RunHead = {
      version: historyVersion,
      id: runIdOf(laterThan(latest?.head.id, now), randomBytes(6)),
      startedAt: startedAt.toISOString(),
      ms: Math.round(ms),
      ...(latest === undefined ? {} : { base: latest.head.id }),
      isWhole,
      depth: isWhole ? 0 : latest.head.depth + 1,
      known,
      scope,
      connections,
      ...(commit === undefined ? {} : { commit }),
      ...(keyId === undefined ? {} : { keyId }),
      counts,
      news: newsCounts(changes),
      problems,
      records: records.length,
    };
    const text = textOfRun(head, withinBytes(records, this.#bytesMax - headBytesMax));
    await writeWithin(this.#folder, this.#at(fileOf(head.id)), text);
    await this.#removeLeftOvers(now);
    return { head, state, before, problems: [], told };
  }

  /** Returns what was new in a run; undefined if its file cannot be read. */
  async newsOf(
    id: string,
  ): Promise<{ readonly head: RunHead; readonly changes: readonly OutcomeChange[] } | undefined> {
    const found = await this.stateOf(id);
    if (!('state' in found)) return undefined;
    const { base, keyId } = found.head;
    const before = base === undefined ? undefined : await this.stateOf(base);
    const known = before !== undefined && 'state' in before ? before : undefined;
    const then = comparable(await this.#withRunsBeside(known), keyId);
    // What a run beside it found is not gone.
    const isOwn = ({ scope, connection }: KnownOutcome) =>
      scope === scopeDigest(found.head.scope) && found.head.connections.includes(connection);
    const changes = changesBetween(then, found.state).filter(
      ({ kind, before: one }) => kind !== 'gone' || (one !== undefined && isOwn(one)),
    );
    return { head: found.head, changes };
  }

  /**
   * Adds what runs found that this one does not continue: runs at the same time, those of a branch that was merged, and
   * those of a machine whose clock is behind. Its own files know nothing of them, and a receiver was told them. What
   * both changed is as the later one has it.
   */
  async #withRunsBeside(found: StateOfRun | undefined): Promise<StateOfRun | undefined> {
    if (found === undefined) return undefined;
    const ids = await this.ids();
    const beside: ParsedRun[] = [];
    const own = new Set<string>();
    for (let at: string | undefined = found.head.id; at !== undefined;) {
      const run: ParsedRun | HistoryProblem = await this.run(at);
      if (!('head' in run)) break;
      const earlier = ids.slice(0, ids.indexOf(at));
      // As a rule the latest run knows them all.
      if (earlier.length <= (run.head.known ?? 0)) break;
      for (const record of await this.#changesOf(run)) own.add(recordKey(record));
      const { base = beforeAllRuns } = run.head;
      for (const id of earlier.filter((each) => each > base).reverse()) {
        const other = await this.run(id);
        if (!('head' in other)) continue;
        const { connections } = other.head;
        const records = (await this.#changesOf(other)).filter(
          (one) =>
            one.scope === undefined && connections.includes(one.connection) && !own.has(recordKey(one)),
        );
        beside.push({ ...other, head: { ...other.head, isWhole: false }, records });
      }
      at = earlier.includes(base) ? base : undefined;
    }
    return { ...found, state: beside.reverse().reduce<OutcomeState>(stateAfter, found.state) };
  }

  /** Returns the outcomes that a run changed: a whole one repeats the others. */
  async #changesOf(run: ParsedRun): Promise<readonly OutcomeRecord[]> {
    const { base, isWhole, scope } = run.head;
    const before = isWhole && base !== undefined ? await this.stateOf(base) : undefined;
    const records =
      before !== undefined && 'state' in before
        ? recordsBetween(before.state, stateAfter(new Map(), run), scope)
        : run.records;
    return records.filter((one) => one.isSeen !== true);
  }

  /** Returns what a receiver was told; undefined if it is new. @param receiver hexadecimal. */
  async toldTo(receiver: string): Promise<ToldRuns | undefined> {
    return (await this.#marksOf(receiver)).told;
  }

  /** Remembers that a receiver is new, and was told no run up to this one. */
  async beginTelling(receiver: string, until: string): Promise<void> {
    await writeWithin(this.#folder, this.#at(`${until}${toldEnding(receiver)}`), '');
  }

  /** Remembers that a receiver got the message of a run. */
  async markTold(receiver: string, id: string): Promise<void> {
    const { told = { until: beforeAllRuns, ids: new Set<string>() }, names } = await this.#marksOf(receiver);
    const all = [told.until, ...[...told.ids, id].filter((each) => each > told.until).sort()];
    const kept = all.slice(-toldMax);
    const name = `${kept.at(-1) ?? id}${toldEnding(receiver)}`;
    await writeWithin(this.#folder, this.#at(name), kept.map((each) => `${each}\n`).join(''));
    // Only what is in the new file: another process may have written one since.
    for (const each of names) if (each !== name) await rm(this.#at(each), { force: true });
  }

  /** Two runs at once, and branches that were merged, leave several files. */
  async #marksOf(
    receiver: string,
  ): Promise<{ readonly told: ToldRuns | undefined; readonly names: readonly string[] }> {
    const ending = toldEnding(receiver);
    for (let again = 0; ; again += 1) {
      const ids = await this.#idsWith(ending);
      const texts = await Promise.all(
        ids.map(async (id) => {
          try {
            return await readBoundedText(this.#at(`${id}${ending}`), {
              maxBytes: toldMax * 100,
              within: this.#folder,
            });
          } catch (error) {
            return isMissingFile(error) ? undefined : '';
          }
        }),
      );
      // Another process has just replaced one of them.
      if (texts.includes(undefined) && again < 100) continue;
      let until: string | undefined;
      const told = new Set<string>();
      for (const [index, id] of ids.entries()) {
        // An empty file, as older programs write it, stands for every run up to its name.
        const [first = id, ...others] = (texts[index] ?? '').split('\n').filter(isRunId);
        if (until === undefined || first < until) until = first;
        for (const each of others) told.add(each);
      }
      const names = ids.map((id) => `${id}${ending}`);
      return { told: until === undefined ? undefined : { until, ids: told }, names };
    }
  }

  /** The IDs of runs that have a file with this ending, the oldest first. */
  async #idsWith(ending: string): Promise<readonly string[]> {
    return (await this.#names())
      .flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []))
      .filter(isRunId)
      .sort();
  }

  /** Removes what killed writers left, once no writer can be at it any more. */
  async #removeLeftOvers(now: Date): Promise<void> {
    for (const name of await this.#names()) {
      if (!/^\.[0-9a-f]{18}\.part$/.test(name)) continue;
      const found = await lstat(this.#at(name)).catch(() => undefined); // its writer has just renamed it
      if (found?.isFile() === true && now.getTime() - found.mtimeMs > leftAfterMs)
        await rm(this.#at(name), { force: true });
    }
  }

  async #names(): Promise<readonly string[]> {
    return await readdir(this.#folder).catch((error: unknown) => {
      if (isMissingFile(error)) return [];
      if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
        throw new FileRefusal('no-folder', { cause: error });
      throw error;
    });
  }

  async #text(id: string): Promise<string | HistoryProblem> {
    const file = fileOf(id);
    try {
      return await readBoundedText(this.#at(file), { maxBytes: this.#bytesMax, within: this.#folder });
    } catch (error) {
      return { file, line: 1, message: t('The file cannot be read: {0}.', refusedWords(error)) };
    }
  }

  #at(name: string): string {
    return path.join(this.#folder, name);
  }
}

const fileOf = (id: string): string => `${id}${historyEnding}`;
const toldEnding = (receiver: string): string => `.told-${receiver}`;

/** Leaves out the rows of the largest controls if the file could not be read back otherwise. Their numbers stay. */
function withinBytes(records: readonly OutcomeRecord[], bytesMax: number): readonly OutcomeRecord[] {
  const sizes = records.map((record) => Buffer.byteLength(JSON.stringify(record)) + 1);
  let size = sizes.reduce((sum, each) => sum + each, 0);
  if (size <= bytesMax) return records;
  const shortened = [...records];
  const largest = [...records.entries()].sort(([a], [b]) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  for (const [index, { keys: _, added: __, removed: ___, ...rest }] of largest) {
    if (size <= bytesMax) break;
    shortened[index] = rest;
    size -= (sizes[index] ?? 0) - Buffer.byteLength(JSON.stringify(rest)) - 1;
  }
  return shortened;
}

/** A clock that goes back must not put a run before the one that it continues. */
function laterThan(before: string | undefined, now: Date): Date {
  if (before === undefined) return now;
  const earlier = momentOfRun(before);
  return now.getTime() > earlier || Number.isNaN(earlier) ? now : new Date(earlier + 1);
}

/** Most controls pass, so only the others say since when. */
function since(now: KnownOutcome, then: KnownOutcome | undefined, startedAt: Date): KnownOutcome {
  if (now.outcome === 'pass') return now;
  const isSame = then?.outcome === now.outcome && then.since !== undefined;
  return { ...now, since: isSame ? then.since : startedAt.toISOString() };
}

/** A control whose file could not be read is in error: its alarm does not end. */
function unknownOutcome({ control, connection, title, severity, owner }: KnownOutcome): KnownOutcome {
  return {
    control,
    connection,
    outcome: 'error',
    ...(title === undefined ? {} : { title }),
    ...(severity === undefined ? {} : { severity }),
    ...(owner === undefined ? {} : { owner }),
    code: 'NOT_FOUND',
    message: t('It was not found, and a file could not be read: its outcome is unknown.'),
  };
}

/** Digests of another key cannot be compared, so the rows before are unknown. */
function comparable(latest: StateOfRun | undefined, keyId: string | undefined): OutcomeState {
  if (latest === undefined) return new Map();
  if (latest.head.keyId === keyId) return latest.state;
  return new Map([...latest.state].map(([key, { keys: _, ...rest }]) => [key, rest] as const));
}
