/**
 * Simulates two clones and a service in memory: edits, renames, deletions, commits, merges, pulls, pushes and lost
 * responses, with the real planner, pull and push. Each line that a person writes is unique, so any loss is detectable.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { ServiceClient } from '#api/client/client.ts';
import { ConflictError, NotFoundError, TransportError } from '#api/client/errors.ts';
import type { SavedQuery, SavedQueryUpdate } from '#api/contract/saved-queries.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { mergeTexts, type Draft } from '#core/saved-queries/merge-drafts.ts';
import { agreedAfterPull } from '#core/sync/agreed-after-pull.ts';
import type { AgreedQueries } from '#core/sync/agreed-store.ts';
import { FolderChanges } from '#core/sync/folder-changes.ts';
import { pairQueries, type Agreed, type QueryHere } from '#core/sync/plan/pair.ts';
import {
  isWrite,
  nameOf,
  noChoices,
  planQueries,
  type Choices,
  type History,
  type Plan,
} from '#core/sync/plan/plan.ts';
import { push } from '#core/sync/push.ts';
import { queryOf } from '#core/sync/read-service.ts';

const service = 's';
const labels = { mine: 'repository', theirs: 'service' };
const clientMembers = ['name', 'model', 'description', 'query_string'] as const;

type Files = ReadonlyMap<string, QueryHere>;

interface Commit {
  readonly number: number;
  readonly files: Files;
  /** The commit itself and all earlier ones. */
  readonly ancestors: ReadonlySet<Commit>;
  readonly clone: Clone;
}

export interface StoryCounts {
  pushes: number;
  writes: number;
  conflicts: number;
  merges: number;
}

/** @param next returns an integer from 0 up to, but not including, its argument; it determines all steps */
export async function playSync(next: (below: number) => number, steps: number): Promise<StoryCounts> {
  const story = new Story(next);
  for (let step = 0; step < steps; step += 1) await story.step();
  return story.counts;
}

class FakeService {
  readonly records = new Map<string, SavedQuery>();
  /** Every query text ever on the service. */
  readonly seen = new Set<string>();
  writes = 0;
  /** Fate of the next writes: applied (`none`), applied without a response (`after`), or lost (`before`). */
  fault: () => 'none' | 'after' | 'before' = () => 'none';
  #ids = 0;

  readonly client = {
    savedQueries: {
      create: (fields: Draft) => this.#write(() => this.create(fields)),
      update: (id: string, fields: SavedQueryUpdate) => this.#write(() => this.update(id, fields)),
      delete: (id: string) => this.#write(() => this.remove(id)),
      get: (id: string) => Promise.resolve().then(() => this.#get(id)),
      listSummaries: () => Readable.from([...this.records.values()]),
    },
  } as unknown as ServiceClient; // a push uses no other methods

  create({
    name,
    query_string,
    model,
    description,
  }: Partial<Draft> & Pick<Draft, 'name' | 'query_string'>): SavedQuery {
    this.#requireFree(name, undefined);
    this.#ids += 1;
    const record = {
      query_id: `q${this.#ids}`,
      version: 1,
      name,
      query_string,
      model: model ?? 'm',
      description: description ?? '',
    };
    return this.#put(record);
  }

  update(id: string, { expected_version: expected, ...fields }: SavedQueryUpdate): SavedQuery {
    const before = this.#get(id);
    this.#requireFree(fields.name, id);
    if (before.version !== expected)
      throw new ConflictError('stale', { code: 'VERSION_CONFLICT', status: 409, retryable: false });
    return this.#put({ ...before, ...fields, version: before.version + 1 });
  }

  remove(id: string): void {
    this.#get(id);
    this.records.delete(id);
  }

  #put(record: SavedQuery): SavedQuery {
    this.records.set(record.query_id, record);
    this.seen.add(record.query_string);
    return record;
  }

  #get(id: string): SavedQuery {
    const record = this.records.get(id);
    if (record === undefined)
      throw new NotFoundError('gone', { code: 'SAVED_QUERY_NOT_FOUND', status: 404, retryable: false });
    return record;
  }

  #requireFree(name: string, id: string | undefined): void {
    for (const record of this.records.values())
      if (record.query_id !== id && nameKeyOf(record.name) === nameKeyOf(name))
        throw new ConflictError('taken', { code: 'NAME_CONFLICT', status: 409, retryable: false });
  }

  async #write<Value>(work: () => Value): Promise<Value> {
    await Promise.resolve();
    const fault = this.fault();
    const lost = () => new TransportError('cut off', 'reset', undefined);
    if (fault === 'before') throw lost();
    this.writes += 1;
    const value = work();
    if (fault === 'after') throw lost();
    return value;
  }
}

class Clone {
  files: Files = new Map();
  head: Commit | undefined;
  agreed: AgreedQueries = new Map();

  filesBefore(): ReadonlySet<string> {
    return new Set([...(this.head?.ancestors ?? [])].flatMap(({ files }) => [...files.keys()]));
  }

  isBornHere(file: string): boolean {
    const all = [...(this.head?.ancestors ?? [])].filter(({ files }) => files.has(file));
    return all.length === 0 || all.toSorted((a, b) => a.number - b.number)[0]?.clone === this;
  }

  historyOf(matches: (query: QueryHere) => boolean): History {
    const states = [...(this.head?.ancestors ?? [])]
      .sort((a, b) => b.number - a.number)
      .flatMap(({ files }) => [...files.values()].filter(matches).map(({ draft }) => draft));
    const values = (member: keyof Draft) => [...new Set(states.map((draft) => draft[member]))];
    return {
      name: values('name'),
      model: values('model'),
      description: values('description'),
      query_string: values('query_string'),
    };
  }
}

class Story {
  readonly counts: StoryCounts = { pushes: 0, writes: 0, conflicts: 0, merges: 0 };
  readonly #next: (below: number) => number;
  readonly #service = new FakeService();
  readonly #clones = [new Clone(), new Clone()];
  readonly #log: string[] = [];
  /** Lines that a person deleted on purpose. */
  readonly #takenOut = new Set<string>();
  #shared: Commit | undefined;
  #commits = 0;
  #lines = 0;
  #names = 0;

  constructor(next: (below: number) => number) {
    this.#next = next;
    for (let count = 0; count < 3; count += 1) this.#createThere();
  }

  async step(): Promise<void> {
    const clone = this.#clones[this.#next(2)] ?? new Clone();
    const steps: readonly (() => void | Promise<void>)[] = [
      () => this.#createThere(),
      () => this.#editThere(),
      () => this.#editThere(),
      () => this.#renameThere(),
      () => this.#removeThere(),
      () => this.#createHere(clone),
      () => this.#editHere(clone),
      () => this.#editHere(clone),
      () => this.#renameHere(clone),
      () => this.#removeHere(clone),
      () => this.#commit(clone),
      () => this.#commit(clone),
      () => this.#discard(clone),
      () => this.#pull(clone),
      () => this.#pull(clone),
      () => this.#push(clone),
      () => this.#push(clone),
      () => this.#share(clone),
      () => this.#fetch(clone),
      () => this.#fetch(clone),
    ];
    const which = this.#next(steps.length);
    this.#log.push(`${this.#clones.indexOf(clone)}:${which}`);
    await steps[which]?.();
  }

  #line(): string {
    this.#lines += 1;
    return `line ${this.#lines}`;
  }

  #edited(text: string): string {
    const lines = text.split('\n');
    const at = this.#next(lines.length);
    return lines.toSpliced(at, this.#next(2), this.#line()).join('\n');
  }

  #name(): string {
    this.#names += 1;
    return `Query ${this.#names}`;
  }

  #pick<Value>(values: Iterable<Value>): Value | undefined {
    const all = [...values];
    return all[this.#next(Math.max(1, all.length))];
  }

  #createThere(): void {
    this.#service.create({
      name: this.#name(),
      query_string: [this.#line(), this.#line(), this.#line(), this.#line()].join('\n'),
    });
  }

  #editThere(): void {
    const record = this.#pick(this.#service.records.values());
    if (record !== undefined) this.#writeThere(record, { query_string: this.#edited(record.query_string) });
  }

  #renameThere(): void {
    const record = this.#pick(this.#service.records.values());
    if (record !== undefined) this.#writeThere(record, { name: this.#name() });
  }

  #writeThere({ query_id, version, name, query_string }: SavedQuery, change: Partial<SavedQuery>): void {
    this.#service.update(query_id, {
      name,
      query_string,
      ...change,
      expected_version: version,
    } as SavedQueryUpdate);
  }

  /** Deletes a query on the service, as a person would, so the loss is deliberate. */
  #removeThere(): void {
    const record = this.#pick(this.#service.records.values());
    if (record !== undefined && this.#next(3) === 0) this.#service.remove(record.query_id);
  }

  #createHere(clone: Clone): void {
    const name = this.#name();
    const file = `${name.replace(' ', '-').toLowerCase()}.identity.sql`;
    const draft = {
      name,
      query_string: [this.#line(), this.#line()].join('\n'),
      model: 'm',
      description: '',
    };
    clone.files = new Map(clone.files).set(file, { file, draft, ids: {} });
  }

  #editHere(clone: Clone): void {
    const query = this.#pick(clone.files.values());
    if (query === undefined) return;
    const text = query.draft.query_string;
    const isMarked = /^<{7} /m.test(text);
    // Conflicts are resolved by keeping both sides.
    const settled = text
      .replaceAll(/^(?:<{7} .*|={7}|>{7} .*)\n/gm, '')
      .replaceAll(/^(?:<{7} .*|={7}|>{7} .*)$/gm, '');
    const edited = isMarked ? settled : this.#edited(text);
    const left = new Set(edited.split('\n'));
    for (const line of text.split('\n')) if (!left.has(line)) this.#takenOut.add(line);
    this.#setHere(clone, query, { query_string: edited });
  }

  #renameHere(clone: Clone): void {
    const query = this.#pick(clone.files.values());
    if (query !== undefined) this.#setHere(clone, query, { name: this.#name() });
  }

  #setHere(clone: Clone, query: QueryHere, change: Partial<Draft>): void {
    clone.files = new Map(clone.files).set(query.file, { ...query, draft: { ...query.draft, ...change } });
  }

  #removeHere(clone: Clone): void {
    const query = this.#pick(clone.files.values());
    if (query === undefined || this.#next(3) > 0) return;
    const left = new Map(clone.files);
    left.delete(query.file);
    clone.files = left;
  }

  #commit(clone: Clone, other?: Commit): void {
    this.#commits += 1;
    const ancestors = new Set([...(clone.head?.ancestors ?? []), ...(other?.ancestors ?? [])]);
    const commit: Commit = { number: this.#commits, files: clone.files, ancestors, clone };
    ancestors.add(commit);
    clone.head = commit;
  }

  /** Discards pulled changes that are not committed, like `git checkout`. */
  #discard(clone: Clone): void {
    if (this.#next(3) === 0) clone.files = clone.head?.files ?? new Map();
  }

  #share(clone: Clone): void {
    const isForward = this.#shared === undefined || clone.head?.ancestors.has(this.#shared) === true;
    if (isForward) this.#shared = clone.head;
  }

  /** Commits the files, and then merges the other clone's commits, like `git pull`. */
  #fetch(clone: Clone): void {
    const other = this.#shared;
    if (other === undefined || clone.head?.ancestors.has(other) === true) return;
    if (clone.head !== undefined && clone.files !== clone.head.files) this.#commit(clone);
    if (clone.head === undefined) {
      if (clone.files.size > 0) return;
      [clone.head, clone.files] = [other, other.files];
      return;
    }
    const merged = mergeFiles(baseOf(clone.head, other), clone.files, other.files);
    if (merged === undefined) return; // the person has not resolved the conflict in the index yet
    clone.files = merged;
    this.#commit(clone, other);
    this.counts.merges += 1;
  }

  #plan(clone: Clone, files: Files, choices: Choices) {
    const there = [...this.#service.records.values()].map(queryOf);
    const here = [...files.values()];
    const pairs = pairQueries({ queries: here, held: [] }, there, service);
    const plan = planQueries({
      ...pairs,
      choices,
      labels,
      historyOf: (query) => {
        const id = query.ids[service] ?? pairs.pairs.find((pair) => pair.here === query)?.there.id;
        return {
          ...clone.historyOf(
            ({ file, ids }) =>
              (ids[service] !== undefined && ids[service] === id) ||
              (file === query.file && (ids[service] ?? id) === id),
          ),
          isBornHere: clone.isBornHere(query.file),
        };
      },
      removedOf: ({ id }) => {
        const history = clone.historyOf(({ ids }) => ids[service] === id);
        return history.name.length === 0 ? undefined : history;
      },
      agreedOf: (id) => clone.agreed.get(id),
    });
    return { plan, pairs, there };
  }

  async #pull(clone: Clone): Promise<void> {
    const { plan, pairs } = this.#plan(clone, clone.files, noChoices);
    this.counts.conflicts += plan.items.filter(({ kind }) => kind === 'conflict').length;
    const folder = { queries: [...clone.files.values()], held: [], unlisted: [], files: new Map() };
    const changes = new FolderChanges({ folder, pairs }, service);
    for (const item of plan.items) await changes.take(item, () => Promise.resolve(undefined));
    const files = new Map(
      changes.entries().map(({ file, name, model, description, ids }) => {
        const text = changes.texts.get(file) ?? clone.files.get(file)?.draft.query_string ?? '';
        return [file, { file, ids, draft: { name, model, description, query_string: text } }] as const;
      }),
    );
    for (const { file, draft } of clone.files.values())
      this.#requireKept(draft.query_string, files.get(file)?.draft.query_string ?? '', clone, true);
    clone.files = files;
    clone.agreed = agreedAfterPull(
      { plan, pairs, hidden: new Set(), filesBefore: clone.filesBefore(), agreed: clone.agreed },
      changes.added,
    );
  }

  async #push(clone: Clone): Promise<void> {
    if (clone.head === undefined) return;
    const first = this.#plan(clone, clone.head.files, noChoices).plan;
    const choices = this.#choicesFor(first);
    const { plan } = this.#plan(clone, clone.head.files, choices);
    const writes = plan.items.filter(isWrite);
    const before = new Map(this.#service.records);
    this.#service.writes = 0;
    const faults = this.#next(4) === 0;
    this.#service.fault = () =>
      faults && this.#next(3) === 0 ? (this.#next(2) === 0 ? 'after' : 'before') : 'none';
    const pushed = await push(plan.items, { client: this.#service.client });
    this.#service.fault = () => 'none';
    this.counts.pushes += 1;
    this.counts.writes += this.#service.writes;
    assert.ok(this.#service.writes <= writes.length, this.#say('a push writes more than the plan says'));
    if (!faults)
      assert.ok(
        pushed.every(({ result }) => result.kind === 'done'),
        this.#say('a push does not do what the plan says'),
      );
    const agreed = new Map<string, Agreed>(clone.agreed);
    for (const { item, result } of pushed) {
      if (result.kind !== 'done') continue;
      const isNamed = item.kind === 'delete' || (item.kind === 'update' && item.isReplacing);
      const old = item.kind === 'create' ? undefined : before.get(item.there.id);
      const now = result.there === undefined ? undefined : this.#service.records.get(result.there.id);
      if (item.kind !== 'delete')
        for (const member of clientMembers)
          assert.equal(
            now?.[member],
            item.here.draft[member],
            this.#say('the service has another text than the plan'),
          );
      if (old !== undefined && !isNamed)
        this.#requireKept(old.query_string, now?.query_string ?? '', clone, false);
      if (result.there === undefined) continue;
      agreed.set(result.there.id, result.there);
      if (item.kind !== 'delete') this.#noteId(clone, item.here.file, result.there.id);
    }
    clone.agreed = agreed;
    if (!faults) {
      const left = this.#plan(clone, clone.head.files, noChoices).plan.items.filter(
        (item) => item.kind === 'update',
      );
      assert.deepEqual(left.map(nameOf), [], this.#say('a push leaves something to push'));
    }
  }

  #noteId(clone: Clone, file: string, id: string): void {
    const query = clone.files.get(file);
    if (query !== undefined && query.ids[service] !== id)
      clone.files = new Map(clone.files).set(file, { ...query, ids: { ...query.ids, [service]: id } });
  }

  #choicesFor({ items }: Plan): Choices {
    const some = items.filter(() => this.#next(2) === 0);
    const keyOf = (item: (typeof items)[number]) => nameKeyOf(nameOf(item));
    return {
      replaces: new Map(
        some.flatMap((item) =>
          item.kind === 'conflict' ? [[keyOf(item), item.there.version] as const] : [],
        ),
      ),
      deletes: new Map(
        some.flatMap((item) =>
          item.kind === 'deletedHere'
            ? [[keyOf(item), this.#next(2) === 0 ? item.there.version : undefined] as const]
            : [],
        ),
      ),
      restores: new Set(some.filter(({ kind }) => kind === 'deletedThere').map(keyOf)),
    };
  }

  /** Asserts that every line that a write removes is in a commit of the clone, or in the new text. */
  #requireKept(old: string, now: string, clone: Clone, isFile: boolean): void {
    const kept = new Set([...now.split('\n'), ...this.#takenOut]);
    const texts = [...(clone.head?.ancestors ?? [])].flatMap(({ files }) =>
      [...files.values()].map(({ draft }) => draft.query_string),
    );
    for (const text of isFile ? [...texts, ...this.#service.seen] : texts)
      for (const line of text.split('\n')) kept.add(line);
    for (const line of old.split('\n'))
      assert.ok(
        kept.has(line) || !line.startsWith('line '),
        this.#say(`${line} is lost by a ${isFile ? 'pull' : 'push'}`),
      );
  }

  #say(what: string): string {
    return `${what}; story ${this.#log.join(' ')}`;
  }
}

function baseOf(one: Commit, other: Commit): Files {
  const shared = [...one.ancestors].filter((commit) => other.ancestors.has(commit));
  return (
    shared.reduce<Commit | undefined>(
      (newest, each) => (newest === undefined || each.number > newest.number ? each : newest),
      undefined,
    )?.files ?? new Map()
  );
}

/** Merges files like Git, keeping both sides of overlaps. Undefined if the index has a conflict to resolve manually. */
function mergeFiles(base: Files, mine: Files, theirs: Files): Files | undefined {
  const merged = new Map<string, QueryHere>();
  for (const file of new Set([...mine.keys(), ...theirs.keys()])) {
    const [o, a, b] = [base.get(file), mine.get(file), theirs.get(file)];
    if (a === undefined || b === undefined) {
      const only = a ?? b;
      const isRemoved = o !== undefined && JSON.stringify(o.draft) === JSON.stringify(only?.draft);
      if (only !== undefined && !isRemoved) merged.set(file, only);
      continue;
    }
    const field = (member: 'name' | 'model' | 'description') =>
      a.draft[member] === o?.draft[member] ? b.draft[member] : a.draft[member];
    const text = mergeTexts({
      base: o?.draft.query_string ?? '',
      mine: a.draft.query_string,
      theirs: b.draft.query_string,
      labels,
    });
    const both = `${a.draft.query_string}\n${b.draft.query_string}`;
    const draft = {
      name: field('name'),
      model: field('model'),
      description: field('description'),
      query_string: text.kind === 'clean' ? text.text : both,
    };
    merged.set(file, { file, draft, ids: { ...b.ids, ...a.ids } });
  }
  const all = [...merged.values()];
  const areUnique = (keys: readonly (string | undefined)[]) => {
    const known = keys.filter((key) => key !== undefined);
    return new Set(known).size === known.length;
  };
  const isSound =
    areUnique(all.map(({ draft }) => nameKeyOf(draft.name))) && areUnique(all.map(({ ids }) => ids[service]));
  return isSound ? merged : undefined;
}
