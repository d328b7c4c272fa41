/** Ensures that formatting changed only white space and, if allowed, the case of unquoted words. */
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';

/** Returns whether both texts have the same tokens, including comments. */
export function hasSameTokens(a: LexedText, b: LexedText, changesCase: boolean): boolean {
  let left = nextToken(a, 0);
  let right = nextToken(b, 0);
  while (left < a.all.length && right < b.all.length) {
    const isComment = a.all.kind(left) === TokenKind.comment;
    const [own, other] = [a, b].map(({ all }, side) => {
      const text = all.textOf(side === 0 ? left : right);
      // In some databases, a line comment ends with its line.
      return isComment ? text.trimEnd() : text;
    });
    const isSame =
      own === other ||
      (changesCase && isPlainWord(own) && isPlainWord(other) && own?.toLowerCase() === other?.toLowerCase());
    if (a.all.kind(left) !== b.all.kind(right) || !isSame) return false;
    left = nextToken(a, left + 1);
    right = nextToken(b, right + 1);
  }
  return left === a.all.length && right === b.all.length;
}

/** Accepts only ASCII letters, since case folding of other letters depends on the system. */
const isPlainWord = (text: string | undefined): boolean => text !== undefined && /^[A-Za-z_]+$/.test(text);

function nextToken({ all }: LexedText, from: number): number {
  let index = from;
  while (index < all.length && all.kind(index) === TokenKind.whitespace) index++;
  return index;
}
