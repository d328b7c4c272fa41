/**
 * One open saved query, and everything that is known of it only while it is open. The first of that is which version
 * its text comes from: a save names that version, and nothing newer is ever overwritten unseen.
 */
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { OpenBuffer } from './open-buffer.ts';

export class OpenQuery {
  readonly buffer = new OpenBuffer();
  #base: SavedQuery | undefined;
  #restoring: Promise<void> | undefined;

  /** The version that the text comes from; undefined where that is not known. */
  get base(): SavedQuery | undefined {
    return this.#base;
  }

  /** The buffer is clean and holds this text: the newest read with the same text is its base. */
  noteClean(text: string): SavedQuery | undefined {
    const match = this.buffer.reads.withText(text);
    if (match !== undefined) {
      this.#base = match;
      this.buffer.filled = match;
    }
    return this.#base;
  }

  /** The editor was filled with this version, and its text comes from it. */
  fill(record: SavedQuery): void {
    this.rebase(record);
    this.buffer.filled = record;
  }

  /** The text in the buffer comes from another version now, though the editor has not saved or read it. */
  rebase(record: SavedQuery): void {
    this.buffer.reads.note(record);
    this.#base = record;
  }

  /** The text in the buffer comes from a version that is not known. */
  forgetBase(): void {
    this.#base = undefined;
  }

  /** The query is gone, and with it every version of it. */
  noteDeleted(): void {
    this.buffer.reads.forget();
    this.buffer.filled = undefined;
    this.#base = undefined;
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
