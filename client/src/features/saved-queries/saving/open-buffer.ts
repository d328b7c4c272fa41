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

  noteDeleted(): void {
    this.reads.forget();
    this.filled = undefined;
  }
}
