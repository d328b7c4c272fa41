/**
 * Which version of a saved query the text in an editor came from. The editor and other extensions read a file more
 * often than they fill a buffer from it, so a read alone proves nothing: a read becomes the base when the buffer is
 * clean and holds exactly its text. A save names the base's version, and nothing newer is ever overwritten unseen.
 */
import type { SavedQuery } from '../../../api/contract/saved-queries.ts';

/** Reads kept for each query while it is not known which of them filled the buffer. */
const keptReads = 4;

export class Bases {
  readonly #reads = new Map<string, SavedQuery[]>();
  readonly #bases = new Map<string, SavedQuery>();
  readonly #filled = new Map<string, SavedQuery>();
  readonly #restoring = new Map<string, Promise<void>>();

  /** Notes a record that was handed to the editor; it may or may not have filled the buffer. */
  noteRead(key: string, record: SavedQuery): void {
    const reads = this.#reads.get(key) ?? [];
    this.#reads.set(
      key,
      [record, ...reads.filter((read) => read.version !== record.version)].slice(0, keptReads),
    );
  }

  /** The buffer is clean and holds this text: the newest read with the same text is its base. */
  noteClean(key: string, text: string): SavedQuery | undefined {
    const match = this.#reads
      .get(key)
      ?.filter((read) => isSameText(read.query_string, text))
      .reduce<SavedQuery | undefined>(
        (newest, read) => (newest === undefined || read.version > newest.version ? read : newest),
        undefined,
      );
    if (match !== undefined) {
      this.#bases.set(key, match);
      this.#filled.set(key, match);
    }
    return this.#bases.get(key);
  }

  /** The editor was filled with this version, and its text comes from it. */
  set(key: string, record: SavedQuery): void {
    this.rebase(key, record);
    this.#filled.set(key, record);
  }

  /** A save of the editor was answered: it is clean over this version, unless somebody typed or undid meanwhile. */
  noteFilled(key: string, record: SavedQuery): void {
    this.noteRead(key, record);
    this.#filled.set(key, record);
  }

  /** The text in the buffer comes from another version now, though the editor has not saved or read it. */
  rebase(key: string, record: SavedQuery): void {
    this.noteRead(key, record);
    this.#bases.set(key, record);
  }

  /** The text in the buffer comes from a version that is not known. */
  forgetBase(key: string): void {
    this.#bases.delete(key);
  }

  /** Whoever saves waits for this: the base of unsaved edits is being looked for. Never rejects. */
  async restore(key: string, work: () => Promise<void>): Promise<void> {
    const run = work().finally(() => this.#restoring.delete(key));
    this.#restoring.set(
      key,
      run.catch(() => undefined), // told to whoever asked for it; a base that is not found is one that is not known
    );
    await run;
  }

  /** Resolves when nothing more is being found out about the base of a buffer. */
  async settled(key: string): Promise<void> {
    await this.#restoring.get(key);
  }

  /** The version that the editor last read or saved; undefined where the buffer was brought back after a restart. */
  filled(key: string): SavedQuery | undefined {
    return this.#filled.get(key);
  }

  get(key: string): SavedQuery | undefined {
    return this.#bases.get(key);
  }

  /** The newest record seen, whether or not a buffer came from it. */
  latestRead(key: string): SavedQuery | undefined {
    return this.#reads.get(key)?.reduce((newest, read) => (read.version > newest.version ? read : newest));
  }

  forget(key: string): void {
    this.#reads.delete(key);
    this.#bases.delete(key);
    this.#filled.delete(key);
  }
}

/** The editor normalises mixed line ends and hides a byte order mark; neither makes a text another one. */
export function isSameText(a: string, b: string): boolean {
  return a === b || plainText(a) === plainText(b);
}

/** A text as it is told apart from others: without what the editor changes by itself. */
export function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
