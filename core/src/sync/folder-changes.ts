/** Determines the effect of a pull on a folder: index entries, files to write and files to remove. Does no I/O. */
import { nameKeyOf } from '../saved-queries/known-query.ts';
import type { Draft } from '../saved-queries/merge-drafts.ts';
import type { Comparison } from './compare.ts';
import { isEntry, type HeldEntry, type IndexEntry } from './format/query-index.ts';
import { FreePaths, pathKey } from './format/slugs.ts';
import { problemOfText, type LeftOutProblem } from './format/text-bytes.ts';
import type { QueryHere, QueryThere } from './plan/pair.ts';
import type { PlanItem } from './plan/plan.ts';

/** Collects the new index entries and file contents of the folder. */
export class FolderChanges {
  readonly texts = new Map<string, string>();
  readonly removed: string[] = [];
  /** New files by query ID. */
  readonly added = new Map<string, string>();
  readonly leftOut: { name: string; problem: LeftOutProblem }[] = [];
  readonly #entries = new Map<string, IndexEntry>();
  /** The name keys of the entries; undefined after a change. */
  #names: Set<string> | undefined;
  readonly #free: FreePaths;
  /** Entries that cannot be used; their lines and files are left as they are. */
  readonly held: readonly HeldEntry[];
  /** Where no folder can be made, by `pathKey`. */
  readonly #blocked: ReadonlySet<string>;
  /** Query files missing from the index, by `pathKey`. */
  readonly #unlisted: ReadonlyMap<string, string>;
  readonly #service: string;

  constructor({ folder, pairs }: Pick<Comparison, 'folder' | 'pairs'>, service: string) {
    this.#service = service;
    for (const { file, draft, ids } of folder.queries) this.#entries.set(file, entryOf(file, draft, ids));
    for (const { here, there } of pairs.pairs)
      this.#entries.set(here.file, this.#withId(here, here.draft, there));
    this.#unlisted = new Map(folder.unlisted.map((file) => [pathKey(file), file]));
    this.held = folder.held;
    const files = [...folder.files];
    this.#blocked = new Set(files.map(([file]) => pathKey(file)));
    const taken = files.filter(([, kind]) => kind !== 'file').map(([file]) => file);
    const heldFiles = this.held.flatMap(({ file }) => file ?? []);
    this.#free = new FreePaths([...this.#entries.keys(), ...heldFiles, ...taken]);
  }

  entries(): readonly IndexEntry[] {
    return [...this.#entries.values()];
  }

  async take(item: PlanItem, textAt: (file: string) => Promise<string | undefined>): Promise<void> {
    switch (item.kind) {
      case 'changedThere': {
        const { here, there, changed } = item;
        const taken = Object.fromEntries(changed.map((member) => [member, there.draft[member]]));
        this.#put(here, there, { ...here.draft, ...taken });
        break;
      }
      case 'merge':
      case 'conflict':
        this.#put(item.here, item.there, item.merged);
        break;
      case 'newThere':
        await this.#add(item.there, textAt);
        break;
      case 'remove':
        this.#entries.delete(item.here.file);
        this.#names = undefined;
        this.removed.push(item.here.file);
        break;
      case 'linked':
      case 'create':
      case 'update':
      case 'delete':
      case 'deletedHere':
      case 'deletedThere':
      case 'refused':
        break;
      default:
        item satisfies never;
    }
  }

  #put(here: QueryHere, there: QueryThere, draft: Draft): void {
    const entry = this.#withId(here, draft, there);
    const problem = problemOf(entry, draft);
    if (problem !== undefined) {
      this.leftOut.push({ name: draft.name, problem });
      return;
    }
    this.#entries.set(here.file, entry);
    this.#names = undefined;
    if (draft.query_string !== here.draft.query_string) this.texts.set(here.file, draft.query_string);
  }

  /** Adds a query. An unlisted file with the same text was left by an interrupted pull, so it is reused. */
  async #add(there: QueryThere, textAt: (file: string) => Promise<string | undefined>): Promise<void> {
    const ids = { [this.#service]: there.id };
    const names = (this.#names ??= new Set(
      [...this.entries(), ...this.held].flatMap(({ name }) => (name === undefined ? [] : [nameKeyOf(name)])),
    ));
    const key = nameKeyOf(there.draft.name);
    const problem =
      problemOf(entryOf('', there.draft, ids), there.draft) ?? (names.has(key) ? 'sameName' : undefined);
    if (problem !== undefined) {
      this.leftOut.push({ name: there.draft.name, problem });
      return;
    }
    names.add(key);
    for (;;) {
      const file = this.#free.take(there.draft.name);
      if (this.#isBlocked(file)) {
        this.leftOut.push({ name: there.draft.name, problem: 'place' });
        return;
      }
      const present = this.#unlisted.get(pathKey(file));
      if (present !== undefined && (await textAt(present)) !== there.draft.query_string) continue;
      const place = present ?? file;
      this.#entries.set(place, entryOf(place, there.draft, ids));
      this.texts.set(place, there.draft.query_string);
      this.added.set(there.id, place);
      return;
    }
  }

  #isBlocked(file: string): boolean {
    const parts = file.split('/');
    return parts.some((_part, at) => at > 0 && this.#blocked.has(pathKey(parts.slice(0, at).join('/'))));
  }

  #withId(here: QueryHere, draft: Draft, there: QueryThere): IndexEntry {
    return entryOf(here.file, draft, { ...here.ids, [this.#service]: there.id });
  }
}

function entryOf(file: string, { name, model, description }: Draft, ids: IndexEntry['ids']): IndexEntry {
  return { file, name, model, description, ids };
}

function problemOf(
  entry: IndexEntry,
  { name, model, description, query_string }: Draft,
): LeftOutProblem | undefined {
  if (![name, model, description].every((text) => text.isWellFormed())) return 'notUnicode';
  return isEntry(entry) ? problemOfText(query_string) : 'fields';
}
