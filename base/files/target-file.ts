/**
 * Targets that a person names. Links are followed, devices and pipes are written through, and an existing file keeps its
 * mode, its owner and its other names. Bytes are complete in a draft before the target changes.
 */
import { constants, createReadStream, open as openRaw, type Stats } from 'node:fs';
import { access, chmod, chown, lstat, open, readlink, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isMissingFile } from '../errors.ts';
import { t } from '../texts.ts';
import { asTargetError } from './disk-messages.ts';
import { draftNameOf } from './file-name.ts';
import { isOpenToWrite, openFileOf, openFileStream } from './open-file.ts';
import { putInPlace } from './private-file.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { TargetError } from './target-error.ts';

const openDescriptor = promisify(openRaw);

/** How long a pipe may be without a reader. */
const readerWaitMs = 10_000;
const readerRetryMs = 50;
/** As many as Linux follows. */
const linksMax = 40;

export type TargetPlace =
  /** A file, or a name that is free. `path` names no link. */
  | { readonly kind: 'file'; readonly path: string; readonly existing: Stats | undefined }
  /** A device or a pipe, which a rename would replace. */
  | { readonly kind: 'device' | 'pipe'; readonly path: string }
  /** What this process has open. */
  | { readonly kind: 'open'; readonly path: string; readonly descriptor: number };

/** Returns the whole path of a target that a person names. One that is named like a folder stays so. */
export function targetPath(cwd: string, named: string): string {
  const whole = path.resolve(cwd, named);
  return isNamedLikeFolder(named) ? path.join(whole, path.sep) : whole;
}

function isNamedLikeFolder(target: string): boolean {
  return (path.sep === '/' ? /(?:^|\/)\.{0,2}$/ : /(?:^|[/\\])\.{0,2}$/).test(target);
}

/** Finds where bytes for a target go. @throws TargetError for a folder, a socket, or a circle of links. */
export async function findTarget(target: string): Promise<TargetPlace> {
  if (isNamedLikeFolder(target) && !(await isFolder(target)))
    throw new TargetError(t('the name of a file does not end like this'), target);
  const place = await followLinks(target);
  const opened = await openFileOf(place);
  if (opened?.descriptor !== undefined) {
    const { descriptor } = opened;
    if (!(await isOpenToWrite(descriptor))) throw new TargetError(t('it is not open for writing'), target);
    return { kind: 'open', path: place, descriptor };
  }
  const found = await stat(place).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  if (found === undefined || found.isFile())
    return opened === undefined
      ? { kind: 'file', path: place, existing: found }
      : { kind: 'device', path: place };
  if (found.isDirectory()) throw new TargetError(t('a folder has this name'), target);
  if (found.isSocket()) throw new TargetError(t('it is a socket'), target);
  return { kind: found.isFIFO() ? 'pipe' : 'device', path: place };
}

async function isFolder(target: string): Promise<boolean> {
  return await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function followLinks(target: string): Promise<string> {
  let at = path.resolve(target);
  for (let links = 0; links <= linksMax; links += 1) {
    if ((await openFileOf(at)) !== undefined) return at;
    const found = await lstat(at).catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (found?.isSymbolicLink() !== true) return at;
    at = path.resolve(path.dirname(at), await readlink(at));
  }
  throw new TargetError(t('its links lead in a circle'), target);
}

/**
 * Checks whether a target can be written, without writing. A pipe need not have a reader yet.
 * @throws TargetError, or an error of the file system.
 */
export async function requireTarget(target: string): Promise<TargetPlace> {
  const place = await findTarget(target);
  if (place.kind === 'open') return place;
  if (place.kind !== 'file' || place.existing !== undefined) await access(place.path, constants.W_OK);
  else await access(path.dirname(place.path), constants.W_OK);
  return place;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long a pipe may be without a reader, in milliseconds. */
  readonly readerWaitMs?: number;
}

/**
 * Writes a target. If writing the draft fails or is cancelled, the target stays as it is, and no draft is left.
 * @param write writes to the given path, at which no file exists.
 * @throws TargetError if the disk does not take it, or the error of `write`.
 */
export async function saveFile<Outcome>(
  target: string,
  write: (draft: string) => Promise<Outcome>,
  options: WriteOptions = {},
): Promise<Outcome> {
  let real = target;
  try {
    const place = await requireTarget(target);
    if (place.kind !== 'file') return await writeThrough(place, write, options);
    real = place.path;
    // In the same folder, since a rename across file systems would be a copy.
    const folder = path.dirname(place.path);
    const isRoom = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isRoom) return await inOwnFolder(async (own) => await draftThen(own, place, ofOwnDraft(write)));
    return await draftThen(folder, place, write);
  } catch (error) {
    throw asTargetError(error, target, real);
  }
}

async function draftThen<Outcome>(
  folder: string,
  place: TargetPlace & { readonly kind: 'file' },
  write: (draft: string) => Promise<Outcome>,
): Promise<Outcome> {
  const draft = path.join(folder, draftNameOf(place.path));
  try {
    const outcome = await write(draft);
    await putOnto(draft, place.path);
    return outcome;
  } finally {
    await rm(draft, { force: true });
  }
}

/** A failure of a draft that is not beside its target is one of the draft. */
function ofOwnDraft<Outcome>(write: (draft: string) => Promise<Outcome>): typeof write {
  return async (draft) => {
    try {
      return await write(draft);
    } catch (error) {
      throw asTargetError(error, draft);
    }
  };
}

async function inOwnFolder<Outcome>(use: (folder: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = await makeScratchFolder();
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Puts a complete draft in the place of a file. If a rename cannot keep the owner or other names of an existing file,
 * or the draft is in another folder, its bytes are replaced.
 * @param target a path that is no link.
 */
export async function putOnto(draft: string, target: string): Promise<void> {
  const place = await findTarget(target);
  if (place.kind !== 'file') throw new TargetError(t('it is no longer a file'), target);
  const { existing } = place;
  const isBeside = path.dirname(draft) === path.dirname(place.path);
  if (isBeside && (existing === undefined || (existing.nlink === 1 && (await takesAfter(draft, existing)))))
    await putInPlace(draft, place.path);
  else {
    await replaceBytes(draft, place.path, existing?.size);
    await rm(draft, { force: true });
  }
}

/** The end comes first: if the disk has no room for it, the file stays as it is. */
async function replaceBytes(draft: string, target: string, size: number | undefined): Promise<void> {
  const handle = await open(target, size === undefined ? 'wx' : 'r+');
  const copy = async (from: number, to: number) => {
    if (from >= to) return;
    // A stream that fails would close the file, whose old size is restored then.
    let at = from;
    for await (const piece of createReadStream(draft, { start: from, end: to - 1 })) {
      const bytes = piece as Buffer; // no encoding is set, so the stream yields buffers
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at);
        done += bytesWritten;
        at += bytesWritten;
      }
    }
  };
  try {
    const kept = size ?? 0;
    const { size: wanted } = await stat(draft);
    try {
      await copy(kept, wanted);
    } catch (error) {
      await handle.truncate(kept);
      throw error;
    }
    await copy(0, Math.min(kept, wanted));
    await handle.truncate(wanted);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a draft the owner and the mode of a file. @returns whether it has both now. */
async function takesAfter(draft: string, existing: Stats): Promise<boolean> {
  const own = await stat(draft);
  try {
    if (own.uid !== existing.uid || own.gid !== existing.gid) await chown(draft, existing.uid, existing.gid);
    // After the owner, whose change clears the set-user-ID bit.
    await chmod(draft, existing.mode & 0o7777);
    return true;
  } catch {
    return false; // only root may give files away
  }
}

async function writeThrough<Outcome>(
  place: Exclude<TargetPlace, { readonly kind: 'file' }>,
  write: (draft: string) => Promise<Outcome>,
  options: WriteOptions,
): Promise<Outcome> {
  const stream = await streamTo(place, options);
  try {
    return await inOwnFolder(async (folder) => {
      const draft = path.join(folder, 'draft');
      const outcome = await ofOwnDraft(write)(draft);
      await copyInto(draft, stream, options.signal);
      return outcome;
    });
  } finally {
    stream.destroy();
  }
}

async function streamTo(
  place: Exclude<TargetPlace, { readonly kind: 'file' }>,
  options: WriteOptions,
): Promise<Writable> {
  if (place.kind === 'open') return await openFileStream(place.descriptor);
  return place.kind === 'pipe' ? await openPipe(place.path, options) : await openDevice(place.path);
}

async function copyInto(draft: string, stream: Writable, signal?: AbortSignal): Promise<void> {
  await pipeline(createReadStream(draft), stream, { ...(signal === undefined ? {} : { signal }) });
}

/** Neither creates nor empties anything. What another process has open may be a file that already has bytes. */
async function openDevice(device: string): Promise<Writable> {
  const append = (await stat(device)).isFile() ? constants.O_APPEND : 0;
  return (await open(device, constants.O_WRONLY | append)).createWriteStream();
}

/** Opening a pipe for writing blocks a thread until there is a reader, so it is tried until there is one. */
async function openPipe(
  pipe: string,
  { signal, readerWaitMs: waitMs = readerWaitMs }: WriteOptions,
): Promise<Socket> {
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      const fd = await openDescriptor(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error;
    }
    if (performance.now() >= end)
      throw new TargetError(t('it is a pipe, and nothing has read from it for {0} s', waitMs / 1_000), pipe);
    await pause(readerRetryMs, undefined, { signal });
  }
}
