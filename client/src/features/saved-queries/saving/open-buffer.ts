/**
 * The buffer of an open query at one URI: its content, and what was read for it. A new URI gets a new buffer.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Reads } from '#core/saved-queries/reads.ts';
import { SwappedTexts } from './swapped-texts.ts';

export class OpenBuffer {
  readonly uri: vscode.Uri;
  readonly reads = new Reads();
  /** The version that the editor last read or saved; undefined for a restored buffer. */
  filled: SavedQuery | undefined;

  readonly swapped = new SwappedTexts();
  /** The unsaved text, which a revert discards. */
  unsaved: string | undefined;
  /** The base version that is stored on disk. */
  archived: number | undefined;
  /** Whether the buffer has had a base, or a base has been looked up since the buffer was restored. */
  isRestored = false;
  /** A record fetched by `stat` or an opener for the next `readFile`; `at` is in milliseconds of a monotonic clock. */
  fetched: { readonly record: SavedQuery; readonly at: number } | undefined;
  /**
   * Number of reloads. The editor only rereads files that have changed, so each reload advances the file time slightly.
   */
  reloads = 0;
  /** Text that the service already has, set while the editor saves it. */
  notSending: string | undefined;
  /** A version whose text differs from the text that was sent, because the service normalizes query text. */
  storedOtherwise: { readonly sent: string; readonly record: SavedQuery } | undefined;
  /** Whether another buffer has taken over the edits. */
  isHandedOver = false;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }

  /** Called after a successful save: unless edited in the meantime, the buffer is clean and based on this version. */
  noteFilled(record: SavedQuery): void {
    this.reads.note(record);
    this.filled = record;
  }

  /** Called when the buffer contains this text and has no unsaved changes. @returns the version with this text, if it was read. */
  noteClean(text: string): SavedQuery | undefined {
    const read = this.reads.withText(text);
    if (read !== undefined) this.filled = read;
    return read;
  }

  /** Resets what is known of the text for the next time the query is opened. */
  noteClosed(): void {
    this.swapped.forget();
    this.storedOtherwise = undefined;
    this.unsaved = undefined;
    this.archived = undefined;
    this.isRestored = false;
  }

  noteDeleted(): void {
    this.reads.forget();
    this.fetched = undefined;
    this.filled = undefined;
  }
}
