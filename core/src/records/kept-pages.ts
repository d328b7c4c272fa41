/**
 * Stores the pages of a collection in a file as they are read, so that an interrupted read can resume. Each line
 * contains a page and the token of the next one. Stored pages are used only if the service still accepts the last token.
 */
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { pageTokenOf } from '#api/client/answers/page-token.ts';
import { isRecord } from '#api/client/answers/shape.ts';
import { ConflictError, NotFoundError, RejectedError } from '#api/client/errors.ts';
import { jsonText, parseJson } from '#api/client/json.ts';
import type { Page, PageToken } from '#api/contract/lists.ts';
import { readLines } from '#base/async/read-lines.ts';
import { FileRefusal, openPlain, refusedWords } from '#base/files/bounded-file.ts';
import { t } from '#base/texts.ts';
import { isNumber, isText, optional, shapeOf } from '#base/values/shapes.ts';
import { ExpectedError } from '../failures/failure.ts';
import type { ActivityWindow } from './activity-window.ts';
import type { RecordsFilter } from './records-filter.ts';

/** Older pages must not be mixed with new ones in a file that looks like one snapshot. */
const freshMs = 86_400_000;

interface Kept {
  readonly startedAt: number;
  readonly filter: RecordsFilter;
  /** Byte offset of the end of the last complete line. */
  readonly size: number;
  readonly rowCount: number;
  readonly next: PageToken | undefined;
  readonly isEmpty: boolean;
}

interface OpenOptions {
  readonly filter: RecordsFilter;
  readonly now: number;
  /** Whether to discard stored pages and start over. */
  readonly isAnew: boolean;
  /** Called when the service no longer accepts the last token, so reading starts over. */
  readonly onRestart: () => void;
}

export type ReadPage = (pageToken: PageToken | undefined) => Promise<Page<unknown>>;

export class KeptPages {
  readonly file: string;
  readonly #handle: FileHandle;
  readonly #onRestart: () => void;
  #kept: Kept;
  /** Reads the stored pages; undefined until the first page is requested. */
  #earlier: AsyncGenerator<string, void, undefined> | undefined;

  private constructor(file: string, handle: FileHandle, kept: Kept, onRestart: () => void) {
    this.#onRestart = onRestart;
    this.file = file;
    this.#handle = handle;
    this.#kept = kept;
  }

  /** @throws a file system error. */
  static async open(file: string, { filter, now, isAnew, onRestart }: OpenOptions): Promise<KeptPages> {
    const handle = await openOrMake(file);
    try {
      const kept = isAnew ? undefined : await keptIn(handle, now);
      const pages = new KeptPages(file, handle, kept ?? nothing(filter, now), onRestart);
      if (kept === undefined) await pages.#begin();
      else await handle.truncate(kept.size);
      return pages;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get startedAt(): number {
    return this.#kept.startedAt;
  }

  /** The stored pages' filter, which later pages must also use. */
  get filter(): RecordsFilter {
    return this.#kept.filter;
  }

  get rowCount(): number {
    return this.#kept.rowCount;
  }

  /** Returns the next page, either stored or from the service. */
  async read(pageToken: PageToken | undefined, ask: ReadPage): Promise<Page<unknown>> {
    if (this.#earlier === undefined) {
      await this.#tryToken(ask);
      this.#earlier = this.#lines();
    }
    const { value: line } = await this.#earlier.next();
    if (typeof line === 'string') return pageOf(line, this.file);
    return await this.#keep(await ask(pageToken));
  }

  /** Reads the items of the stored pages, before the first page is requested. */
  async *storedItems(): AsyncGenerator<readonly unknown[], void, undefined> {
    if (this.#kept.isEmpty) return;
    for await (const line of this.#lines()) yield pageOf(line, this.file).items;
  }

  /** Closes the file, keeping its pages; removes it if it has none. */
  async close(): Promise<void> {
    await this.#earlier?.return(undefined);
    await this.#handle.close();
    if (this.#kept.isEmpty) await rm(this.file, { force: true });
  }

  /** Removes the file after the target has been written. */
  async end(): Promise<void> {
    this.#kept = { ...this.#kept, isEmpty: true };
    await this.close();
  }

  /**
   * Asks whether the service still accepts the token of the page after the stored ones, and stores that page. Only the
   * page itself can tell, and only before the first stored one is used: otherwise reading starts over.
   */
  async #tryToken(ask: ReadPage): Promise<void> {
    const { next, isEmpty } = this.#kept;
    if (isEmpty || next === undefined) return;
    try {
      await this.#keep(await ask(next));
    } catch (error) {
      const isStale =
        error instanceof RejectedError || error instanceof NotFoundError || error instanceof ConflictError;
      if (!isStale) throw error;
      this.#kept = nothing(this.#kept.filter, this.#kept.startedAt);
      await this.#begin();
      this.#onRestart();
    }
  }

  async *#lines(): AsyncGenerator<string, void, undefined> {
    const { size } = this.#kept;
    const lines = readLines(this.#handle.createReadStream({ start: 0, end: size - 1, autoClose: false }));
    await lines.next(); // the header
    yield* lines;
  }

  async #begin(): Promise<void> {
    await this.#handle.truncate(0);
    const { startedAt, filter } = this.#kept;
    await this.#write({ startedAt, filter: { ...filter } });
  }

  /** Stores a page. An empty page before the last is not stored, because data is still being prepared. */
  async #keep(page: Page<unknown>): Promise<Page<unknown>> {
    const { items, nextPageToken, isPart } = page;
    if (items.length === 0 && nextPageToken !== undefined) return page;
    const rowCount = this.#kept.rowCount + items.length;
    await this.#write({ rowCount, next: nextPageToken, isPart, items });
    this.#kept = { ...this.#kept, rowCount, next: nextPageToken, isEmpty: false };
    return page;
  }

  async #write(line: object): Promise<void> {
    const bytes = Buffer.from(`${jsonText(line)}\n`);
    const { size } = this.#kept;
    for (let done = 0; done < bytes.length;)
      done += (await this.#handle.write(bytes, done, bytes.length - done, size + done)).bytesWritten;
    this.#kept = { ...this.#kept, size: size + bytes.length };
  }
}

function nothing(filter: RecordsFilter, startedAt: number): Kept {
  return { startedAt, filter, size: 0, rowCount: 0, next: undefined, isEmpty: true };
}

/** @throws ExpectedError if the file is no plain file, or belongs to another user. */
async function openOrMake(file: string): Promise<FileHandle> {
  let found: Awaited<ReturnType<typeof openPlain>>;
  try {
    found = await openPlain(file, { followsLinks: false, access: constants.O_RDWR });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    if (error.code === 'missing') return await open(file, 'wx+', 0o600);
    throw new ExpectedError(t('{0} cannot be read: {1}.', file, refusedWords(error)), [], { cause: error });
  }
  const { handle, facts } = found;
  if (process.getuid === undefined || facts.uid === process.getuid()) return handle;
  await handle.close();
  throw new ExpectedError(t('{0} belongs to another user. Choose another folder.', file));
}

/** @returns undefined if nothing can be resumed. */
async function keptIn(handle: FileHandle, now: number): Promise<Kept | undefined> {
  let size = 0;
  let first: string | undefined;
  let last: string | undefined;
  const stream = handle.createReadStream({ start: 0, autoClose: false });
  for await (const line of readLines(stream, { isLastWhole: true })) {
    size += Buffer.byteLength(line) + 1;
    if (first === undefined) first = line;
    else last = line;
  }
  try {
    const start = parseJson(first ?? '');
    const end = parseJson(last ?? '');
    if (!isRecord(start) || !isRecord(end)) return undefined;
    const { startedAt, filter } = start;
    const { rowCount, next } = end;
    if (typeof startedAt !== 'number' || typeof rowCount !== 'number' || !isFilter(filter)) return undefined;
    if (now - startedAt > freshMs || now < startedAt) return undefined;
    return { startedAt, filter, size, rowCount, next: pageTokenOf(next), isEmpty: false };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isFilter = shapeOf<RecordsFilter>({
  applicationInstanceId: optional(isText),
  window: optional(shapeOf<ActivityWindow>({ from: isNumber, to: isNumber })),
});

/** @throws ExpectedError if the line is not a page. */
function pageOf(line: string, file: string): Page<unknown> {
  try {
    const page = parseJson(line);
    if (isRecord(page) && Array.isArray(page['items'])) {
      const nextPageToken = pageTokenOf(page['next']);
      return {
        items: page['items'],
        ...(nextPageToken === undefined ? {} : { nextPageToken }),
        ...(page['isPart'] === true ? { isPart: true } : {}),
      };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ExpectedError(t('{0} is damaged. Delete it, then try again.', file));
}
