/** The agent log: a file with one line per call, shared by all of the user's windows and programs. */
import { constants } from 'node:fs';
import path from 'node:path';
import { Queue } from '#base/async/queue.ts';
import { readLines } from '#base/async/read-lines.ts';
import { FileRefusal, openPlain } from '#base/files/bounded-file.ts';
import { makePrivateFolder } from '#base/files/private-file.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import {
  AuditChecker,
  chained,
  noPrevious,
  parseAuditLine,
  type AuditCheck,
  type AuditEntry,
  type AuditLine,
} from './audit-chain.ts';

/** Thrown if a call cannot be logged. The caller then gets an error instead of a response. */
export class AuditFailure extends Error {
  constructor(options?: ErrorOptions) {
    super('The log of agent calls cannot be written, so no calls are allowed.', options);
    this.name = 'AuditFailure';
  }
}

const waitMs = 10_000;
/** Bytes to read from the end of the file, more than the longest line. */
const tailBytes = 512 * 1_024;

/** Far more than the longest line. */
const charactersMax = 8 * 1_048_576;

export class AuditLog {
  readonly #file: string;
  readonly #writes = new Queue();

  constructor(file: string) {
    this.#file = file;
  }

  get file(): string {
    return this.#file;
  }

  /**
   * Appends an entry.
   * @throws AuditFailure
   */
  async add(entry: AuditEntry): Promise<void> {
    try {
      await this.#writes.add(() => this.#append(entry));
    } catch (error) {
      throw error instanceof AuditFailure ? error : new AuditFailure({ cause: error });
    }
  }

  /** Returns the newest lines, newest first. Skips unreadable lines, which `check` reports. */
  async newest(max: number): Promise<readonly AuditLine[]> {
    const lines: AuditLine[] = [];
    for await (const text of this.#lines()) {
      const line = parseAuditLine(text);
      if (line !== undefined) lines.push(line);
      if (lines.length > 2 * max) lines.splice(0, lines.length - max);
    }
    return lines.slice(-max).reverse();
  }

  async check(): Promise<AuditCheck> {
    const checker = new AuditChecker();
    for await (const text of this.#lines()) checker.add(text);
    return checker.result();
  }

  async *#lines(): AsyncGenerator<string> {
    try {
      const { handle } = await openPlain(this.#file, { followsLinks: true });
      yield* readLines(handle.createReadStream(), { charactersMax });
    } catch (error) {
      if (!(error instanceof FileRefusal && error.code === 'missing')) throw error;
    }
  }

  async #append(entry: AuditEntry): Promise<void> {
    await makePrivateFolder(path.dirname(this.#file));
    const lock = await ProcessLock.wait(`${this.#file}.lock`, waitMs);
    if (lock === undefined) throw new AuditFailure();
    try {
      const { O_RDWR, O_CREAT, O_APPEND } = constants;
      // What is written into a pipe or a device is in no log.
      const { handle, facts } = await openPlain(this.#file, {
        followsLinks: true,
        access: O_RDWR | O_CREAT | O_APPEND,
      });
      try {
        const { size } = facts;
        const length = Math.min(size, tailBytes);
        const tail = await handle.read(Buffer.alloc(length), 0, length, size - length);
        const text = tail.buffer.toString('utf8');
        const last = text.split('\n').findLast((line) => line !== '');
        const previous = last === undefined ? noPrevious : (parseAuditLine(last)?.hash ?? noPrevious);
        // If a crash left the last line incomplete, start a new one; `check` reports the incomplete line.
        const start = text === '' || text.endsWith('\n') ? '' : '\n';
        await handle.appendFile(`${start}${JSON.stringify(chained(entry, previous))}\n`);
      } finally {
        await handle.close();
      }
    } finally {
      lock.release();
    }
  }
}
