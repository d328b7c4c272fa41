/** Texts of queries as bytes of files and back, exactly: what is not the same after both ways is refused. */
import { limits } from '../../../../api/contract/limits.ts';

export type TextProblem =
  | 'empty'
  | 'long'
  /** Bytes that are no UTF-8, or half of a character: writing it would change it. */
  | 'notUnicode';

/** More bytes cannot be a text that a service takes. */
export const textBytesMax = limits.queryStringMax * 4;

/** Keeps a byte order mark: it is part of what the service holds. */
export function textOfBytes(
  bytes: Uint8Array,
): { readonly text: string } | { readonly problem: TextProblem } {
  if (bytes.byteLength > textBytesMax) return { problem: 'long' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const problem = problemOfText(text);
    return problem === undefined ? { text } : { problem };
  } catch {
    return { problem: 'notUnicode' }; // all that the decoder fails for
  }
}

export function problemOfText(text: string): TextProblem | undefined {
  if (text === '') return 'empty';
  if (!text.isWellFormed()) return 'notUnicode';
  return text.length > limits.queryStringMax && [...text].length > limits.queryStringMax ? 'long' : undefined;
}
