/**
 * One open saved query, and its state while open. First of all the base version of its text: a save names that version,
 * and nothing newer is ever overwritten unseen.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import {
  settledOn,
  type Conflict,
  type SaveState,
} from '../../../../../core/src/saved-queries/save-machine.ts';
import { AtMostEvery } from '../../../../../core/src/util/async/at-most-every.ts';
import { OpenBuffer } from './open-buffer.ts';
import type { Turn } from './turn.ts';

/** Minimum interval of automatic checks. */
const lookEveryMs = 30_000;

export interface OpenQueryOptions {
  readonly uri: vscode.Uri;
  readonly queryId: string;
  /** Its conflict appeared, disappeared or changed. */
  readonly onConflict: (query: OpenQuery) => void;
}

export class OpenQuery {
  readonly #options: OpenQueryOptions;
  #buffer: OpenBuffer;
  #state: SaveState;
  /** The newest version reported to the person. */
  toldVersion = 0;
  /** An automatic check for a newer version. */
  readonly looks = new AtMostEvery(lookEveryMs);
  isLooking = false;
  /** The version whose name its editor should get. */
  followedVersion: number | undefined;
  /** A colleague's version that the person was asked about. */
  askedVersion: number | undefined;
  /** A colleague's version whose merge the person undid. */
  declinedVersion: number | undefined;
  /** Requests, and changes of text with base. */
  turn: Turn | undefined;
  /** The last unfinished turn. */
  #running: Promise<unknown> | undefined;
  #restoring: Promise<void> | undefined;

  constructor(options: OpenQueryOptions) {
    this.#options = options;
    this.#buffer = new OpenBuffer(options.uri);
    this.#state = settledOn(unknownVersion(options.queryId));
  }

  get uri(): vscode.Uri {
    return this.#buffer.uri;
  }

  get buffer(): OpenBuffer {
    return this.#buffer;
  }

  /** Swaps the addresses of the two. */
  exchangeBuffers(other: OpenQuery): void {
    [this.#buffer, other.#buffer] = [other.#buffer, this.#buffer];
  }

  /** Settled, or in a conflict that waits for a person. */
  get state(): SaveState {
    return this.#state;
  }

  get conflict(): Conflict | undefined {
    return this.#state.kind === 'conflict' ? this.#state : undefined;
  }

  /** The base version of the text; undefined if unknown. */
  get base(): SavedQuery | undefined {
    const { base } = this.#state;
    return base.version === 0 ? undefined : base;
  }

  stand(state: SaveState): void {
    const before = this.#state;
    if (state.base !== before.base && state.base.version > 0) this.#buffer.reads.note(state.base);
    this.#state = state;
    if (before.kind === 'conflict' || state.kind === 'conflict') this.#options.onConflict(this);
  }

  /** The editor read this version, which is the text's base. */
  fill(record: SavedQuery): void {
    this.rebase(record);
    this.#buffer.noteFilled(record);
  }

  /** The base of the buffer's text changed without a read or save. */
  rebase(record: SavedQuery): void {
    this.stand(over(this.#state, record));
  }

  /** The query is deleted with all its versions. */
  noteDeleted(): void {
    this.#buffer.noteDeleted();
    this.stand(settledOn(unknownVersion(this.#options.queryId)));
  }

  get isInTurn(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the last turn has ended, successfully or not. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined); // its caller is told
  }

  /**
   * One at a time: each turn starts from the previous one's result.
   * @param onEnd called before waiting callers continue, so that its work comes next.
   */
  async inTurn<T>(take: () => Promise<T>, onEnd: (result: T) => void): Promise<T> {
    const run = (this.#running ?? Promise.resolve()).then(take, take).then((result) => {
      onEnd(result);
      return result;
    });
    this.#running = run;
    try {
      return await run;
    } finally {
      if (this.#running === run) this.#running = undefined;
    }
  }

  /** Saves wait for this: the base of unsaved edits is being looked up. */
  async restore(work: () => Promise<void>): Promise<void> {
    const run = work().finally(() => {
      this.#restoring = undefined;
    });
    this.#restoring = run.catch(() => undefined); // the caller is told; a missing base counts as unknown
    await run;
  }

  /** Resolves when the base lookup is complete. */
  async restored(): Promise<void> {
    await this.#restoring;
  }
}

/** Replaces another version. Undo entries stay valid while the text is the same. */
function over(state: SaveState, base: SavedQuery): SaveState {
  if (state.base === base) return state;
  if (state.base.query_string !== base.query_string) return settledOn(base);
  // A new name or model is a new version of the same text, possibly the one in conflict.
  const isSameVersion = state.base.version === base.version;
  return isSameVersion || state.kind === 'settled' ? { ...state, base } : settledOn(base);
}

/** Stands for a lost base: older than every version, so nothing is replaced unseen. */
function unknownVersion(queryId: string): SavedQuery {
  return { query_id: queryId, name: '', model: '', version: 0, query_string: '' };
}
