/** Files of this machine that hold what a person works on: for that person's eyes, and whole also after a power cut. */
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';

/** Only the person may look into it. Where it is there already, it stays as it is. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Writes a file that nobody else may read. Resolves when it would survive a power cut. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a file that is whole its final name, once its bytes are on the disk: never an empty file under a good name. */
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

/** The new name too. Not every system lets a folder be synced, and none needs it for the bytes. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
