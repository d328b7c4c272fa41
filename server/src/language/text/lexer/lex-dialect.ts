/**
 * Tokenizes text in other dialects. It does not implement all their rules, so it also reports the first ambiguous
 * position. There, the meaning depends on server settings, or the dialect's parser may disagree, for example because it
 * treats every backslash as an escape. Text after that position is never proven harmless.
 */
import type { DialectTraits } from '../dialects.ts';
import { TokenKind, TokenList, type LexedText } from './tokens.ts';

export interface DialectText extends LexedText {
  /** UTF-16 offset of the first ambiguous position; undefined if there is none. */
  readonly ambiguousAt: number | undefined;
}

const space = /\s+/y;
const word = /[\p{L}_@][\p{L}\p{N}\p{M}_$@]*/uy;
const temporaryName = /##?[\p{L}_][\p{L}\p{N}_$]*/uy;
const number = /0x[0-9a-f]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const placeholder = /:[A-Za-z_][A-Za-z0-9_]*/y;
const dollarTag = /\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$/y;
const operator = /::|:=|[-+*/<>=~!@#%^&|?$\\]/y;
const lineEnd = /[\r\n\u0085\u2028\u2029]/;

export function lexDialect(text: string, traits: DialectTraits): DialectText {
  const all = new TokenList(text);
  const code = new TokenList(text);
  let ambiguousAt: number | undefined;
  const doubt = (offset: number): void => {
    ambiguousAt ??= offset;
  };
  let start = 0;
  while (start < text.length) {
    const [kind, end] = scan(text, start, traits, doubt);
    all.push(kind, start, end);
    if (kind !== TokenKind.whitespace && kind !== TokenKind.comment) code.push(kind, start, end);
    start = end;
  }
  return { text, all, code, problems: [], ambiguousAt };
}

type Scanned = readonly [kind: TokenKind, end: number];

function scan(text: string, start: number, traits: DialectTraits, doubt: (offset: number) => void): Scanned {
  const character = text.charAt(start);
  const next = text.charAt(start + 1);
  const spaceEnd = endOf(space, text, start);
  if (spaceEnd !== undefined) return [TokenKind.whitespace, spaceEnd];
  if (isLineComment(text, start, traits, doubt))
    return [TokenKind.comment, endOfLineComment(text, start, doubt)];
  if (character === '/' && next === '*') return [TokenKind.comment, endOfBlockComment(text, start, doubt)];
  if (character === "'" || character === '"') {
    const kind =
      character === "'" || traits.doubleQuotes === 'string' ? TokenKind.string : TokenKind.quotedName;
    return [kind, endOfQuoted(text, start, traits, doubt)];
  }
  if (character === '`' || (character === '[' && traits.bracketNames === true))
    return [TokenKind.quotedName, endOfName(text, start, traits, doubt)];
  if (character === '$') {
    const tagEnd = endOf(dollarTag, text, start);
    if (tagEnd !== undefined) return endOfDollarString(text, start, tagEnd, traits, doubt);
  }
  if (character === '#') {
    // A temporary table in Transact-SQL. In other dialects, the parser treats it as a comment, but the server may not.
    const end = endOf(temporaryName, text, start);
    if (end !== undefined && traits.statementsRunOn === true) return [TokenKind.word, end];
    doubt(start);
  }
  if (character === '\0' || character === '\\') doubt(start);
  return scanPlain(text, start);
}

function scanPlain(text: string, start: number): Scanned {
  const wordEnd = endOf(word, text, start);
  if (wordEnd !== undefined) return [TokenKind.word, wordEnd];
  const numberEnd = endOf(number, text, start);
  if (numberEnd !== undefined) return [TokenKind.number, numberEnd];
  const placeholderEnd = endOf(placeholder, text, start);
  // In Snowflake, `column:path` accesses a field of a document.
  if (placeholderEnd !== undefined && !/[\p{L}\p{N}_"'\])`:]/u.test(text.charAt(start - 1)))
    return [TokenKind.placeholder, placeholderEnd];
  const operatorEnd = endOf(operator, text, start);
  if (operatorEnd !== undefined) return [TokenKind.operator, operatorEnd];
  return [TokenKind.punctuation, start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)];
}

function isLineComment(
  text: string,
  start: number,
  traits: DialectTraits,
  doubt: (offset: number) => void,
): boolean {
  if (text.startsWith('--', start)) {
    const isComment = traits.dashesNeedSpace !== true || /^[\s\x01-\x1f]?$/.test(text.charAt(start + 2));
    if (!isComment) {
      // The parser sees a comment where the server sees an operator.
      doubt(start);
    }
    return isComment;
  }
  if (text.startsWith('//', start) && traits.slashComments === true) {
    doubt(start);
    return true;
  }
  return text.charAt(start) === '#' && traits.hashComments === true;
}

/** Ends at a line feed, since dialects disagree about other line endings. */
function endOfLineComment(text: string, start: number, doubt: (offset: number) => void): number {
  const feed = text.indexOf('\n', start);
  const end = feed < 0 ? text.length : feed;
  const comment = text.slice(start, end).replace(/\r$/, '');
  if (lineEnd.test(comment)) doubt(start);
  return end;
}

/**
 * Comments are ambiguous if nested, which only some dialects support, or if they start with `/*!`, since MySQL executes
 * those.
 */
function endOfBlockComment(text: string, start: number, doubt: (offset: number) => void): number {
  const close = text.indexOf('*/', start + 2);
  const end = close < 0 ? text.length : close + 2;
  const body = text.slice(start + 2, close < 0 ? end : close);
  if (close < 0 || body.includes('/*') || /^M?!/.test(body)) doubt(start);
  return end;
}

function endOfQuoted(
  text: string,
  start: number,
  { backslashEscapes, doubleQuotes }: DialectTraits,
  doubt: (offset: number) => void,
): number {
  const quote = text.charAt(start);
  const plain = endOfString(text, start, false);
  const escaped = endOfString(text, start, true);
  const isTriple = text.startsWith(quote.repeat(3), start) && doubleQuotes === 'string';
  if ((plain !== escaped && backslashEscapes !== 'always') || isTriple) doubt(start);
  // The parser treats a quoted name like a string, but the server may not.
  if (plain !== escaped && quote === '"' && doubleQuotes === 'name') doubt(start);
  const end = backslashEscapes === 'never' ? plain : escaped;
  if (end === text.length && (end === start + 1 || text.charAt(end - 1) !== quote)) doubt(start);
  return end;
}

/** A doubled quote inside a string means one quote. */
function endOfString(text: string, start: number, hasEscapes: boolean): number {
  const quote = text.charAt(start);
  let at = start + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (hasEscapes && character === '\\') {
      at += 2;
    } else if (character !== quote) {
      at++;
    } else if (text.charAt(at + 1) === quote) {
      at += 2;
    } else {
      return at + 1;
    }
  }
  return text.length;
}

function endOfName(
  text: string,
  start: number,
  { backtickNames }: DialectTraits,
  doubt: (offset: number) => void,
): number {
  const isBacktick = text.charAt(start) === '`';
  const close = text.indexOf(isBacktick ? '`' : ']', start + 1);
  const end = close < 0 ? text.length : close + 1;
  const name = text.slice(start, end);
  // After a doubled bracket, the name continues in Transact-SQL, but ends in SQLite.
  const goesOn = text.charAt(end) === text.charAt(end - 1);
  if (close < 0 || goesOn || name.includes('\\') || (isBacktick && backtickNames !== true)) doubt(start);
  return end;
}

function endOfDollarString(
  text: string,
  start: number,
  tagEnd: number,
  { dollarStrings }: DialectTraits,
  doubt: (offset: number) => void,
): Scanned {
  doubt(start);
  if (dollarStrings !== true) return [TokenKind.operator, tagEnd];
  const tag = text.slice(start, tagEnd);
  const close = text.indexOf(tag, tagEnd);
  return [TokenKind.string, close < 0 ? text.length : close + tag.length];
}

/** Returns the end of a sticky pattern's match at the index, or undefined. */
function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
