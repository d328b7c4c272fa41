/**
 * The records of one saved query that the editor has read. The editor and extensions also read files without filling a
 * buffer, so a read alone proves nothing. A record filled the buffer if the buffer is clean and has exactly the same
 * text.
 */
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { isSameText } from './same-text.ts';

/** Maximum number of reads to keep until one is known to have filled the buffer. */
const keptReads = 4;

export class Reads {
  #records: readonly SavedQuery[] = [];

  /** Adds a record that the editor read and that may have filled the buffer. */
  note(record: SavedQuery): void {
    const others = this.#records.filter(({ version }) => version !== record.version);
    this.#records = [record, ...others].slice(0, keptReads);
  }

  /** Returns the newest record with this text. If a clean buffer has the text, this record filled it. */
  withText(text: string): SavedQuery | undefined {
    return newestOf(this.#records.filter((read) => isSameText(read.query_string, text)));
  }

  /** Returns the newest record, whether or not it filled a buffer. */
  newest(): SavedQuery | undefined {
    return newestOf(this.#records);
  }

  forget(): void {
    this.#records = [];
  }
}

/** Returns the newest version, as it was last read. */
function newestOf(records: readonly SavedQuery[]): SavedQuery | undefined {
  return records.reduce<SavedQuery | undefined>(
    (newest, read) => (newest === undefined || read.version > newest.version ? read : newest),
    undefined,
  );
}
