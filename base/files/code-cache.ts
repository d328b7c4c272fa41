/**
 * Loads our CommonJS files with V8's code cache, which avoids most of their compilation after the first start. Node.js's
 * own compile cache counts for a whole process, which the extension host shares with other extensions, and has only the
 * functions that are compiled before a file runs.
 */
import { isAscii } from 'node:buffer';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { draftEnding } from './draft-ending.ts';
import { makeFoldersSync } from './make-folders-sync.ts';

/** Not at once, since two versions may take turns. Code that is still in use is written again after the next start. */
const oldAfterMs = 7 * 24 * 60 * 60_000;
const checksumBytes = 4;
const wrapperHead = '(function (exports, require, module, __filename, __dirname) { ';

type ModuleBody = (
  exports: unknown,
  require: (id: string) => unknown,
  module: Module,
  file: string,
  folder: string,
) => void;

export class CodeCache {
  readonly #folder: string;
  readonly #saveAfterMs: number;
  readonly #require = createRequire(import.meta.filename);
  /** Scripts whose compiled code is not on disk, by cache file. */
  readonly #unsaved = new Map<string, Script>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param folder must not be writable by other users, since its content is executed
   * @param saveAfterMs when to write, after the first file is loaded: late enough that the functions of a start have been
   *   compiled, so that they are cached too. Not at the end of a process: there, V8 waits for its other threads, and they
   *   may wait for memory that only this thread can free (Node.js 24 hung in one of 25 runs).
   */
  constructor(folder: string, saveAfterMs = 10_000) {
    this.#folder = folder;
    this.#saveAfterMs = saveAfterMs;
  }

  /**
   * Does what `require` does, for a file and for the files that it requires by a relative path.
   * @param file absolute path
   */
  load(file: string): unknown {
    const { cache } = this.#require;
    const known = cache[file];
    if (known !== undefined) return known.exports;
    const module = new Module(file);
    module.filename = file;
    const body = this.#compile(file).runInThisContext() as ModuleBody; // the wrapper's type
    cache[file] = module;
    try {
      body.call(module.exports, module.exports, this.#requireFrom(file), module, file, path.dirname(file));
    } catch (error) {
      Reflect.deleteProperty(cache, file);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  /**
   * Writes the compiled code that is not on disk. Without it, the next start only takes longer. A file is a megabyte, and
   * written once per version.
   */
  save(): void {
    for (const [kept, script] of this.#unsaved) {
      this.#unsaved.delete(kept);
      try {
        this.#write(kept, script.createCachedData());
      } catch {
        // The folder cannot be written to.
      }
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #requireFrom(file: string): (id: string) => unknown {
    const original = createRequire(file);
    const own = (id: string): unknown =>
      id.startsWith('./') ? this.load(original.resolve(id)) : original(id);
    return Object.assign(own, { resolve: original.resolve, cache: original.cache });
  }

  #compile(file: string): Script {
    const bytes = readFileSync(file);
    // V8 compares only the length of the text.
    const ending = `${bytes.length.toString(16)}-${hex(crc32(bytes))}-${hex(cachedDataVersionTag())}.bin`;
    const kept = path.join(this.#folder, `${path.basename(file, '.cjs')}.${ending}`);
    const cachedData = readKept(kept);
    // The same text for ASCII, and faster to make.
    const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
    const script = new Script(`${wrapperHead}${text}\n})`, {
      filename: file,
      columnOffset: -wrapperHead.length,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.#unsaved.set(kept, script);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.save();
      }, this.#saveAfterMs).unref();
    }
    return script;
  }

  #write(kept: string, data: Buffer): void {
    makeFoldersSync(this.#folder, 0o700);
    const draft = `${kept}.${draftEnding()}`;
    try {
      writeFileSync(draft, Buffer.concat([checksumOf(data), data]), { mode: 0o600 });
      renameSync(draft, kept);
    } finally {
      rmSync(draft, { force: true });
    }
    this.#removeOld();
  }

  /** Removes the code of earlier versions, whose files have other names, and what killed processes left. */
  #removeOld(): void {
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (Date.now() - statSync(file).mtimeMs > oldAfterMs) rmSync(file, { force: true });
    }
  }
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

function checksumOf(data: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(data));
  return checksum;
}

/**
 * Reads a cache file. V8 ends the process on damaged data, so the file starts with a checksum. It need not withstand
 * an attacker, since only the user can write to the folder.
 */
function readKept(file: string): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const data = kept.subarray(checksumBytes);
    return checksumOf(data).equals(kept.subarray(0, checksumBytes)) ? data : undefined;
  } catch {
    return undefined; // not written yet, or not readable
  }
}
