/** Reads the text of a query from a file, or from standard input if the file is `-`. */
import path from 'node:path';
import type { Readable } from 'node:stream';
import { FileRefusal, readNamed, refusedWords } from '#base/files/bounded-file.ts';
import { unreadableWords } from '#base/files/disk-messages.ts';
import { CliError, type CliContext } from './context.ts';

/** Far more than any text or list of models has. A device or a pipe may have no end. */
export const textBytesMax = 64 * 1_048_576;

/** Returns the text without a byte order mark. @throws CliError */
export async function readText(
  file: string,
  { cwd, stdin }: Pick<CliContext, 'cwd' | 'stdin'>,
): Promise<string> {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  let bytes: Uint8Array;
  try {
    bytes = file === '-' ? await readInput(stdin) : await readNamed(path.resolve(cwd, file), textBytesMax);
  } catch (error) {
    throw new CliError(`Cannot read ${name}: ${failureWords(error)}.`, [], { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliError(`Cannot read ${name}: it is not UTF-8 text.`, [], { cause: error });
  }
}

async function readInput(stdin: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const piece of stdin) {
    const bytes = Buffer.from(piece as Uint8Array | string); // a stream of bytes or texts
    total += bytes.length;
    if (total > textBytesMax) throw new FileRefusal('too-large');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

/** Returns why a file or standard input could not be read, as text that follows a colon. */
export function failureWords(error: unknown): string {
  if (error instanceof FileRefusal) return refusedWords(error);
  return unreadableWords(error) ?? (error instanceof Error ? error.message : 'for an unknown reason');
}
