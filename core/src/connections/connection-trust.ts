/**
 * Which entries of a folder's connections file the person accepted, for programs without an editor. An answer belongs
 * to the digest of the file's place and the whole entry, so that any change revokes it. Kept beside the person's own
 * connections.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { FileRefusal, readBoundedText } from '#base/files/bounded-file.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { canonicalJson } from '../rows/canonical-json.ts';

/** Returns the digest that an answer belongs to. @param file the real path of the file. */
export function digestOfEntry(file: string, entry: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([file, entry]))
    .digest('hex');
}

/** The file of the answers. */
export const trustName = 'trusted-connections.json';
const maxBytes = 1_048_576;
/** The oldest answers are dropped first. */
const answersMax = 1_000;

export class ConnectionTrust {
  readonly #file: string;

  /** @param ownFile the person's own connections file. */
  constructor(ownFile: string) {
    this.#file = path.join(path.dirname(ownFile), trustName);
  }

  get file(): string {
    return this.#file;
  }

  /** Returns the accepted digests; none if there is no readable list. */
  async accepted(): Promise<ReadonlySet<string>> {
    try {
      const value: unknown = JSON.parse(await readBoundedText(this.#file, { maxBytes }));
      return new Set(Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);
    } catch (error) {
      // An unreadable list accepts nothing, and is written again with the next answer.
      if (error instanceof FileRefusal || error instanceof SyntaxError || error instanceof TypeError)
        return new Set();
      throw error;
    }
  }

  async accept(digests: readonly string[]): Promise<void> {
    const all = new Set([...(await this.accepted()), ...digests]);
    await makePrivateFolder(path.dirname(this.#file));
    await writePrivateFile(this.#file, `${JSON.stringify([...all].slice(-answersMax), undefined, 2)}\n`);
  }
}
