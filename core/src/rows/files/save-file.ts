/**
 * Writes a file atomically: to a temporary file in the same folder, which then replaces the target. A cancelled or
 * failed write leaves no temporary file and does not change an existing file.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { draftNameOf } from '#base/files/file-name.ts';
import { putInPlace } from '#base/files/private-file.ts';

/** @param write writes to the given path, at which no file exists. */
export async function saveFile<Outcome>(
  target: string,
  write: (path: string) => Promise<Outcome>,
): Promise<Outcome> {
  // In the same folder, since a rename across file systems would be a copy.
  const draft = path.join(path.dirname(target), draftNameOf(target));
  try {
    const outcome = await write(draft);
    await putInPlace(draft, target);
    return outcome;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Like `saveFile`, for targets that take all bytes at once, such as a virtual workspace. */
export async function saveElsewhere<Outcome>(
  write: (path: string) => Promise<Outcome>,
  put: (bytes: Uint8Array) => Promise<void>,
): Promise<Outcome> {
  const draft = path.join(os.tmpdir(), `identity-queries-${randomBytes(12).toString('hex')}.part`);
  try {
    const outcome = await write(draft);
    await put(await readFile(draft));
    return outcome;
  } finally {
    await rm(draft, { force: true });
  }
}
