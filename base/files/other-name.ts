/** Gives a file another name for a time. */
import { copyFile, link, symlink } from 'node:fs/promises';

type Way = (file: string, name: string) => Promise<void>;

/** Windows lets few people make the first, and the second works on one drive. */
const allWays: readonly Way[] = [symlink, link, copyFile];

/** @throws the error of the last way, if none works. */
export async function giveOtherName(
  file: string,
  name: string,
  [way, ...others]: readonly Way[] = allWays,
): Promise<void> {
  try {
    await way?.(file, name);
  } catch (error) {
    if (others.length === 0) throw error;
    await giveOtherName(file, name, others);
  }
}
