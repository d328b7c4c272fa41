/**
 * Reads and writes files of a folder that a stranger may have made. A name is never trusted because of what it was a
 * moment ago: what was opened is examined by its handle, and its bytes are counted. Pipes, devices and sockets are
 * refused without waiting for them. The writer for files that the person named is elsewhere (target-file.ts).
 */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, lstat, open, readlink, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '../errors.ts';
import { t } from '../texts.ts';
import { unreadableWords } from './disk-messages.ts';
import { isDeviceName } from './file-name.ts';
import { makeFolders } from './make-folders.ts';

export type FileRefusalCode =
  | 'missing'
  | 'link'
  | 'folder'
  | 'no-folder'
  | 'no-file'
  | 'too-large'
  | 'unreadable';

/** Why a file was not read or written. */
export class FileRefusal extends Error {
  readonly code: FileRefusalCode;

  constructor(code: FileRefusalCode, options?: ErrorOptions) {
    super(refusalWords[code](), options);
    this.name = 'FileRefusal';
    this.code = code;
  }
}

const refusalWords: Readonly<Record<FileRefusalCode, () => string>> = {
  missing: () => t('it does not exist'),
  link: () => t('it is a link, or lies behind one'),
  folder: () => t('it is a folder'),
  'no-folder': () => t('it is not a folder'),
  'no-file': () => t('it is a pipe, a device or a socket, not a file'),
  'too-large': () => t('it is too large'),
  unreadable: () => t('it cannot be opened'),
};

/** Returns why a text could not be read, as text that follows a colon. @param error of `readBoundedText`. */
export function refusedWords(error: unknown): string {
  return error instanceof FileRefusal
    ? (unreadableWords(error.cause) ?? error.message)
    : t('it is not UTF-8 text');
}

export interface ReadLimits {
  readonly maxBytes: number;
  /** The folder that the file belongs to: neither the file nor a folder on the way to it may be a link. */
  readonly within?: string;
  /** Examines the open file before its content is read; may throw. */
  readonly examine?: (facts: Stats) => void;
}

const isWindows = process.platform === 'win32';

/** How often a file is opened that another program keeps replacing. */
const opensMax = 10;

/** Reads a whole file. @throws FileRefusal */
export async function readBounded(file: string, limits: ReadLimits): Promise<Buffer> {
  if (isOddName(file)) throw new FileRefusal('no-file');
  for (let count = 0; count < opensMax; count++) {
    const content = await readOnce(file, limits);
    if (content !== undefined) return content;
  }
  throw new FileRefusal('link');
}

/** Returns undefined if the file was replaced as it was opened. @throws FileRefusal */
async function readOnce(
  file: string,
  { maxBytes, within, examine }: ReadLimits,
): Promise<Buffer | undefined> {
  if (within !== undefined) await requireNoLink(within, file);
  const { handle, facts } = await openPlain(file, { followsLinks: within === undefined });
  try {
    if (facts.size > maxBytes) throw new FileRefusal('too-large');
    examine?.(facts);
    if (within !== undefined && !(await isAt(within, file, handle))) return undefined;
    return await readAll(handle, facts.size, maxBytes);
  } catch (error) {
    throw isSystemError(error) ? refusalOf(error) : error;
  } finally {
    await handle.close();
  }
}

/**
 * Opens a plain file that is too large to be read at once. The caller closes it, and reads it by its handle.
 * @param access flags beside those that keep it from waiting for a pipe and, unless `followsLinks`, from a link.
 * @throws FileRefusal
 */
export async function openPlain(
  file: string,
  { followsLinks, access = constants.O_RDONLY }: { readonly followsLinks: boolean; readonly access?: number },
): Promise<{ readonly handle: FileHandle; readonly facts: Stats }> {
  const { O_NONBLOCK, O_NOFOLLOW } = constants;
  const guards = isWindows ? 0 : O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW);
  const handle = await open(file, access | guards, 0o600).catch((error: unknown) => {
    throw refusalOf(error);
  });
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) throw new FileRefusal('folder');
    if (!facts.isFile()) throw new FileRefusal('no-file');
    return { handle, facts };
  } catch (error) {
    await handle.close();
    throw isSystemError(error) ? refusalOf(error) : error;
  }
}

/**
 * Opens a file that a person named on a command line: links are followed, and pipes and devices are read, as in
 * `check <(...)`. The caller counts what it reads, since they may have no end. @throws FileRefusal
 */
export async function openNamed(file: string): Promise<FileHandle> {
  const handle = await open(file).catch((error: unknown) => {
    throw refusalOf(error);
  });
  try {
    if ((await handle.stat()).isDirectory()) throw new FileRefusal('folder');
    return handle;
  } catch (error) {
    await handle.close();
    throw isSystemError(error) ? refusalOf(error) : error;
  }
}

/** Reads a file that a person named, as a whole. @throws FileRefusal */
export async function readNamed(file: string, maxBytes: number): Promise<Buffer> {
  const handle = await openNamed(file);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new FileRefusal('too-large');
    return await readAll(handle, size, maxBytes);
  } catch (error) {
    throw isSystemError(error) ? refusalOf(error) : error;
  } finally {
    await handle.close();
  }
}

/** The size is only a hint: the file may grow, and some files report none. */
async function readAll(handle: FileHandle, size: number, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let total = 0;
  for (let next = size + 1; ; next = 65_536) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(next), 0, next, null);
    if (bytesRead === 0) return Buffer.concat(pieces);
    total += bytesRead;
    if (total > maxBytes) throw new FileRefusal('too-large');
    pieces.push(buffer.subarray(0, bytesRead));
  }
}

/** Reads UTF-8 text. @throws FileRefusal, and TypeError if it is not UTF-8. */
export async function readBoundedText(file: string, limits: ReadLimits): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readBounded(file, limits));
}

/**
 * Writes a file in a folder atomically, making the folders on the way. Nothing is written through a link, and only a
 * plain file is replaced.
 * @param options whether a loss of power right after it leaves the new content; for many files, that takes long.
 * @throws FileRefusal, or a file system error
 */
export async function writeWithin(
  within: string,
  file: string,
  content: string | Uint8Array,
  { isDurable = true }: { readonly isDurable?: boolean } = {},
): Promise<void> {
  if (isOddName(file)) throw new FileRefusal('no-file');
  await requireNoLink(within, file);
  const folder = path.dirname(file);
  await makeFolders(folder);
  const before = await requireNoLink(within, file);
  if (before?.isDirectory() === true) throw new FileRefusal('folder');
  if (before?.isFile() === false) throw new FileRefusal('no-file');
  await inFolder(within, folder, async (here) => {
    const name = `.${randomBytes(9).toString('hex')}.part`;
    const draft = path.join(here, name);
    let place: string | undefined;
    try {
      const handle = await open(draft, 'wx', 0o666);
      try {
        place = await placeOf(handle);
        if (!(await isAt(within, path.join(folder, name), handle))) throw new FileRefusal('link');
        await handle.writeFile(content);
        if (isDurable) await handle.sync();
      } finally {
        await handle.close();
      }
      if (before !== undefined) await chmod(draft, before.mode & 0o777);
      await rename(draft, path.join(here, path.basename(file)));
    } finally {
      // Behind a folder that was a link as it was made.
      if (here === folder && place !== undefined) await rm(place, { force: true });
      await rm(draft, { force: true });
    }
  });
}

/** Removes a file in a folder, if it is there. No link is followed, and none is removed. @throws FileRefusal */
export async function removeWithin(within: string, file: string): Promise<void> {
  if ((await requireNoLink(within, file)) === undefined) return;
  await inFolder(within, path.dirname(file), (here) =>
    rm(path.join(here, path.basename(file)), { force: true }),
  );
}

/**
 * Works in a folder by its handle, since the folder may become a link at any moment, also while the system looks up the
 * two names of one call. Only Linux has names for it; elsewhere, the work is given the path.
 * @throws FileRefusal
 */
async function inFolder(
  within: string,
  folder: string,
  work: (here: string) => Promise<void>,
): Promise<void> {
  if (process.platform !== 'linux' || folder === within) {
    await work(folder);
    return;
  }
  const { O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(folder, O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
    throw refusalOf(error);
  });
  try {
    if (!(await isAt(within, folder, handle))) throw new FileRefusal('link');
    const isNamed = (await placeOf(handle)) !== undefined;
    await work(isNamed ? `/proc/self/fd/${handle.fd}` : folder);
  } finally {
    await handle.close();
  }
}

/** Returns what is at the path; undefined if there is nothing. @throws FileRefusal if a part is a link. */
async function requireNoLink(within: string, file: string) {
  const parts = path.relative(within, file).split(path.sep);
  if (parts.includes('..') || path.isAbsolute(parts.join(path.sep))) throw new FileRefusal('link');
  for (let count = 1; count <= parts.length; count++) {
    const part = path.join(within, ...parts.slice(0, count));
    const found = await lstat(part).catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw refusalOf(error);
    });
    if (found === undefined) return undefined;
    // A junction of Windows is reported as a link, too.
    if (found.isSymbolicLink()) throw new FileRefusal('link');
    if (count === parts.length) return found;
  }
  return undefined;
}

/**
 * Returns whether the open file is the one at this path without links. A folder on the way may have become a link after
 * it was looked at, and be none again. Linux tells where the open file is; elsewhere, the path is looked at once more.
 * @throws FileRefusal
 */
async function isAt(within: string, file: string, handle: FileHandle): Promise<boolean> {
  const place = await placeOf(handle);
  if (place !== undefined) return comparable(place) === comparable(await pathWithoutLinks(within, file));
  const [found, opened] = [await requireNoLink(within, file), await handle.stat()];
  return found?.ino === opened.ino && found.dev === opened.dev;
}

const placeOf = (handle: FileHandle): Promise<string | undefined> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);

async function pathWithoutLinks(within: string, file: string): Promise<string> {
  const real = await realpath(within).catch((error: unknown) => {
    throw refusalOf(error);
  });
  return path.join(real, path.relative(within, file));
}

/** Some file systems take names in any case and composition, and tell their own. */
const comparable = (name: string): string => name.normalize('NFC').toLowerCase();

/** Windows opens devices and alternate streams by name, in any folder. */
function isOddName(file: string): boolean {
  return isWindows && (isDeviceName(path.basename(file)) || path.basename(file).includes(':'));
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

function refusalOf(error: unknown): FileRefusal {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const found =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? 'missing'
      : code === 'ELOOP' || code === 'EMLINK'
        ? 'link'
        : code === 'EISDIR'
          ? 'folder'
          : code === 'ENXIO' || code === 'EAGAIN'
            ? 'no-file'
            : 'unreadable';
  return new FileRefusal(found, { cause: error });
}
