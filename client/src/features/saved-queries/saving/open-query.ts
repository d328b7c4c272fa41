/**
 * One open saved query, and everything that is known of it only while it is open. The first of that is which version
 * its text comes from: a save names that version, and nothing newer is ever overwritten unseen.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import {
  settledOn,
  type Conflict,
  type SaveState,
} from '../../../../../core/src/saved-queries/save-machine.ts';
import { AtMostEvery } from '../../../../../core/src/util/at-most-every.ts';
import { OpenBuffer } from './open-buffer.ts';
import type { Turn } from './turn.ts';

/** No query is asked about more often than this by itself. */
const lookEveryMs = 30_000;

export interface OpenQueryOptions {
  readonly uri: vscode.Uri;
  readonly queryId: string;
  /** Its conflict came, went, or is another one. */
  readonly onConflict: (query: OpenQuery) => void;
}

export class OpenQuery {
  readonly #options: OpenQueryOptions;
  #buffer: OpenBuffer;
  #state: SaveState;
  /** The newest version that a person was told of without asking. */
  toldVersion = 0;
  /** Looking whether there is a newer version, without being asked to. */
  readonly looks = new AtMostEvery(lookEveryMs);
  isLooking = false;
  /** The version whose name its editor was to get. */
  followedVersion: number | undefined;
  /** The version of somebody else that a person was asked about. */
  askedVersion: number | undefined;
  /** The version of somebody else whose merge a person took back. */
  declinedVersion: number | undefined;
  /** What asks the service for it, or changes its text together with where that comes from. */
  turn: Turn | undefined;
  /** The last turn that has not ended. */
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

  /** Each of the two is at the other's address from now on. */
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

  /** The version that the text comes from; undefined where that is not known. */
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

  /** The editor was filled with this version, and its text comes from it. */
  fill(record: SavedQuery): void {
    this.rebase(record);
    this.#buffer.noteFilled(record);
  }

  /** The text in the buffer comes from another version now, though the editor has not saved or read it. */
  rebase(record: SavedQuery): void {
    this.stand(over(this.#state, record));
  }

  /** The query is gone, and with it every version of it. */
  noteDeleted(): void {
    this.#buffer.noteDeleted();
    this.stand(settledOn(unknownVersion(this.#options.queryId)));
  }

  get isInTurn(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the last turn that was taken has ended, however. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined); // whoever took it hears of it
  }

  /**
   * One after another: each turn starts from what the one before left.
   * @param onEnd called before anybody who waits goes on, so that what it begins comes next.
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

  /** Whoever saves waits for this: the base of unsaved edits is being looked for. */
  async restore(work: () => Promise<void>): Promise<void> {
    const run = work().finally(() => {
      this.#restoring = undefined;
    });
    this.#restoring = run.catch(() => undefined); // told to whoever asked for it; a base that is not found is one that is not known
    await run;
  }

  /** Resolves when nothing more is being found out about the base. */
  async restored(): Promise<void> {
    await this.#restoring;
  }
}

/** Over another version than before. What undo goes back over stays so as long as the text is the same. */
function over(state: SaveState, base: SavedQuery): SaveState {
  if (state.base === base) return state;
  if (state.base.query_string !== base.query_string) return settledOn(base);
  // A new name or model is a new version of the same text; what a conflict is about may be it.
  const isSameVersion = state.base.version === base.version;
  return isSameVersion || state.kind === 'settled' ? { ...state, base } : settledOn(base);
}

/** Stands for the version of a text whose origin was lost: older than every version, so nothing is replaced unseen. */
function unknownVersion(queryId: string): SavedQuery {
  return { query_id: queryId, name: '', model: '', version: 0, query_string: '' };
}
