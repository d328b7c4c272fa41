/**
 * The buffer of an open query at one address: its content, and the file state reported to the editor. A new address
 * gets a new buffer.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { Reads } from '../../../../../core/src/saved-queries/reads.ts';
import { SwappedTexts } from './swapped-texts.ts';

export class OpenBuffer {
  readonly uri: vscode.Uri;
  readonly reads = new Reads();
  /** The version the editor last read or saved; undefined for a restored buffer. */
  filled: SavedQuery | undefined;

  readonly swapped = new SwappedTexts();
  /** Its unsaved text, which a revert discards. */
  unsaved: string | undefined;
  /** The base version stored on disk. */
  archived: number | undefined;
  /** Whether it has had a base, or one has been looked for since it was restored. */
  isRestored = false;
  /** A record fetched by `stat` or an opener for the next `readFile`; milliseconds of a monotonic clock. */
  fetched: { readonly record: SavedQuery; readonly at: number } | undefined;
  /** The file state the editor knew before it read a newer version, and trusts until it asks again. */
  told: vscode.FileStat | undefined;
  /** The editor only rereads changed files, so each reload advances the file time slightly. */
  reloads = 0;
  /** The text the service already has, while the editor saves it. */
  notSending: string | undefined;
  /** A version whose text differs from what was sent: the service normalizes query text. */
  storedOtherwise: { readonly sent: string; readonly record: SavedQuery } | undefined;
  /** Whether another buffer took over its edits. */
  isHandedOver = false;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }

  /** A save got a response: the buffer is clean and based on this version, unless edited in the meantime. */
  noteFilled(record: SavedQuery): void {
    this.reads.note(record);
    this.filled = record;
  }

  /** It is clean with this text. @returns the version that filled it, if among the reads. */
  noteClean(text: string): SavedQuery | undefined {
    const read = this.reads.withText(text);
    if (read !== undefined) this.filled = read;
    return read;
  }

  /** Forgets the reported file state, for the next opening. */
  noteClosed(): void {
    this.swapped.forget();
    this.told = undefined;
    this.storedOtherwise = undefined;
    this.unsaved = undefined;
    this.archived = undefined;
    this.isRestored = false;
  }

  noteDeleted(): void {
    this.reads.forget();
    this.fetched = undefined;
    this.told = undefined;
    this.filled = undefined;
  }
}
