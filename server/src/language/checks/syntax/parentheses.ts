/** Finds the parentheses around a token. */
import type { TokenList } from '#server/language/text/lexer/tokens.ts';

/**
 * Returns the parenthesis of the same statement that directly encloses the token; undefined if there is none.
 *
 * @param isPlain whether it must be the opening one of plain values, with no other parentheses before the token
 */
export function openingAround(code: TokenList, at: number, isPlain = false): number | undefined {
  let depth = 0;
  for (let index = at - 1; index >= 0 && !code.is(index, ';'); index--) {
    if (code.is(index, '(') && depth-- === 0) return index;
    if (code.is(index, ')')) {
      if (isPlain) return undefined;
      depth++;
    }
  }
  return undefined;
}

/** Returns the token that closes the parenthesis, or the number of tokens if none does. */
export function closingOf(code: TokenList, open: number): number {
  let depth = 0;
  let at = open;
  for (; at < code.length; at++) {
    depth += code.is(at, '(') ? 1 : code.is(at, ')') ? -1 : 0;
    if (depth === 0) break;
  }
  return at;
}
