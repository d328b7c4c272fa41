/** Converts query text to file bytes and back without loss. Text that does not survive the round trip is refused. */
import { limits } from '#api/contract/limits.ts';

export type TextProblem =
  | 'empty'
  | 'long'
  /** Contains invalid UTF-8 or an unpaired surrogate, which writing would change. */
  | 'notUnicode';

/**
 * The reason that a pull leaves out a query. For `fields` or `sameName`, an index with the query could not be read
 * back. For `place`, its folder cannot be made.
 */
export type LeftOutProblem = TextProblem | 'fields' | 'sameName' | 'place';

/** The service does not accept longer text. */
export const textBytesMax = limits.queryStringMax * 4;

/** Decodes file bytes. A byte order mark is kept, because it is part of the stored text. */
export function textOfBytes(
  bytes: Uint8Array,
): { readonly text: string } | { readonly problem: TextProblem } {
  if (bytes.byteLength > textBytesMax) return { problem: 'long' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const problem = problemOfText(text);
    return problem === undefined ? { text } : { problem };
  } catch {
    return { problem: 'notUnicode' }; // the only error that the decoder throws
  }
}

export function problemOfText(text: string): TextProblem | undefined {
  if (text === '') return 'empty';
  if (!text.isWellFormed()) return 'notUnicode';
  return text.length > limits.queryStringMax && [...text].length > limits.queryStringMax ? 'long' : undefined;
}
