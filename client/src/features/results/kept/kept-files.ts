/**
 * Stores a window's remembered results in a file of its own, `<process>.<window>.json`. Only a window that has ended
 * leaves its file to another one: to the same window after its reload. Windows on the same folder share the editor's own
 * storage, where each would find the results of the others, and overwrite them.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Queue } from '#base/async/queue.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { isAlive } from '#base/files/left-overs.ts';
import { makeFoldersSync } from '#base/files/make-folders-sync.ts';
import type { KeptStorage } from './kept-results.ts';

/** The process of files that a closed window left. */
const noProcess = 0;
const nameOfFile = /^(\d{1,10})\.[0-9a-f-]{36}\.(json|tmp)$/;

export class KeptFiles implements KeptStorage {
  readonly #folder: () => string;
  readonly #isOpen: (pid: number) => boolean;
  readonly #own = crypto.randomUUID();
  /** Files of ended windows, which are now this window's. */
  #taken: readonly string[] = [];
  #text: string | undefined;
  readonly #writes = new Queue();
  #isReleased = false;

  /** @param isOpen returns whether the process of another window runs. */
  constructor(folder: () => string, isOpen: (pid: number) => boolean = isOpenWindow) {
    this.#folder = folder;
    this.#isOpen = isOpen;
  }

  /** Takes over the files of ended windows. A renamed file is taken by one window only. */
  read(): readonly unknown[] {
    for (const name of namesIn(this.#folder())) {
      const [, pid, ending] = nameOfFile.exec(name) ?? [];
      if (pid === undefined || this.#isOpen(Number(pid))) continue;
      if (ending === 'tmp') {
        this.#drop([path.join(this.#folder(), name)]);
        continue;
      }
      const file = this.#fileOf(process.pid, crypto.randomUUID());
      try {
        renameSync(path.join(this.#folder(), name), file);
        this.#taken = [...this.#taken, file];
      } catch {
        // Another window has taken it.
      }
    }
    return this.#taken.flatMap(resultsIn);
  }

  async write(list: readonly unknown[]): Promise<void> {
    this.#text = JSON.stringify(list);
    await this.#writes.add(() => this.#writeNewest());
  }

  /** Leaves the files to the window that this one is after its reload. */
  release(): void {
    this.#isReleased = true;
    try {
      if (this.#text === undefined) {
        for (const file of this.#taken) renameSync(file, this.#fileOf(noProcess, crypto.randomUUID()));
        return;
      }
      makeFoldersSync(this.#folder(), 0o700);
      writeFileSync(this.#fileOf(noProcess, this.#own), this.#text, { mode: 0o600 });
      this.#drop([...this.#taken, this.#fileOf(process.pid, this.#own)]);
    } catch {
      // Then they are taken over when this process has ended.
    }
  }

  async #writeNewest(): Promise<void> {
    const text = this.#text;
    const isReleased = () => this.#isReleased;
    if (text === undefined || isReleased()) return;
    makeFoldersSync(this.#folder(), 0o700);
    const draft = path.join(this.#folder(), draftEnding());
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, this.#fileOf(process.pid, this.#own));
    this.#drop(this.#taken);
    this.#taken = [];
    if (isReleased()) this.#drop([this.#fileOf(process.pid, this.#own)]);
  }

  #drop(files: readonly string[]): void {
    for (const file of files) rmSync(file, { force: true });
  }

  #fileOf(pid: number, window: string): string {
    return path.join(this.#folder(), `${pid}.${window}.json`);
  }
}

/** This process cannot be another window's: that had the same number and has ended. */
function isOpenWindow(pid: number): boolean {
  return pid !== noProcess && pid !== process.pid && isAlive(pid);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // nothing was remembered yet
  }
}

function resultsIn(file: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // truncated
  }
}
