/** Finds the model and the saved query of a file: in its metadata beside it, or in the index of its folder. */
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { unreadableWords } from '#base/files/disk-messages.ts';
import { t } from '#base/texts.ts';
import { indexFile, metadataFileOf, queryEnding } from '../sync/format/layout.ts';
import { sayIndexProblem } from '../sync/format/problem-messages.ts';
import { parseIndex, parseMetadata, type IndexEntry } from '../sync/format/query-index.ts';
import type { ControlNote } from './control-result.ts';

type FolderIndex = ReadonlyMap<string, IndexEntry>;

/** Enough for the index of as many queries as a folder may have. */
const bytesMax = 64_000_000;

/** Finds files in indexes. Reads each index once. */
export class IndexEntries {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<FolderIndex | undefined>>();
  /** Unreadable indexes. The models of their files are unknown. */
  readonly problems: ControlNote[] = [];

  /** @param root the topmost folder to search for an index; reported file names are relative to it. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the entry of a file; undefined if it has none. */
  async of(file: string): Promise<IndexEntry | undefined> {
    if (!file.endsWith(queryEnding)) return undefined;
    const beside = await this.#text(metadataFileOf(file));
    if (beside !== undefined) {
      const parsed = parseMetadata(beside, path.basename(file));
      if ('entry' in parsed) return parsed.entry;
      const name = this.#nameOf(metadataFileOf(file));
      this.problems.push({ file: name, message: sayIndexProblem(parsed.problem, name) });
      return undefined;
    }
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const found = this.#folders.get(folder) ?? this.#read(folder);
      this.#folders.set(folder, found);
      const index = await found;
      if (index !== undefined)
        return index.get(path.relative(folder, file).split(path.sep).join('/').normalize('NFC'));
      if (folder === this.#root || path.dirname(folder) === folder) return undefined;
    }
  }

  async #read(folder: string): Promise<FolderIndex | undefined> {
    const target = path.join(folder, indexFile);
    const text = await this.#text(target);
    if (text === undefined) return undefined;
    const parsed = parseIndex(text);
    const name = this.#nameOf(target);
    for (const { problem } of 'problem' in parsed ? [parsed] : parsed.held)
      this.problems.push({ file: name, message: sayIndexProblem(problem, name) });
    return new Map(
      'problem' in parsed ? [] : parsed.entries.map((entry) => [entry.file.normalize('NFC'), entry]),
    );
  }

  #nameOf(target: string): string {
    return path.relative(this.#root, target).split(path.sep).join('/');
  }

  async #text(target: string): Promise<string | undefined> {
    try {
      const read = await readBounded(target, { maxBytes: bytesMax, within: path.dirname(target) });
      return read.toString('utf8');
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      if (error.code !== 'missing')
        this.problems.push({
          file: this.#nameOf(target),
          message: t('Cannot be read: {0}.', unreadableWords(error.cause) ?? error.message),
        });
      return undefined;
    }
  }
}
