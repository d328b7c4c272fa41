/** The open files of this process by name, such as /dev/stdout. They are written as they are open, never by the name. */
import { constants, createWriteStream, fstat } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';

const statsOf = promisify(fstat);

/** The open files of this process on macOS and of any process on Linux, where a thread's are those of its process. */
const openFiles = /^(?:\/dev|\/proc\/(?<process>\d+)(?:\/task\/\d+)?)\/fd$/;

export interface OpenFile {
  /** Absent for an open file of another process, which can only be opened again by its name. */
  readonly descriptor?: number;
}

/**
 * Returns undefined for a path that names a file of a folder.
 * @param target its last part is not followed: the link of an open file leads to no name, or to one that is replaced.
 */
export async function openFileOf(target: string): Promise<OpenFile | undefined> {
  const name = path.basename(target);
  if (!/^\d+$/.test(name)) return undefined;
  const folder = await realpath(path.dirname(target)).catch(() => undefined);
  const found = folder === undefined ? null : openFiles.exec(folder);
  if (found === null) return undefined;
  const owner = found.groups?.['process'];
  const isOwn = owner === undefined || `/proc/${owner}` === (await realpath('/proc/self'));
  return isOwn ? { descriptor: Number(name) } : {};
}

/** Whether this process can write to it, and somebody else read it: Node.js has pipes of its own, with any number. */
export async function isOpenToWrite(descriptor: number): Promise<boolean> {
  const stats = await statsOf(descriptor).catch(() => undefined);
  if (stats === undefined || stats.isDirectory()) return false;
  const mode = await accessModeOf(descriptor);
  if (mode === undefined) return true; // only Linux tells
  const isStream = stats.isFile() || stats.isSocket() || stats.isCharacterDevice() || stats.isBlockDevice();
  return mode !== constants.O_RDONLY && (isStream || (stats.isFIFO() && !(await isReadHere(descriptor))));
}

async function isReadHere(pipe: number): Promise<boolean> {
  const name = await nameOf(pipe);
  for (const other of (await readdir(ownFiles)).map(Number))
    if ((await nameOf(other)) === name && (await accessModeOf(other)) === constants.O_RDONLY) return true;
  return false;
}

/** An open pipe has a name by which both of its ends are known. */
async function nameOf(descriptor: number): Promise<string | undefined> {
  return await readlink(path.posix.join(ownFiles, String(descriptor))).catch(() => undefined);
}

async function accessModeOf(descriptor: number): Promise<number | undefined> {
  const info = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch(() => '');
  const flags = /^flags:\s*(?<octal>[0-7]+)$/m.exec(info)?.groups?.['octal'];
  return flags === undefined ? undefined : parseInt(flags, 8) & accessMode;
}

const ownFiles = '/proc/self/fd';
/** The bits of `flags` that say whether a file is read, written, or both. */
const accessMode = 0o3;

/** Streams that cannot be made twice for the same descriptor, and that stay open. */
const kept = new Map<number, Writable>();

/** Returns a stream whose end leaves the file open, at the position where its other writers go on. */
export async function openFileStream(descriptor: number): Promise<Writable> {
  const stats = await statsOf(descriptor);
  if (descriptor === process.stdout.fd) return keepOpen(process.stdout);
  if (descriptor === process.stderr.fd) return keepOpen(process.stderr);
  if (!stats.isSocket() && !stats.isFIFO())
    return createWriteStream('', { fd: descriptor, autoClose: false });
  const known = kept.get(descriptor);
  if (known !== undefined) return keepOpen(known);
  const stream = new Socket({ fd: descriptor, readable: false, writable: true });
  kept.set(descriptor, stream);
  return keepOpen(stream);
}

function keepOpen(stream: Writable): Writable {
  // Each write tells its own failure.
  if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  return new Writable({
    write: (bytes: Uint8Array, _encoding, done) => {
      stream.write(bytes, done);
    },
  });
}
