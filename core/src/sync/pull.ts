/** Brings what changed on the service into the files: nothing is committed, and nothing is sent. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '../util/errors.ts';
import type { Draft } from '../saved-queries/merge-drafts.ts';
import type { AgreedStore } from './agreed-store.ts';
import type { Comparison } from './compare.ts';
import { attributesFile, attributesText, indexFile, pinsLineEnds } from './format/layout.ts';
import { writeIndex, type IndexEntry } from './format/query-index.ts';
import { FreePaths, pathKey } from './format/slugs.ts';
import { problemOfText, type TextProblem } from './format/text-bytes.ts';
import { writeFolder } from './folder/write-folder.ts';
import type { Agreed, QueryHere, QueryThere } from './plan/pair.ts';
import type { PlanItem } from './plan/plan.ts';
import type { Workspace } from './workspace.ts';

export interface PullOutcome {
  /** Paths of what was written, relative to the folder of queries. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Queries of the service that cannot be files. */
  readonly leftOut: readonly { readonly name: string; readonly problem: TextProblem }[];
}

export interface PullContext {
  readonly workspace: Workspace;
  readonly service: string;
  readonly store: AgreedStore;
  /** Further files to write, by path. */
  readonly beside?: ReadonlyMap<string, string> | undefined;
}

/** @throws SyncError before anything is written where the folder cannot be written to. */
export async function pull(comparison: Comparison, context: PullContext): Promise<PullOutcome> {
  const { workspace, service, store } = context;
  const changes = new FolderChanges(comparison, service);
  for (const item of comparison.plan.items) await changes.take(item, (file) => textAt(workspace, file));
  const writes = new Map<string, string>();
  const put = async (file: string, text: string) => {
    if ((await textAt(workspace, file)) !== text) writes.set(file, text);
  };
  const attributes = await textAt(workspace, attributesFile);
  if (attributes === undefined || !pinsLineEnds(attributes))
    writes.set(
      attributesFile,
      attributes === undefined ? attributesText : `${attributes.trimEnd()}\n${attributesText}`,
    );
  for (const [file, text] of changes.texts) await put(file, text);
  for (const [file, text] of context.beside ?? []) await put(file, text);
  // Last: a pull that is cut off leaves files that nothing names, and the next one takes them.
  await put(indexFile, writeIndex(changes.entries()));
  if (writes.size > 0 || changes.removed.length > 0)
    await writeFolder(workspace.root, { writes, removes: changes.removed });
  await keepAgreed(comparison, store);
  return { written: [...writes.keys()], removed: changes.removed, leftOut: changes.leftOut };
}

/** What both sides have from now on, or already had. */
async function keepAgreed({ plan, agreed, pairs }: Comparison, store: AgreedStore): Promise<void> {
  const next = new Map<string, Agreed>();
  const keep = (there: Agreed) => next.set(there.id, there);
  /** Until a commit has it, the first text stays where all here comes from. */
  const settle = (there: QueryThere, isNew: boolean) => {
    const before = agreed.get(there.id);
    const isStill = before?.isFirst === true && JSON.stringify(before.draft) === JSON.stringify(there.draft);
    keep(isNew || isStill ? { ...there, isFirst: true } : there);
  };
  for (const { there } of plan.same) settle(there, false);
  for (const item of plan.items) {
    if (!('there' in item) || item.there === undefined) continue;
    const isSettled = ['linked', 'changedThere', 'newThere', 'merge', 'update'].includes(item.kind);
    const before = agreed.get(item.there.id);
    if (isSettled) settle(item.there, item.kind === 'newThere');
    else if (before !== undefined) keep(before);
  }
  for (const { goneId } of pairs.onlyHere) {
    const before = goneId === undefined ? undefined : agreed.get(goneId);
    if (before !== undefined) keep(before);
  }
  const isSame =
    next.size === agreed.size &&
    [...next].every(([id, query]) => JSON.stringify(agreed.get(id)) === JSON.stringify(query));
  if (!isSame) await store.write(next);
}

async function textAt({ root }: Workspace, file: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(root, file))).toString('utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** The entries and texts that the folder is to have. */
class FolderChanges {
  readonly texts = new Map<string, string>();
  readonly removed: string[] = [];
  readonly leftOut: { name: string; problem: TextProblem }[] = [];
  readonly #entries = new Map<string, IndexEntry>();
  readonly #free: FreePaths;
  /** Files of queries that the index does not name, by how a file system tells paths apart. */
  readonly #unlisted: ReadonlyMap<string, string>;
  readonly #service: string;

  constructor({ folder, pairs }: Comparison, service: string) {
    this.#service = service;
    for (const { file, draft, ids } of folder.queries) this.#entries.set(file, entryOf(file, draft, ids));
    for (const { here, there } of pairs.pairs)
      this.#entries.set(here.file, this.#withId(here, here.draft, there));
    this.#unlisted = new Map(folder.unlisted.map((file) => [pathKey(file), file]));
    this.#free = new FreePaths(this.#entries.keys());
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
    const problem = problemOf(draft);
    if (problem !== undefined) {
      this.leftOut.push({ name: draft.name, problem });
      return;
    }
    this.#entries.set(here.file, this.#withId(here, draft, there));
    if (draft.query_string !== here.draft.query_string) this.texts.set(here.file, draft.query_string);
  }

  /** A file that nothing names is taken where it holds the text: a pull that was cut off left it. */
  async #add(there: QueryThere, textAt: (file: string) => Promise<string | undefined>): Promise<void> {
    const problem = problemOf(there.draft);
    if (problem !== undefined) {
      this.leftOut.push({ name: there.draft.name, problem });
      return;
    }
    for (;;) {
      const file = this.#free.take(there.draft.name);
      const present = this.#unlisted.get(pathKey(file));
      if (present !== undefined && (await textAt(present)) !== there.draft.query_string) continue;
      const place = present ?? file;
      this.#entries.set(place, entryOf(place, there.draft, { [this.#service]: there.id }));
      this.texts.set(place, there.draft.query_string);
      return;
    }
  }

  #withId(here: QueryHere, draft: Draft, there: QueryThere): IndexEntry {
    return entryOf(here.file, draft, { ...here.ids, [this.#service]: there.id });
  }
}

function entryOf(file: string, { name, model, description }: Draft, ids: IndexEntry['ids']): IndexEntry {
  return { file, name, model, description, ids };
}

function problemOf({ name, model, description, query_string }: Draft): TextProblem | undefined {
  return [name, model, description].every((text) => text.isWellFormed())
    ? problemOfText(query_string)
    : 'notUnicode';
}
