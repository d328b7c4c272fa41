/** Saves rows in places that are not on this machine's disk. */
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** For targets that take all bytes at once, such as a virtual workspace. */
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
