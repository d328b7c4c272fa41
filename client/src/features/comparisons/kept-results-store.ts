/**
 * Stores results for later comparison as two local files each: the rows and their labels. The labels are written last,
 * so a result exists completely or not at all. Does not depend on the editor.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { isNumber, isText, listOf, shapeOf } from '#base/values/shapes.ts';
import type { ComparedSide } from '../results/index.ts';

export interface KeptResult {
  readonly id: string;
  readonly name: string;
  readonly words: ComparedSide;
  /** URI of the document that the rows came from. */
  readonly key: string;
  /** Time at which the rows were read and stored, in milliseconds since 1970. */
  readonly at: number;
  readonly keptAt: number;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly version?: { readonly query: string; readonly version: number } | undefined;
}

export const keptLimits = { results: 100, bytes: 2_000_000_000 } as const;

export class KeptResultsStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lists the results, newest first. Unreadable ones are omitted. */
  async list(): Promise<readonly KeptResult[]> {
    const files = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissingFile(error)) return [];
      throw error;
    });
    const all = await Promise.all(
      files.filter((file) => file.endsWith('.json')).map((file) => this.#read(file)),
    );
    return all.filter((one) => one !== undefined).sort((a, b) => b.keptAt - a.keptAt);
  }

  /** Returns the limit that has been reached, if any. */
  async full(): Promise<'results' | 'bytes' | undefined> {
    const all = await this.list();
    if (all.length >= keptLimits.results) return 'results';
    return all.reduce((sum, one) => sum + one.sizeBytes, 0) >= keptLimits.bytes ? 'bytes' : undefined;
  }

  /** @param write writes the rows to a new file. */
  async add(
    kept: Omit<KeptResult, 'id' | 'sizeBytes'>,
    write: (path: string) => Promise<unknown>,
  ): Promise<KeptResult> {
    await makePrivateFolder(this.#folder);
    const id = crypto.randomUUID();
    const rows = this.rowsPath({ id });
    try {
      await write(rows);
      const whole: KeptResult = { ...kept, id, sizeBytes: (await stat(rows)).size };
      await writePrivateFile(path.join(this.#folder, `${id}.json`), JSON.stringify(whole));
      return whole;
    } catch (error) {
      await rm(rows, { force: true });
      throw error;
    }
  }

  rowsPath({ id }: Pick<KeptResult, 'id'>): string {
    return path.join(this.#folder, `${id}.rows`);
  }

  async forget(results: readonly Pick<KeptResult, 'id'>[]): Promise<void> {
    for (const { id } of results) {
      await rm(path.join(this.#folder, `${id}.json`), { force: true });
      await rm(this.rowsPath({ id }), { force: true });
    }
  }

  async #read(file: string): Promise<KeptResult | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(path.join(this.#folder, file), 'utf8'));
      return isKept(value) && file === `${value.id}.json` ? value : undefined;
    } catch (error) {
      // Missing because another window deleted it, or damaged: treat it as absent.
      if (isMissingFile(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** The file may come from a different version of this class. */
const isKept = shapeOf<KeptResult>({
  ...{ id: isText, name: isText, key: isText },
  ...{ at: isNumber, keptAt: isNumber, rowCount: isNumber, sizeBytes: isNumber },
  words: shapeOf<ComparedSide>({ title: isText, facts: listOf(isText) }),
});
