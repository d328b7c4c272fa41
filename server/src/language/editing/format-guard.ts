/**
 * Ensures that the formatter changes only whitespace and, if allowed, the case of unquoted words. The formatter's
 * output is tokenized, and only its whitespace and letter case are used; everything else comes from the original.
 */
import { dialectTraits, type Dialect } from '../text/dialects.ts';
import { lexDialect } from '../text/lexer/lex-dialect.ts';
import { lex } from '../text/lexer/lex.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';

export interface Allowed {
  readonly dialect?: Dialect | undefined;
  /** Whether the case of unquoted words, which PostgreSQL ignores, may change. */
  readonly changesCase?: boolean;
}

/**
 * Returns the text as the formatter gets it. It knows too few of PostgreSQL's tokens, and only its white space is used,
 * so each unusual token is replaced by a plain one of the same length.
 */
export function plainTokens(text: string): string {
  const { all } = lex(text);
  const parts: string[] = [];
  for (let index = 0; index < all.length; index++) {
    const own = all.textOf(index);
    const plain = plainToken(all.kind(index), own);
    parts.push(plain.length === own.length ? plain : own);
  }
  return parts.join('');
}

function plainToken(kind: TokenKind, own: string): string {
  switch (kind) {
    case TokenKind.string:
      return `'${'x'.repeat(Math.max(0, own.length - 2))}'`;
    case TokenKind.quotedName:
      return `"${'x'.repeat(Math.max(0, own.length - 2))}"`;
    case TokenKind.number:
      return '1'.repeat(own.length);
    case TokenKind.positional:
    case TokenKind.placeholder:
      return 'x'.repeat(own.length);
    case TokenKind.operator:
      return plainOperators.has(own) ? own : (operatorOfLength[own.length] ?? own);
    case TokenKind.punctuation:
      // A colon must never touch the name behind it, or both would be a parameter.
      return own === ':' ? '+' : own;
    default:
      return own;
  }
}

const plainOperators = new Set('+ - * / % = < > <> != <= >= || :: -> ->> #> #>> ~ ~* !~ !~*'.split(' '));
const operatorOfLength: Readonly<Record<number, string>> = { 1: '+', 2: '||', 3: '->>', 4: '!~~*' };

/** Puts the tokens of the text back into its spaced plain form. Undefined if they do not fit. */
export function withTokensOf(
  text: string,
  spaced: string,
  { changesCase = false }: Allowed = {},
): string | undefined {
  const original = lex(text);
  const plain = lex(spaced);
  let result = '';
  let next = nextToken(original, 0);
  for (let index = 0; index < plain.all.length; index++) {
    const kind = plain.all.kind(index);
    const isWord = kind === TokenKind.word && original.all.kind(next) === TokenKind.word;
    const keeps = kind === TokenKind.whitespace || isWord;
    result += keeps ? plain.all.textOf(index) : next < original.all.length ? original.all.textOf(next) : '';
    if (kind !== TokenKind.whitespace) next = nextToken(original, next + 1);
  }
  const read = lex(result);
  return next >= original.all.length &&
    read.problems.length === 0 &&
    hasSameTokens(original, read, changesCase)
    ? result
    : undefined;
}

/** Returns the original's tokens with the whitespace of the formatted text, or undefined if the tokens differ. */
export function withWhiteSpaceOf(
  text: string,
  formatted: string,
  { dialect, changesCase = false }: Allowed = {},
): string | undefined {
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
      // The formatter may reindent comment lines; the original comment is kept.
      (isComment ? withoutSpace(own) === withoutSpace(token) : own === token);
    const isWord = changesCase && isPlainWord(own) && own.toLowerCase() === token.toLowerCase();
    if (!isSame && !(isWord && original.all.kind(next) === given.all.kind(index))) {
      return undefined;
    }
    result += isWord ? token : own;
    next = nextToken(original, next + 1);
  }
  return next === original.all.length && hasSameTokens(original, read(result), changesCase)
    ? result
    : undefined;
}

/** Accepts only ASCII letters, since case folding of other letters depends on the system. */
const isPlainWord = (text: string): boolean => /^[A-Za-z_]+$/.test(text);

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');

function nextToken({ all }: LexedText, from: number): number {
  let index = from;
  while (index < all.length && all.kind(index) === TokenKind.whitespace) {
    index++;
  }
  return index;
}

/** Returns whether both have the same tokens, including comments but ignoring whitespace. */
function hasSameTokens(a: LexedText, b: LexedText, changesCase: boolean): boolean {
  let left = nextToken(a, 0);
  let right = nextToken(b, 0);
  while (left < a.all.length && right < b.all.length) {
    const [own, other] = [a.all.textOf(left), b.all.textOf(right)];
    const isSame =
      own === other || (changesCase && isPlainWord(own) && own.toLowerCase() === other.toLowerCase());
    if (a.all.kind(left) !== b.all.kind(right) || !isSame) {
      return false;
    }
    left = nextToken(a, left + 1);
    right = nextToken(b, right + 1);
  }
  return left === a.all.length && right === b.all.length;
}
