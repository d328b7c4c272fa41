/** The buffer of an open query: its content, and what was read for it. */
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Reads } from '#core/saved-queries/reads.ts';
import { SwappedTexts } from './swapped-texts.ts';

/** What is in the buffer. */
export type BufferState =
  /** New, closed, or restored: the base of edits is to be looked up. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'clean' }
  /** `text` is what a revert discards, `archived` the version of the base on disk: 0 if that is looked up there. */
  | { readonly kind: 'edited'; readonly text: string; readonly archived: number | undefined };

/** `base` is the base version of the text, if it is known. */
export type BufferEvent =
  | { readonly kind: 'edited'; readonly text: string; readonly base: SavedQuery | undefined }
  | { readonly kind: 'clean'; readonly base: SavedQuery | undefined }
  | { readonly kind: 'closed' };

/** What to do with the base on disk. */
export type BufferEffect =
  | { readonly kind: 'lookUp' }
  | { readonly kind: 'keep'; readonly base: SavedQuery }
  | { readonly kind: 'drop' };

export function stepBuffer(
  state: BufferState,
  event: BufferEvent,
): readonly [BufferState, BufferEffect | undefined] {
  const archived = state.kind === 'edited' ? state.archived : undefined;
  if (event.kind === 'edited') {
    const { text, base } = event;
    if (base !== undefined && base.version !== archived)
      return [
        { kind: 'edited', text, archived: base.version },
        { kind: 'keep', base },
      ];
    if (base === undefined && state.kind === 'unknown')
      return [{ kind: 'edited', text, archived: 0 }, { kind: 'lookUp' }];
    return [{ kind: 'edited', text, archived }, undefined];
  }
  const isUnknown = event.kind === 'closed' || (event.base === undefined && state.kind === 'unknown');
  return [{ kind: isUnknown ? 'unknown' : 'clean' }, archived === undefined ? undefined : { kind: 'drop' }];
}

/** A save by the editor that sends nothing. */
export type LocalSave =
  /** The service already has this text. */
  | { readonly kind: 'there'; readonly text: string }
  /** Another buffer has taken over the text. */
  | { readonly kind: 'handedOver' };

export class OpenBuffer {
  readonly reads = new Reads();
  /** The version that the editor last read or saved; undefined for a restored buffer. */
  filled: SavedQuery | undefined;

  /** Whether the last edit was undone, which a document at another address could not do again. */
  isUndone = false;
  readonly swapped = new SwappedTexts();
  #state: BufferState = { kind: 'unknown' };
  /** A record fetched by `stat` or an opener for the next `readFile`; `at` is in milliseconds of a monotonic clock. */
  fetched: { readonly record: SavedQuery; readonly at: number } | undefined;
  /**
   * Number of reloads. The editor only rereads files that have changed, so each reload advances the file time slightly.
   */
  reloads = 0;
  /** A version whose text differs from the text that was sent, because the service normalizes query text. */
  storedOtherwise: { readonly sent: string; readonly record: SavedQuery } | undefined;
  /** The saves under way that send nothing. */
  readonly localSaves = new Set<LocalSave>();

  /** The unsaved text. */
  get unsaved(): string | undefined {
    return this.#state.kind === 'edited' ? this.#state.text : undefined;
  }

  take(event: BufferEvent): BufferEffect | undefined {
    const [state, effect] = stepBuffer(this.#state, event);
    this.#state = state;
    return effect;
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
    this.isUndone = false;
    this.storedOtherwise = undefined;
    this.take({ kind: 'closed' });
  }

  noteDeleted(): void {
    this.reads.forget();
    this.fetched = undefined;
    this.filled = undefined;
  }
}
