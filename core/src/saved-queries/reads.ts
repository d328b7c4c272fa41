/**
 * The records of one saved query that the editor read. Editor and extensions read a file more often than they fill a
 * buffer, so a read alone proves nothing: it filled the buffer if that is clean and contains exactly its text.
 */
import type { SavedQuery } from '../../../api/contract/saved-queries.ts';
import { isSameText } from './same-text.ts';

/** Maximum reads kept until one is known to have filled the buffer. */
const keptReads = 4;

export class Reads {
  #records: readonly SavedQuery[] = [];

  /** The editor read a record, which may have filled the buffer. */
  note(record: SavedQuery): void {
    const others = this.#records.filter(({ version }) => version !== record.version);
    this.#records = [record, ...others].slice(0, keptReads);
  }

  /** The newest with this text: it filled a clean buffer with that text. */
  withText(text: string): SavedQuery | undefined {
    return newestOf(this.#records.filter((read) => isSameText(read.query_string, text)));
  }

  /** The newest, whether or not it filled a buffer. */
  newest(): SavedQuery | undefined {
    return newestOf(this.#records);
  }

  forget(): void {
    this.#records = [];
  }
}

/** The newest version; if it was read several times, the latest read. */
function newestOf(records: readonly SavedQuery[]): SavedQuery | undefined {
  return records.reduce<SavedQuery | undefined>(
    (newest, read) => (newest === undefined || read.version > newest.version ? read : newest),
    undefined,
  );
}
