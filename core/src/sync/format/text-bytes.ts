/** Converts query texts to file bytes and back, exactly: refuses texts that do not survive the round trip. */
import { limits } from '../../../../api/contract/limits.ts';

export type TextProblem =
  | 'empty'
  | 'long'
  /** Invalid UTF-8, or an unpaired surrogate: writing it would change it. */
  | 'notUnicode';

/** Why a pull leaves out a query. `fields`, `sameName`: an index that lists the query could not be read back. */
export type LeftOutProblem = TextProblem | 'fields' | 'sameName';

/** The service would not accept a longer text. */
export const textBytesMax = limits.queryStringMax * 4;

/** Keeps a byte order mark: it is part of the stored text. */
export function textOfBytes(
  bytes: Uint8Array,
): { readonly text: string } | { readonly problem: TextProblem } {
  if (bytes.byteLength > textBytesMax) return { problem: 'long' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const problem = problemOfText(text);
    return problem === undefined ? { text } : { problem };
  } catch {
    return { problem: 'notUnicode' }; // the decoder's only failure
  }
}

export function problemOfText(text: string): TextProblem | undefined {
  if (text === '') return 'empty';
  if (!text.isWellFormed()) return 'notUnicode';
  return text.length > limits.queryStringMax && [...text].length > limits.queryStringMax ? 'long' : undefined;
}
