/**
 * The state that both sides shared after the last pull or push in this clone, which is the base of later edits. Stored
 * with the user's local data, never in the repository. Without it, only Git's history determines the base, and more
 * questions are asked.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { diskWords } from '#base/files/disk-messages.ts';
import { t } from '#base/texts.ts';
import { isNumber, isText, optional, shapeOf } from '#base/values/shapes.ts';
import { Facts } from '../memory/facts.ts';
import type { Memory } from '../memory/memory.ts';
import type { Agreed } from './plan/pair.ts';
import { SyncError } from './sync-error.ts';

/** By ID on the service. */
export type AgreedQueries = ReadonlyMap<string, Agreed>;

export class AgreedStore {
  readonly memory: Memory;
  readonly lockFile: string;

  /**
   * Whether work goes on where local data cannot be written, as in a container of CI, which ends after it and shares its
   * folder with nobody.
   */
  readonly isOptional: boolean;
  readonly #queries: Facts<Agreed>;

  /** @param root the query folder. @param service the result of `serviceKeyOf`. */
  constructor(memory: Memory, root: string, service: string, isOptional = false) {
    this.memory = memory;
    this.isOptional = isOptional;
    const scope = createHash('sha256').update(`${root}\n${service}`).digest('hex').slice(0, 32);
    this.lockFile = path.join(memory.folder, 'sync', `${scope}.lock`);
    this.#queries = new Facts(memory, { noun: 'agreed queries', scope, parse: agreedIn });
  }

  /** If a fact is missing, the user is asked again. */
  async read(): Promise<AgreedQueries> {
    return await this.#queries.all();
  }

  async write(agreed: AgreedQueries): Promise<void> {
    await this.ifWritable(() =>
      this.#queries.change((rows) => {
        for (const id of rows.all().keys()) if (!agreed.has(id)) rows.delete(id);
        for (const [id, query] of agreed) rows.put(id, query);
      }),
    );
  }

  /** Does work with local data. @returns undefined where it cannot be written and need not be. @throws SyncError */
  async ifWritable<Result>(work: () => Result): Promise<Awaited<Result> | undefined> {
    try {
      return await work();
    } catch (error) {
      const told = dataNotWritable(this.memory.folder, error);
      if (this.isOptional && told !== undefined) return undefined;
      throw told ?? error;
    }
  }
}

/** Names the folder: without a home that can be written, as in many containers, the variable is the remedy. */
function dataNotWritable(folder: string, cause: unknown): SyncError | undefined {
  const words = diskWords(cause);
  if (words === undefined) return undefined;
  return new SyncError(
    'notWritable',
    t(
      '"{0}" cannot be written: {1}. Set XDG_DATA_HOME to a folder for local data that can be written.',
      folder,
      words,
    ),
    [],
    { cause },
  );
}

const isDraft = shapeOf<Agreed['draft']>({
  ...{ name: isText, model: isText, description: isText, query_string: isText },
});
const isAgreed = shapeOf<Agreed>({
  ...{ id: isText, version: isNumber, draft: isDraft, here: optional(isDraft) },
});
const agreedIn = (value: unknown): Agreed | undefined => (isAgreed(value) ? value : undefined);
