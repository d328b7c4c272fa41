import { FileRefusal } from '../files/bounded-file.ts';

interface LineOptions {
  /** Whether to skip a last line without LF as incomplete. */
  readonly isLastWhole?: boolean;
  /** The most characters of a line, in a stream that may never end. */
  readonly charactersMax?: number;
}

/**
 * Reads the lines of a byte stream. Only LF ends a line, because JSON strings may contain other line endings.
 * @throws FileRefusal if a line is too long.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array | string>,
  { isLastWhole = false, charactersMax = Infinity }: LineOptions = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const [first = '', ...others] = (
      typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    ).split('\n');
    pieces.push(first);
    length += first.length;
    if (length > charactersMax) throw new FileRefusal('too-large');
    const next = others.pop();
    if (next === undefined) continue;
    yield pieces.join('');
    yield* others;
    pieces.splice(0, pieces.length, next);
    length = next.length;
  }
  const rest = pieces.join('') + decoder.decode();
  if (rest !== '' && !isLastWhole) yield rest;
}
