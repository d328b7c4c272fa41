/**
 * Saves packed rows to disk without loss: JSON with the columns, followed by the compressed chunks. Writes to a
 * temporary file, which is renamed once complete.
 */
import { open, rm, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { draftEnding } from '#base/files/draft-ending.ts';
import { putInPlace } from '#base/files/private-file.ts';
import { t } from '#base/texts.ts';
import type { CallContext } from '../calls.ts';
import type { Chunk, ColumnChunk } from '../packed-rows.ts';
import type { StoreColumn } from '../rows.ts';
import { ResultStore } from '../store/result-store.ts';
import { RowsFileError } from './rows-file-error.ts';
import type { RowsFileSource } from './rows-file-source.ts';

const compress = promisify(gzip);
const uncompress = promisify(gunzip);
const magic = 'IQROWS1\n';

interface Head {
  readonly columns: readonly StoreColumn[];
  readonly rowCount: number;
}

/** @returns the size of the file in bytes. */
export async function keepRows(store: ResultStore, path: string, context: CallContext): Promise<number> {
  const beside = `${path}.${draftEnding()}`;
  const file = await KeptRowsFile.create(beside, store.columns);
  try {
    for (const chunk of store.source.chunks) {
      await file.write(chunk);
      context.progress(file.rowCount);
      await context.pause();
    }
    const size = await file.finish();
    await putInPlace(beside, path);
    return size;
  } catch (error) {
    await file.close();
    await rm(beside, { force: true });
    throw error;
  }
}

/** Digits of any number of rows. */
const countDigits = 16;

/** Writes such a file while its rows arrive. The caller renames it once it is complete. */
export class KeptRowsFile {
  readonly #handle: FileHandle;
  readonly #columns: readonly StoreColumn[];
  #rowCount = 0;
  #sizeBytes = 0;
  #isClosed = false;

  private constructor(handle: FileHandle, columns: readonly StoreColumn[]) {
    this.#handle = handle;
    this.#columns = columns;
  }

  static async create(path: string, columns: readonly StoreColumn[]): Promise<KeptRowsFile> {
    const file = new KeptRowsFile(await open(path, 'wx', 0o600), columns);
    await file.#write(Buffer.from(magic));
    await file.#write(file.#head());
    return file;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async write(chunk: Chunk): Promise<void> {
    await this.#write(block(await compress(packed(chunk), { level: 1 })));
    this.#rowCount += chunk.rowCount;
  }

  /** @returns the size of the file in bytes. */
  async finish(): Promise<number> {
    const head = this.#head();
    await this.#handle.write(head, 0, head.length, magic.length);
    await this.close();
    return this.#sizeBytes;
  }

  /** Closes the file, even if it is incomplete. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#handle.close();
  }

  /** The number of rows is known last, so the head has room for it. */
  #head(): Buffer {
    const count = String(this.#rowCount);
    const head: Head = { columns: this.#columns, rowCount: this.#rowCount };
    return block(Buffer.from(JSON.stringify(head) + ' '.repeat(countDigits - count.length)));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#handle.appendFile(bytes);
    this.#sizeBytes += bytes.length;
  }
}

/** @throws RowsFileError if the file was not written by `keepRows` or is incomplete. */
export async function readKeptRows(
  { path, rowLimit }: Pick<RowsFileSource, 'path' | 'rowLimit'>,
  context: CallContext,
): Promise<{ readonly store: ResultStore; readonly isCut: boolean }> {
  const handle = await open(path, 'r');
  let at = 0;
  const read = async (length: number) => {
    const bytes = Buffer.from(new ArrayBuffer(length));
    const { bytesRead } = await handle.read(bytes, 0, length, at);
    if (bytesRead !== length) throw new RowsFileError(t('The kept rows file is incomplete.'));
    at += length;
    return bytes;
  };
  const { size } = await handle.stat();
  const readBlock = async () => {
    const length = (await read(4)).readUInt32LE(0);
    if (length > size) throw new RowsFileError(t('The kept rows file is damaged.'));
    return await read(length);
  };
  try {
    if (size < magic.length || (await read(magic.length)).toString() !== magic)
      throw new RowsFileError(t('This is not a kept rows file.'));
    const head = JSON.parse((await readBlock()).toString()) as Head; // written by keepRows, per its first line
    const store = new ResultStore(head.columns);
    while (store.rowCount < Math.min(head.rowCount, rowLimit)) {
      store.append(unpacked(await uncompress(await readBlock()), head.columns.length));
      context.progress(store.rowCount);
      await context.pause();
    }
    return { store, isCut: head.rowCount > store.rowCount };
  } finally {
    await handle.close();
  }
}

function block(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * Serializes a chunk: the four buffers of each column with length prefixes. A missing buffer has the length 0xffffffff.
 */
function packed({ rowCount, columns }: Chunk): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(rowCount);
  const parts = columns.flatMap(({ tags, numbers, bytes, offsets }) =>
    [tags, numbers, bytes, offsets].map((buffer) => {
      if (buffer === undefined) return missing;
      return block(Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength));
    }),
  );
  return Buffer.concat([count, ...parts]);
}

const missing = Buffer.from([0xff, 0xff, 0xff, 0xff]);

function unpacked(content: Buffer, columnCount: number): Chunk {
  const rowCount = content.readUInt32LE(0);
  let at = 4;
  const next = (): ArrayBuffer | undefined => {
    const length = content.readUInt32LE(at);
    at += 4;
    if (length === 0xffff_ffff) return undefined;
    // Copy the bytes, since typed arrays of numbers must be aligned.
    const buffer = new ArrayBuffer(length);
    new Uint8Array(buffer).set(content.subarray(at, at + length));
    at += length;
    return buffer;
  };
  const columns = Array.from({ length: columnCount }, (): ColumnChunk => {
    const [tags, numbers, bytes, offsets] = [next(), next(), next(), next()];
    return {
      tags: new Uint8Array(tags ?? new ArrayBuffer(rowCount)),
      numbers: numbers && new Float64Array(numbers),
      bytes: bytes && new Uint8Array(bytes),
      offsets: offsets && new Uint32Array(offsets),
    };
  });
  return { rowCount, columns };
}
