/**
 * The records of one saved query that were handed to the editor. The editor and other extensions read a file more often
 * than they fill a buffer from it, so a read alone proves nothing: it filled the buffer where that is clean and holds
 * exactly its text.
 */
import type { SavedQuery } from '../../../api/contract/saved-queries.ts';
import { isSameText } from './same-text.ts';

/** Reads kept while it is not known which of them filled the buffer. */
const keptReads = 4;

export class Reads {
  #records: readonly SavedQuery[] = [];

  /** A record was handed to the editor; it may or may not have filled the buffer. */
  note(record: SavedQuery): void {
    const others = this.#records.filter(({ version }) => version !== record.version);
    this.#records = [record, ...others].slice(0, keptReads);
  }

  /** The newest with this text: what filled a clean buffer that holds it. */
  withText(text: string): SavedQuery | undefined {
    return newestOf(this.#records.filter((read) => isSameText(read.query_string, text)));
  }

  /** The newest, whether or not a buffer came from it. */
  newest(): SavedQuery | undefined {
    return newestOf(this.#records);
  }

  forget(): void {
    this.#records = [];
  }
}

/** Of the same version, the one that was read last. */
function newestOf(records: readonly SavedQuery[]): SavedQuery | undefined {
  return records.reduce<SavedQuery | undefined>(
    (newest, read) => (newest === undefined || read.version > newest.version ? read : newest),
    undefined,
  );
}
