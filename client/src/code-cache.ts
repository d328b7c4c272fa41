/**
 * Loads our CommonJS files with V8's code cache, which avoids most of their compilation after the first start. Node.js's
 * own compile cache counts for a whole process, and the extension host is shared with other extensions.
 */
import { isAscii } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { draftEnding } from '../../core/src/util/files/left-overs.ts';
import { makePrivateFolder, writePrivateFile } from '../../core/src/util/files/private-file.ts';

/** Late enough that the functions of a start have been compiled, so that they are cached too. */
const saveAfterMs = 10_000;
/** Code that is still in use is written again, ten seconds after the next start. */
const oldAfterMs = 30 * 24 * 60 * 60_000;
const hashBytes = 32;
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
  readonly #require = createRequire(import.meta.filename);
  /** Scripts whose compiled code is not on disk, by cache file. */
  readonly #unsaved = new Map<string, Script>();
  #timer: NodeJS.Timeout | undefined;

  /** @param folder must not be writable by other users, since its content is executed */
  constructor(folder: string) {
    this.#folder = folder;
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

  /** Writes the compiled code that is not on disk. Without it, the next start only takes longer. */
  async save(): Promise<void> {
    for (const [kept, script] of this.#unsaved) {
      this.#unsaved.delete(kept);
      await this.#write(kept, script.createCachedData()).catch(() => undefined);
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
    const ending = `${hash('sha256', bytes).slice(0, 16)}-${cachedDataVersionTag().toString(16)}.bin`;
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
        void this.save();
      }, saveAfterMs).unref();
    }
    return script;
  }

  async #write(kept: string, data: Buffer): Promise<void> {
    await makePrivateFolder(this.#folder);
    const draft = `${kept}.${draftEnding()}`;
    try {
      await writePrivateFile(draft, Buffer.concat([hash('sha256', data, 'buffer'), data]));
      await rename(draft, kept);
    } finally {
      await rm(draft, { force: true });
    }
    await this.#removeOthers(path.basename(kept));
  }

  /** Removes earlier code of the same file, and old code of any file: the names of files change with their content. */
  async #removeOthers(name: string): Promise<void> {
    const owner = name.slice(0, name.indexOf('.') + 1);
    for (const other of await readdir(this.#folder)) {
      if (!other.endsWith('.bin') || other === name) continue;
      const file = path.join(this.#folder, other);
      const isOld = Date.now() - (await stat(file)).mtimeMs > oldAfterMs;
      if (isOld || other.startsWith(owner)) await rm(file, { force: true });
    }
  }
}

/** Reads a cache file. V8 ends the process on damaged data, so the file starts with a hash. */
function readKept(file: string): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const data = kept.subarray(hashBytes);
    return hash('sha256', data, 'buffer').equals(kept.subarray(0, hashBytes)) ? data : undefined;
  } catch {
    return undefined; // not written yet, or not readable
  }
}
