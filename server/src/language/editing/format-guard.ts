/**
 * What a formatter may change: white space, and nothing else. Its text is taken apart again, and only its white space
 * is used; every token and every comment is the original's own.
 */
import { dialectTraits, type Dialect } from '../text/dialects.ts';
import { lexDialect } from '../text/lexer/lex-dialect.ts';
import { lex } from '../text/lexer/lex.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';

/** The original's tokens in the white space of the formatted text; undefined where the tokens are not the same. */
export function withWhiteSpaceOf(text: string, formatted: string, dialect?: Dialect): string | undefined {
  const read = (each: string): LexedText =>
    dialect === undefined ? lex(each) : lexDialect(each, dialectTraits[dialect]);
  const original = read(text);
  const given = read(formatted.trim());
  if (original.problems.length > 0 || given.problems.length > 0) {
    return undefined;
  }
  const lineEnd = original.text.includes('\r\n') ? '\r\n' : '\n';
  let result = '';
  let next = nextToken(original, 0);
  for (let index = 0; index < given.all.length; index++) {
    const token = given.all.textOf(index);
    if (given.all.kind(index) === TokenKind.whitespace) {
      result += token.replaceAll(/\r\n|\r|\n/g, lineEnd);
      continue;
    }
    const own = original.all.textOf(next);
    const isComment = original.all.kind(next) === TokenKind.comment;
    const isSame =
      original.all.kind(next) === given.all.kind(index) &&
      // The lines of a comment may be indented anew: the original's are kept.
      (isComment ? withoutSpace(own) === withoutSpace(token) : own === token);
    if (!isSame) {
      return undefined;
    }
    result += own;
    next = nextToken(original, next + 1);
  }
  return next === original.all.length && hasSameTokens(original, read(result)) ? result : undefined;
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');

function nextToken({ all }: LexedText, from: number): number {
  let index = from;
  while (index < all.length && all.kind(index) === TokenKind.whitespace) {
    index++;
  }
  return index;
}

/** The last word: both texts have the same tokens, comments among them, white space aside. */
function hasSameTokens(a: LexedText, b: LexedText): boolean {
  let left = nextToken(a, 0);
  let right = nextToken(b, 0);
  while (left < a.all.length && right < b.all.length) {
    if (a.all.kind(left) !== b.all.kind(right) || a.all.textOf(left) !== b.all.textOf(right)) {
      return false;
    }
    left = nextToken(a, left + 1);
    right = nextToken(b, right + 1);
  }
  return left === a.all.length && right === b.all.length;
}
