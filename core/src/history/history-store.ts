/** The user's runs, newest first, among what this machine remembers. */
import { isFlag, isNumber, isText, listOf, oneOf, optional, shapeOf } from '#base/values/shapes.ts';
import { Facts } from '../memory/facts.ts';
import type { Memory } from '../memory/memory.ts';
import type { RememberedValue } from '../parameters/memory.ts';
import type { RunRecord, RunRecordParameter } from './run-record.ts';

export interface HistoryStoreOptions {
  readonly memory: Memory;
  readonly retentionDays: () => number;
  /** Returns milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;
/** Maximum number of entries. Older entries are dropped after the first run of a window. */
const runsMax = 5_000;
const bytesMax = 20 * 1_048_576;
/** Runs with longer SQL are not recorded. */
const sqlCharsMax = 200_000;

export class HistoryStore {
  readonly #runs: Facts<RunRecord>;
  readonly #retentionDays: () => number;
  readonly #now: () => number;
  /** What this window adds is in its next list. */
  #adding: Promise<unknown> = Promise.resolve();
  #isTidied = false;

  constructor({ memory, retentionDays, now = () => Date.now() }: HistoryStoreOptions) {
    this.#runs = new Facts(memory, { noun: 'runs', parse: (value) => (isRun(value) ? value : undefined) });
    this.#retentionDays = retentionDays;
    this.#now = now;
  }

  /** @throws a file system error, for example if the disk is full. */
  async add(run: RunRecord): Promise<void> {
    if (run.sql.length > sqlCharsMax) return;
    const added = this.#runs.change((rows) => rows.put(run.id, run));
    this.#adding = Promise.allSettled([this.#adding, added]);
    await added;
    if (this.#isTidied) return;
    this.#isTidied = true;
    const all = await this.#runs.all();
    // One run while the clock is ahead must not remove all others for good.
    const others = [...all.values()].filter(({ id }) => id !== run.id);
    const newest = others.reduce((last, { startedAt }) => Math.max(last, startedAt), -Infinity);
    const now = Math.min(this.#now(), newest);
    const kept = new Set(this.#kept(all, now).map(({ id }) => id));
    if (kept.size < all.size) await this.delete(new Set([...all.keys()].filter((id) => !kept.has(id))));
  }

  /** Returns unexpired runs, newest first. */
  async list(): Promise<readonly RunRecord[]> {
    await this.#adding;
    return this.#kept(await this.#runs.all());
  }

  async find(id: string): Promise<RunRecord | undefined> {
    return (await this.list()).find((run) => run.id === id);
  }

  async delete(ids: ReadonlySet<string>): Promise<void> {
    await this.#runs.change((rows) => {
      for (const id of ids) rows.delete(id);
    });
  }

  async clear(): Promise<void> {
    await this.#runs.change((rows) => rows.keepNewest(0));
  }

  #kept(all: ReadonlyMap<string, RunRecord>, now = this.#now()): readonly RunRecord[] {
    const oldest = now - this.#retentionDays() * dayMs;
    const kept: RunRecord[] = [];
    let size = 0;
    for (const run of [...all.values()].sort((a, b) => b.startedAt - a.startedAt)) {
      size += run.sql.length;
      if (kept.length === runsMax || size > bytesMax) break;
      if (run.startedAt >= oldest) kept.push(run);
    }
    return kept;
  }
}

const isParameter = shapeOf<RunRecordParameter>({
  ...{ name: isText, type: isText, isSecret: isFlag },
  value: optional(shapeOf<Pick<RememberedValue, 'text'>>({ text: isText })),
});

const isRun = shapeOf<RunRecord>({
  ...{ id: isText, title: isText, documentUri: isText, model: isText, sql: isText, sha256: isText },
  ...{ connection: isText, connectionKey: isText, startedAt: isNumber, ms: isNumber },
  outcome: oneOf(['rows', 'failed', 'cancelled']),
  parameters: listOf(isParameter),
});
