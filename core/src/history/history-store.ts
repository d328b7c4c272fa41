/**
 * The user's runs on this machine, newest first. Each is one line of JSON in a file in the editor's global storage. Two
 * windows may write at once, so lines are only appended; the whole file is rewritten only to drop old entries.
 */
import { appendFile, open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import type { RunRecord } from './run-record.ts';

export interface HistoryStoreOptions {
  /** A folder used only by the history; created with the first run. */
  readonly folder: string;
  readonly retentionDays: () => number;
  /** Returns milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;
/** Maximum number of entries. Older entries are dropped the next time the file is rewritten. */
const runsMax = 5_000;
const bytesMax = 20 * 1_048_576;
/** Runs with longer SQL are not recorded. */
const sqlCharsMax = 200_000;
const rewriteTries = 3;

const lineEnd = 0x0a;

export class HistoryStore {
  readonly #options: HistoryStoreOptions;
  readonly #file: string;
  readonly #now: () => number;
  /** Writes run one at a time. */
  #writing: Promise<unknown> = Promise.resolve();
  #isTidied = false;

  constructor(options: HistoryStoreOptions) {
    this.#options = options;
    this.#file = path.join(options.folder, 'run-history.jsonl');
    this.#now = options.now ?? (() => Date.now());
  }

  /** Appends a run. @throws a file system error, for example if the disk is full. */
  async add(run: RunRecord): Promise<void> {
    if (run.sql.length > sqlCharsMax) return;
    await this.#inTurn(async () => {
      await makePrivateFolder(this.#options.folder);
      // If a crash left an incomplete last line, end it first.
      const start = (await this.#endsInHalfLine()) ? '\n' : '';
      await appendFile(this.#file, `${start}${JSON.stringify(run)}\n`, { mode: 0o600 });
      if (this.#isTidied) return;
      this.#isTidied = true;
      await this.#tidy();
    });
  }

  /** Returns unexpired runs, newest first. Skips unreadable lines. */
  async list(): Promise<readonly RunRecord[]> {
    await this.#writing.catch(() => undefined); // the failed write was reported to its caller
    return this.#kept(parseLines(await this.#read()));
  }

  async find(id: string): Promise<RunRecord | undefined> {
    return (await this.list()).find((run) => run.id === id);
  }

  async delete(id: string): Promise<void> {
    await this.#inTurn(() => this.#rewrite((runs) => runs.filter((run) => run.id !== id)));
  }

  async clear(): Promise<void> {
    await this.#inTurn(() => rm(this.#file, { force: true }));
  }

  async #tidy(): Promise<void> {
    const text = await this.#read();
    const runs = parseLines(text);
    const lineCount = text.split('\n').length - 1;
    if (this.#kept(runs).length < lineCount || text.length > bytesMax) {
      await this.#rewrite((all) => this.#kept(all));
    }
  }

  #kept(runs: readonly RunRecord[]): readonly RunRecord[] {
    const oldest = this.#now() - this.#options.retentionDays() * dayMs;
    const kept: RunRecord[] = [];
    let size = 0;
    for (const run of runs) {
      size += run.sql.length;
      if (kept.length === runsMax || size > bytesMax) break;
      if (run.startedAt >= oldest) kept.push(run);
    }
    return kept;
  }

  /** Writes a temporary file and renames it. Starts over if another window wrote in the meantime. */
  async #rewrite(change: (runs: readonly RunRecord[]) => readonly RunRecord[]): Promise<void> {
    const scratch = `${this.#file}.${draftEnding()}`;
    try {
      for (let attempt = 1; attempt <= rewriteTries; attempt += 1) {
        const text = await this.#read();
        const lines = change(parseLines(text))
          .toReversed()
          .map((run) => `${JSON.stringify(run)}\n`);
        await writePrivateFile(scratch, lines.join(''));
        const size = await stat(this.#file).then(
          (found) => found.size,
          () => 0, // a missing file counts as empty
        );
        if (size === Buffer.byteLength(text)) {
          await rename(scratch, this.#file);
          return;
        }
      }
    } finally {
      await rm(scratch, { force: true });
    }
  }

  async #endsInHalfLine(): Promise<boolean> {
    let file: FileHandle;
    try {
      file = await open(this.#file);
    } catch (error) {
      if (isMissingFile(error)) return false;
      throw error;
    }
    try {
      const { size } = await file.stat();
      if (size === 0) return false;
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return buffer[0] !== lineEnd;
    } finally {
      await file.close();
    }
  }

  async #read(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if (isMissingFile(error)) return '';
      throw error;
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#writing.then(work, work);
    this.#writing = turn.catch(() => undefined); // the caller receives the rejection below
    return await turn;
  }
}

function parseLines(text: string): RunRecord[] {
  const runs: RunRecord[] = [];
  for (const line of text.split('\n')) {
    const run = line === '' ? undefined : parseLine(line);
    if (run !== undefined) runs.push(run);
  }
  return runs.sort((a, b) => b.startedAt - a.startedAt);
}

/** @returns undefined for incomplete lines and lines in another format. */
function parseLine(line: string): RunRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRun(value) ? value : undefined;
  } catch {
    return undefined; // incomplete line
  }
}

function isRun(value: unknown): value is RunRecord {
  if (typeof value !== 'object' || value === null) return false;
  const run = value as Readonly<Record<string, unknown>>; // narrowed to an object above
  const texts = ['id', 'title', 'connection', 'connectionKey', 'model', 'sql', 'documentUri'];
  return (
    texts.every((key) => typeof run[key] === 'string') &&
    typeof run['startedAt'] === 'number' &&
    typeof run['ms'] === 'number' &&
    ['rows', 'failed', 'cancelled'].includes(String(run['outcome'])) &&
    Array.isArray(run['parameters']) &&
    run['parameters'].every(isParameter)
  );
}

function isParameter(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, type, value: kept } = value as Readonly<Record<string, unknown>>; // narrowed to an object above
  return (
    typeof name === 'string' &&
    typeof type === 'string' &&
    (kept === undefined ||
      (typeof kept === 'object' && kept !== null && 'text' in kept && typeof kept.text === 'string'))
  );
}
