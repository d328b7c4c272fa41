/** Local files with a person's work: private, and intact after a power cut. */
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';

/** Only the person can read it. An existing folder stays unchanged. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Writes a private file. Resolves when it would survive a power cut. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames a complete file once its bytes are on disk: a crash never leaves an empty file under the final name. */
export async function putInPlace(draft: string, target: string): Promise<void> {
  const handle = await open(draft, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, target);
  await syncFolder(path.dirname(target));
}

/** Syncs the new name too. Some systems cannot sync a folder; the bytes are safe either way. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
