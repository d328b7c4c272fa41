/**
 * A story in the real editor: a user and a colleague edit the same saved query, saves overlap with everything else, and
 * the network fails. Each edit types a unique word, so a lost edit shows as a missing word.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { ConflictError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { partsOfAuthority } from '#base/files/authority.ts';
import { commands } from '#client/contributions.ts';
import { markedRegions } from '#core/saved-queries/merge-drafts.ts';
import { closeAllEditors, createQuery, setFaults, until, uriOf } from './support.ts';

const lines =
  'SELECT\n  id,\n  alias,\n  email,\n  enabled\nFROM accounts\nWHERE enabled\n  AND TRUE\nORDER BY id\nLIMIT 10';
const path = '/v1/query/saved-queries/*';

type Random = (below: number) => number;

/** The user's actions. Repeated entries are more likely. */
const actions = [
  'type', 'type', 'type', 'type', 'save', 'save', 'saveOwn', 'saveAll', 'saveTwice', 'saveTwice', 'saveAndType', 'saveUnder',
  'colleague', 'colleague', 'colleague', 'colleagueRenames', 'revert', 'takeTheirs', 'merge', 'saveMine', 'keepBoth', 'reload',
  'undo', 'redo', 'closeAndOpen', 'openAgain', 'rename', 'fail', 'fail', 'saveAndColleague',
] as const; // oxfmt-ignore
type Action = (typeof actions)[number];

/** The user's actions that discard words on purpose. */
const discarding: ReadonlySet<Action> = new Set([
  'revert',
  'takeTheirs',
  'undo',
  'redo',
  'closeAndOpen',
  'saveUnder',
]);

const failures: readonly Parameters<typeof setFaults>[0][] = [
  [{ method: 'PUT', path, script: [{ kind: 'drop' }] }],
  [{ method: 'PUT', path, script: [{ kind: 'drop-after' }] }],
  [{ method: 'PUT', path, script: [{ kind: 'drop-after' }, { kind: 'drop-after' }] }],
  [{ method: 'PUT', path, always: { kind: 'status', status: 412 } }],
  [{ method: 'PUT', path, always: { kind: 'not-taken' } }],
  [{ method: 'PUT', path, script: [{ kind: 'html' }] }],
  [{ method: 'PUT', path, script: [{ kind: 'truncate' }] }],
  [{ method: 'GET', path, script: [{ kind: 'status', status: 403 }] }],
  [{ path, always: { kind: 'latency', ms: 30 } }],
];

export interface StoryResult {
  readonly versions: number;
  readonly words: number;
  /** Typed words that are in no version and no editor, even though they were not discarded on purpose. */
  readonly lost: readonly string[];
  /** The colleague's words missing from a version that the user saved over them without having seen them. */
  readonly replacedUnseen: readonly string[];
  readonly done: readonly string[];
}

/** Creates a generator of seeded pseudo-random numbers (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export async function playStory(colleague: ServiceClient, seed: number, steps: number): Promise<StoryResult> {
  const story = new Story(colleague, randomOf(seed), await createQuery(colleague, lines));
  await story.open();
  for (let index = 0; index < steps; index += 1) await story.act();
  await story.finish();
  await story.forget();
  return story.result();
}

class Story {
  readonly #colleague: ServiceClient;
  readonly #random: Random;
  #query: SavedQuery;
  #words = 0;
  readonly #mine = new Set<string>();
  readonly #theirs = new Set<string>();
  readonly #givenUp = new Set<string>();
  /** Words that were closed without saving. Renaming the query may still carry them along for a moment. */
  readonly #closed = new Set<string>();
  /** The colleague's words that the user chose to replace. */
  readonly #chosen = new Set<string>();
  readonly #versions = new Map<number, ReadonlySet<string>>();
  readonly #replaced: string[] = [];
  readonly #lost = new Set<string>();
  readonly #done: string[] = [];

  constructor(colleague: ServiceClient, random: Random, query: SavedQuery) {
    this.#colleague = colleague;
    this.#random = random;
    this.#query = query;
    this.#versions.set(query.version, new Set());
  }

  async open(): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', uriOf(this.#query), { preview: false });
    await until('the query is open', () => this.#documents().length > 0);
  }

  async act(): Promise<void> {
    const action = actions[this.#random(actions.length)] ?? 'type';
    const before = this.#here();
    this.#done.push(action);
    await this.#do(action);
    await setFaults([]);
    await this.#look();
    const after = this.#here();
    if (discarding.has(action)) for (const word of before) if (!after.has(word)) this.#givenUp.add(word);
    for (const word of after) this.#givenUp.delete(word);
    this.#checkNothingIsLost();
  }

  /** Resolves conflicts and saves with a working network, then checks that the editor shows the newest version. */
  async finish(): Promise<void> {
    this.#done.push('finish');
    for (let turn = 0; turn < 20 && !(await this.#isInOrder()); turn += 1) {
      const document = this.#document();
      if (document !== undefined && !this.#isDirty(document)) await this.#settle(commands.savedQueryReload);
      await this.#keepBoth();
      await this.#saveMine();
      await this.#save();
      await this.#look();
    }
    const document = this.#document();
    assert.equal(
      document !== undefined && this.#isDirty(document),
      false,
      `what is in the editor cannot be saved: ${this.#done.join(', ')}`,
    );
    await until(
      () => `the editor shows what is saved after ${this.#done.join(', ')}`,
      () => this.#isInOrder(),
    );
    this.#checkNothingIsLost();
  }

  /** Looks up the editor on each call, since a rename replaces it. */
  async #isInOrder(): Promise<boolean> {
    const { query_string } = await this.#colleague.savedQueries.get(this.#query.query_id);
    const document = this.#document();
    return document === undefined || (!this.#isDirty(document) && document.getText() === query_string);
  }

  /** Deletes the query, so that the list does not grow with each story. */
  async forget(): Promise<void> {
    await closeAllEditors();
    await this.#colleague.savedQueries.delete(this.#query.query_id);
  }

  result(): StoryResult {
    return {
      versions: Math.max(...this.#versions.keys()),
      words: this.#words,
      lost: [...this.#lost],
      replacedUnseen: this.#replaced,
      done: this.#done,
    };
  }

  async #do(action: Action): Promise<void> {
    switch (action) {
      case 'type':
        await this.#type();
        return;
      case 'save':
        await this.#save();
        return;
      case 'saveOwn':
        await this.#saveOwn();
        return;
      case 'saveAll':
        await this.#saveAll();
        return;
      case 'saveTwice':
        await Promise.all([this.#anySave(), this.#anySave()]);
        return;
      case 'saveAndType':
        await Promise.all([this.#anySave(), this.#type(), this.#type()]);
        return;
      case 'saveUnder':
        await Promise.all([this.#anySave(), this.#inFront('undo')]);
        return;
      case 'saveAndColleague':
        await Promise.all([this.#anySave(), this.#colleagueTypes(), this.#anySave()]);
        return;
      case 'fail':
        await setFaults(failures[this.#random(failures.length)] ?? []);
        await Promise.all([this.#anySave(), this.#random(2) === 0 ? this.#anySave() : undefined]);
        return;
      case 'colleague':
        await this.#colleagueTypes();
        return;
      case 'colleagueRenames':
        await this.#colleagueSaves(() => ({ name: `Story ${crypto.randomUUID()}` }));
        return;
      case 'revert':
        await this.#inFront('workbench.action.files.revert');
        return;
      case 'takeTheirs':
        await this.#settle(commands.conflictTakeTheirs);
        return;
      case 'merge':
        await this.#settle(commands.conflictMerge);
        return;
      case 'saveMine':
        await this.#saveMine();
        return;
      case 'keepBoth':
        await this.#keepBoth();
        return;
      case 'reload':
        await this.#settle(commands.savedQueryReload);
        return;
      case 'undo':
      case 'redo':
        await this.#inFront(action);
        return;
      case 'closeAndOpen':
        for (const word of this.#here()) this.#closed.add(word);
        await this.#inFront('workbench.action.revertAndCloseActiveEditor');
        {
          await this.open();
          return;
        }
      case 'openAgain': {
        await this.open();
        return;
      }
      case 'rename':
        await vscode.commands.executeCommand(commands.savedQueryRename, {
          queryId: this.#query.query_id,
          name: `Story ${crypto.randomUUID()}`,
        });
        return;
      default:
        action satisfies never;
    }
  }

  async #anySave(): Promise<void> {
    const ways = [() => this.#save(), () => this.#saveOwn(), () => this.#saveAll()];
    await ways[this.#random(ways.length)]?.();
  }

  async #save(): Promise<void> {
    await this.#settle(commands.savedQuerySave);
  }

  async #saveOwn(): Promise<void> {
    await this.#document()?.save();
  }

  async #saveAll(): Promise<void> {
    await vscode.commands.executeCommand(commands.savedQuerySaveAll);
  }

  /** Runs a command on the query. The command itself reports any obstacles. */
  async #settle(command: string): Promise<void> {
    const document = this.#document();
    if (document !== undefined) await vscode.commands.executeCommand(command, document.uri);
  }

  async #saveMine(): Promise<void> {
    const document = this.#document();
    if (document === undefined) return;
    // After a rename, an editor that is closing has no lenses.
    const lenses = await vscode.commands
      .executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri)
      .then(
        (all) => all,
        () => [],
      );
    if (lenses.some(({ command }) => command?.command === commands.conflictSaveMine)) {
      const { query_string } = await this.#colleague.savedQueries.get(this.#query.query_id);
      const here = wordsOf(document.getText());
      for (const word of wordsOf(query_string)) if (!here.has(word)) this.#chosen.add(word);
    }
    await this.#settle(commands.conflictSaveMine);
  }

  async #keepBoth(): Promise<void> {
    for (;;) {
      const document = this.#document();
      const [region] = document === undefined ? [] : markedRegions(document.getText());
      if (document === undefined || region === undefined) return;
      const argument = { uri: document.uri.toString(), line: region.mine, side: 'both' };
      await vscode.commands.executeCommand(commands.conflictAcceptMarked, argument);
    }
  }

  /** Runs an editor command with the query in front. The command itself reports failures. */
  async #inFront(command: string): Promise<void> {
    if ((await this.#editorInFront()) === undefined) return;
    await Promise.resolve(vscode.commands.executeCommand(command)).catch(() => undefined);
  }

  /**
   * Types into the active editor. A background editor may be closing after a rename, and a user could not type there
   * either.
   */
  async #type(): Promise<void> {
    const editor = await this.#editorInFront();
    if (editor === undefined) return;
    const line = this.#random(editor.document.lineCount);
    const { text, range } = editor.document.lineAt(line);
    if (/^(<{7} |={7}$|>{7} )/.test(text)) return;
    const word = this.#newWord();
    // The edit fails if the text changed or the editor closed in the meantime. Such an edit does not count.
    const isTyped = await editor
      .edit((edit) => edit.insert(range.end, ` /* ${word} */`))
      .then(
        (isApplied) => isApplied,
        () => false,
      );
    if (isTyped) this.#mine.add(word);
  }

  /**
   * Returns the query's editor, bringing it to the front if necessary, or undefined if it was closed in the meantime.
   */
  async #editorInFront(): Promise<vscode.TextEditor | undefined> {
    const inFront = () => {
      const editor = vscode.window.activeTextEditor;
      return this.#documents().some((document) => document === editor?.document) ? editor : undefined;
    };
    const document = this.#document();
    if (inFront() === undefined && document !== undefined)
      await vscode.window.showTextDocument(document, { preview: false }).then(
        () => undefined,
        () => undefined,
      );
    return inFront();
  }

  async #colleagueTypes(): Promise<void> {
    const word = this.#newWord();
    this.#theirs.add(word);
    const line = this.#random(lines.split('\n').length);
    await this.#colleagueSaves(({ query_string }) => ({
      query_string: query_string
        .split('\n')
        .map((text, at) => (at === line ? `${text} /* ${word} */` : text))
        .join('\n'),
    }));
  }

  /** If the editor saves first, the colleague gets a conflict and gives up. */
  async #colleagueSaves(
    change: (record: SavedQuery) => { readonly name?: string; readonly query_string?: string },
  ): Promise<void> {
    const { savedQueries } = this.#colleague;
    const newest = await savedQueries.get(this.#query.query_id);
    const { name, query_string, version } = newest;
    const changed = { name, query_string, ...change(newest), expected_version: version };
    try {
      const record = await savedQueries.update(newest.query_id, changed);
      this.#versions.set(record.version, wordsOf(record.query_string));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  #newWord(): string {
    this.#words += 1;
    return `w${this.#words}x`;
  }

  /** Records new versions, and the words that each dropped from its predecessor. */
  async #look(): Promise<void> {
    const newest = await this.#colleague.savedQueries.get(this.#query.query_id);
    this.#query = newest;
    for (let version = 1; version <= newest.version; version += 1) {
      if (this.#versions.has(version)) continue;
      const text = version === newest.version ? newest.query_string : await this.#textOf(version);
      if (text === undefined) continue;
      this.#versions.set(version, wordsOf(text));
      const before = this.#versions.get(version - 1) ?? new Set();
      const gone = [...before].filter((word) => this.#theirs.has(word) && !wordsOf(text).has(word));
      this.#replaced.push(...gone.filter((word) => !this.#chosen.has(word)));
    }
  }

  /** Returns a version's text, or undefined if it cannot be opened. */
  async #textOf(version: number): Promise<string | undefined> {
    const uri = uriOf(this.#query).with({ scheme: 'identity-query-version', query: String(version) });
    return await vscode.workspace.openTextDocument(uri).then(
      (document) => document.getText(),
      () => undefined,
    );
  }

  #checkNothingIsLost(): void {
    const here = this.#here();
    const saved = [...this.#versions.values()];
    for (const word of this.#mine) {
      const isGivenUp = this.#givenUp.has(word) || this.#closed.has(word);
      const isThere = here.has(word) || saved.some((words) => words.has(word));
      if (!isThere && !isGivenUp) this.#lost.add(word);
      else this.#lost.delete(word);
    }
  }

  /** Returns the words in all editors of the query, which may also be open under an older name. */
  #here(): ReadonlySet<string> {
    return wordsOf(
      this.#documents()
        .map((document) => document.getText())
        .join('\n'),
    );
  }

  /** Returns the query's document, preferably one with edits. */
  #document(): vscode.TextDocument | undefined {
    const all = this.#documents();
    return all.find((document) => this.#isDirty(document)) ?? all[0];
  }

  #documents(): readonly vscode.TextDocument[] {
    const shown = new Set(tabs().map(({ uri }) => uri));
    return vscode.workspace.textDocuments.filter(
      ({ uri }) =>
        uri.scheme === 'identity-query' &&
        partsOfAuthority(uri.authority, 2)?.[1] === this.#query.query_id &&
        shown.has(uri.toString()),
    );
  }

  /** A tab reports unsaved changes correctly even after an edit during a save. */
  #isDirty(document: vscode.TextDocument): boolean {
    return document.isDirty || tabs().some(({ uri, isDirty }) => isDirty && uri === document.uri.toString());
  }
}

function tabs(): readonly { readonly uri: string; readonly isDirty: boolean }[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input, isDirty }) => {
      if (input instanceof vscode.TabInputText) return [{ uri: input.uri.toString(), isDirty }];
      return input instanceof vscode.TabInputTextDiff ? [{ uri: input.modified.toString(), isDirty }] : [];
    });
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\bw\d+x\b/g));
}
