/**
 * The buffer of an open query at one address: what the editor read into it, and was told of its file. When the query gets
 * another address, another buffer takes its place.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { Reads } from '../../../../../core/src/saved-queries/reads.ts';
import { SwappedTexts } from './swapped-texts.ts';

export class OpenBuffer {
  readonly uri: vscode.Uri;
  readonly reads = new Reads();
  /** The version that the editor last read or saved; undefined where the buffer was brought back after a restart. */
  filled: SavedQuery | undefined;

  readonly swapped = new SwappedTexts();
  /** Its text while it has edits: what the editor takes away when it reverts them. */
  unsaved: string | undefined;
  /** The version that is kept on disk as the base of its edits. */
  archived: number | undefined;
  /** Whether it had a base, or one was looked for on disk since the editor brought it back. */
  isRestored = false;
  /** What `stat` or whoever opens it had to fetch, for the `readFile` that follows; milliseconds of a steady clock. */
  fetched: { readonly record: SavedQuery; readonly at: number } | undefined;
  /** What the editor was told of the file before it read a newer version than that, and takes for true until it asks again. */
  told: vscode.FileStat | undefined;
  /** The editor reads again only what looks changed, so each reload moves the time of the file a little. */
  reloads = 0;
  /** The text that the service holds already, while the editor saves it. */
  notSending: string | undefined;
  /** The version whose text is not quite what was sent: the service stores texts its own way. */
  storedOtherwise: { readonly sent: string; readonly record: SavedQuery } | undefined;
  /** Whether another buffer has taken over its edits. */
  isHandedOver = false;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }

  /** A save of the editor was answered: it is clean over this version, unless somebody typed or undid meanwhile. */
  noteFilled(record: SavedQuery): void {
    this.reads.note(record);
    this.filled = record;
  }

  /** It is clean and holds this text. @returns the version that filled it, where that is among the reads. */
  noteClean(text: string): SavedQuery | undefined {
    const read = this.reads.withText(text);
    if (read !== undefined) this.filled = read;
    return read;
  }

  /** Nothing that the editor was told of the file is true for when it opens it again. */
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
