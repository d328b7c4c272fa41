/**
 * One open saved query and its state while open. Most important is the base version of its text: a save names that
 * version, so that nothing newer is ever overwritten unseen.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { AtMostEvery } from '#base/async/at-most-every.ts';
import { settledOn, type Conflict, type SaveState } from '#core/saved-queries/save-machine.ts';
import { OpenBuffer } from './open-buffer.ts';
import type { Turn } from './turn.ts';

/** Minimum interval between automatic checks. */
const lookEveryMs = 30_000;

export interface OpenQueryOptions {
  readonly uri: vscode.Uri;
  readonly queryId: string;
  /** Called when a conflict has appeared, disappeared or changed. */
  readonly onConflict: (query: OpenQuery) => void;
  /** Called when the base version has changed, or the last turn has ended. */
  readonly onSettled: () => void;
}

/** What the person was told, was asked and has decided; it goes with the text to another address. */
export interface Told {
  /** The newest version that the user was notified of. */
  version: number;
  /** The new name that the user was told of. */
  name?: string;
  /** A colleague's version that the user was asked about. */
  asked?: number;
  /** A colleague's version whose merge the user has undone. */
  declined?: number;
}

export class OpenQuery {
  readonly #options: OpenQueryOptions;
  readonly uri: vscode.Uri;
  readonly buffer = new OpenBuffer();
  #state: SaveState;
  told: Told = { version: 0 };
  /** Whether a notification about that version, or its merge, is open. */
  isNoticeOpen = false;
  /** The open notification about a save that failed. */
  failureNotice: Promise<void> | undefined;
  /** Limits the rate of automatic checks for a newer version. */
  looks = new AtMostEvery(lookEveryMs);
  isLooking = false;
  /** The version at which a document without edits could not be shown at its new address. */
  stuckVersion: number | undefined;
  /** The version that was looked for because of its name. */
  followedVersion: number | undefined;
  /** The current turn: a request, or a change to the text and its base. */
  turn: Turn | undefined;
  /** The last turn that has not ended. */
  #running: Promise<unknown> | undefined;
  #restoring: Promise<void> | undefined;

  constructor(options: OpenQueryOptions) {
    this.#options = options;
    this.uri = options.uri;
    this.#state = settledOn(unknownVersion(options.queryId));
  }

  /** Settled, or in a conflict that waits for the user. */
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
    if (state.base !== before.base && state.base.version > 0) this.buffer.reads.note(state.base);
    this.#state = state;
    if (before.kind === 'conflict' || state.kind === 'conflict') this.#options.onConflict(this);
    if (state.base.version !== before.base.version) this.#options.onSettled();
  }

  /** Called when the editor has read this version, which becomes the base. */
  fill(record: SavedQuery): void {
    this.rebase(record);
    this.buffer.noteFilled(record);
  }

  /** Called when the base of the buffer's text has changed without a read or save. */
  rebase(record: SavedQuery): void {
    this.stand(over(this.#state, record));
  }

  /** Called when the query was deleted with all its versions. */
  noteDeleted(): void {
    this.buffer.noteDeleted();
    this.stand(settledOn(unknownVersion(this.#options.queryId)));
  }

  get isInTurn(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the last turn has ended, successfully or not. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined); // the caller handles the error
  }

  /**
   * Runs one turn at a time, each starting from the result of the previous one.
   * @param onEnd called before pending callers continue, so that its own work comes first.
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
      if (this.#running === run) {
        this.#running = undefined;
        this.#options.onSettled();
      }
    }
  }

  /** Looks up the base of unsaved edits. Saves wait until it is done. */
  async restore(work: () => Promise<void>): Promise<void> {
    const run = work().finally(() => {
      this.#restoring = undefined;
    });
    this.#restoring = run.catch(() => undefined); // the caller handles the error; a missing base counts as unknown
    await run;
  }

  /** Resolves when the base lookup is complete. */
  async restored(): Promise<void> {
    await this.#restoring;
  }
}

/** Replaces the base. Undo entries stay valid as long as the text is the same. */
function over(state: SaveState, base: SavedQuery): SaveState {
  if (state.base === base) return state;
  if (state.base.query_string !== base.query_string) return settledOn(base);
  // A new name or model creates a new version with the same text, which may be the version we conflict with.
  const isSameVersion = state.base.version === base.version;
  return isSameVersion || state.kind === 'settled' ? { ...state, base } : settledOn(base);
}

/** Returns a stand-in for a lost base: older than every version, so that nothing is overwritten unseen. */
function unknownVersion(queryId: string): SavedQuery {
  return { query_id: queryId, name: '', model: '', version: 0, query_string: '' };
}
