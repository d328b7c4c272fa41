/**
 * Keeps a result's rows in a file that has no name, so that a run never waits for its reader and rows do not fill the
 * memory. The start of a result stays in memory, so that most results need no file.
 */
import { closeSync, openSync, read, rmSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ServiceError } from '../errors.ts';
import { resultGone, type ChunkStore, type RowChunk } from '../query/growing-result.ts';

const readAt = promisify(read);

/** Bytes of a result that stay in memory. */
const inMemoryBytes = 1_048_576;

/** What all results together may hold in memory. Beyond it, rows go to the file at once. */
export class SpoolMemory {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** Of this process: its sources share it. */
const ofProcess = new SpoolMemory(67_108_864);

export class SpoolFile implements ChunkStore {
  readonly #folder: string;
  readonly #memory: SpoolMemory;
  #kept = 0;
  #file: number | undefined;
  /** Where the file could not be unlinked while open (Windows). */
  #name: string | undefined;
  #size = 0;
  #holders = 0;
  /** What readers are told since the rows were given up. */
  #gone: ServiceError | undefined;

  /** @param folder an existing folder, private to the service */
  constructor(folder: string, memory = ofProcess) {
    this.#folder = folder;
    this.#memory = memory;
  }

  keep(json: Uint8Array): RowChunk['part'] {
    if (this.#gone !== undefined) return () => this.#missing();
    if (this.#kept + json.byteLength <= inMemoryBytes && this.#memory.take(json.byteLength)) {
      this.#kept += json.byteLength;
      return inMemory(json);
    }
    this.#append(json);
    return this.#partAt(this.#size - json.byteLength);
  }

  /** @throws ServiceError if there is no room. */
  #append(json: Uint8Array): void {
    try {
      this.#file ??= this.#open();
      for (let written = 0; written < json.byteLength;)
        written += writeSync(this.#file, json, written, json.byteLength - written, this.#size + written);
    } catch (error) {
      const isFull =
        error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(String(error.code));
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        isFull
          ? 'The disk of the service is full, so it cannot keep the result. Ask for fewer rows, or make room.'
          : 'The service cannot keep the result on its disk.',
        { cause: error },
      );
    }
    this.#size += json.byteLength;
  }

  // A function of its own: one that is made beside another that uses the rows would keep them in memory, too.
  #partAt(offset: number): RowChunk['part'] {
    return (start, end) => this.#read(offset + start, end - start);
  }

  hold(): () => void {
    this.#holders += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#holders -= 1;
      isHeld = false;
      this.#closeIfUnused();
    };
  }

  discard(why = new ServiceError('RESULT_GONE', resultGone)): void {
    this.#gone ??= why;
    this.#memory.giveBack(this.#kept);
    this.#kept = 0;
    this.#closeIfUnused();
  }

  #open(): number {
    const name = path.join(this.#folder, `result-${crypto.randomUUID()}`);
    const file = openSync(name, 'wx+', 0o600);
    try {
      unlinkSync(name);
    } catch {
      this.#name = name; // removed when it is closed
    }
    return file;
  }

  async #read(offset: number, length: number): Promise<Uint8Array> {
    const file = this.#file;
    if (file === undefined || (this.#gone !== undefined && this.#holders === 0)) return this.#missing();
    const release = this.hold();
    try {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        const { bytesRead } = await readAt(file, bytes, filled, length - filled, offset + filled);
        if (bytesRead === 0) return this.#missing();
        filled += bytesRead;
      }
      return bytes;
    } finally {
      release();
    }
  }

  #missing(): never {
    throw this.#gone ?? new ServiceError('RESULT_GONE', resultGone);
  }

  #closeIfUnused(): void {
    if (this.#gone === undefined || this.#holders > 0 || this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    if (this.#name !== undefined) rmSync(this.#name, { force: true });
  }
}

function inMemory(json: Uint8Array): RowChunk['part'] {
  return (start, end) => json.subarray(start, end);
}
