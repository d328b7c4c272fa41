/** Reads the text of a query from a file, or from standard input if the file is `-`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { unreadableWords } from '#base/files/disk-words.ts';
import { CliError, type CliContext } from './context.ts';

/** Returns the text without a byte order mark. @throws CliError */
export async function readText(
  file: string,
  { cwd, stdin }: Pick<CliContext, 'cwd' | 'stdin'>,
): Promise<string> {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  let bytes: Uint8Array;
  try {
    bytes = file === '-' ? await buffer(stdin) : await readFile(path.resolve(cwd, file));
  } catch (error) {
    const reason =
      unreadableWords(error) ?? (error instanceof Error ? error.message : 'for an unknown reason');
    throw new CliError(`Cannot read ${name}: ${reason}.`, [], { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliError(`Cannot read ${name}: it is not UTF-8 text.`, [], { cause: error });
  }
}
