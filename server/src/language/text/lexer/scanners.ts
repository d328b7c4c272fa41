/** Finds the end of each kind of token. If the text ends first, reports a problem. */
import {
  quote,
  doubleQuote,
  dollar,
  backslash,
  dot,
  minus,
  plus,
  slash,
  star,
  underscore,
  operatorBit,
  has,
  isSpace,
  isDigit,
  isNameStart,
  isNamePart,
  isLineEnd,
} from './characters.ts';
import type { LexicalFault } from './tokens.ts';

/** The end of a token, and its problem, if any. */
export interface Scanned {
  readonly end: number;
  readonly fault?: LexicalFault;
}

export function endOfSpace(text: string, start: number): number {
  let end = start + 1;
  while (isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** A lone carriage return also ends a line. */
export function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}

export function scanBlockComment(text: string, start: number): Scanned {
  let depth = 1;
  let end = start + 2;
  while (end < text.length) {
    const first = text.charCodeAt(end);
    const second = text.charCodeAt(end + 1);
    if (first === slash && second === star) {
      depth++;
      end += 2;
    } else if (first === star && second === slash) {
      depth--;
      end += 2;
      if (depth === 0) return { end };
    } else {
      end++;
    }
  }
  return { end: text.length, fault: 'unterminated-comment' };
}

/**
 * Scans from the opening quote to the end of the closing quote, including parts that continue the string on other
 * lines.
 */
export function scanString(text: string, opening: number, style: 'plain' | 'escapes' | 'bits'): Scanned {
  let start = opening;
  for (;;) {
    const end = endOfQuoted(text, start, style);
    if (end === undefined) return { end: text.length, fault: 'unterminated-string' };
    const next = nextContinuation(text, end);
    if (next === undefined) return { end };
    start = next;
  }
}

function endOfQuoted(text: string, opening: number, style: 'plain' | 'escapes' | 'bits'): number | undefined {
  let position = opening + 1;
  while (position < text.length) {
    const character = text.charCodeAt(position);
    if (character === backslash && style === 'escapes') {
      position += 2;
    } else if (character !== quote) {
      position++;
    } else if (style !== 'bits' && text.charCodeAt(position + 1) === quote) {
      position += 2;
    } else {
      return position + 1;
    }
  }
  return undefined;
}

/** Returns the opening quote of the next part, if only line comments and whitespace with a line break precede it. */
function nextContinuation(text: string, start: number): number | undefined {
  let position = start;
  let crossedLine = false;
  for (;;) {
    const character = text.charCodeAt(position);
    if (isSpace(character)) {
      crossedLine ||= isLineEnd(character);
      position++;
    } else if (character === minus && text.charCodeAt(position + 1) === minus) {
      position = endOfLine(text, position);
      if (position === text.length) return undefined;
    } else {
      return crossedLine && character === quote ? position : undefined;
    }
  }
}

/**
 * Returns the comments between the parts of a continued string. A dollar-quoted one is never continued.
 * @param start start of the string's token
 * @param end end of the string's token
 */
export function* commentsInString(
  text: string,
  start: number,
  end: number,
): Generator<{ readonly start: number; readonly end: number }> {
  if (text.charCodeAt(start) === dollar) return;
  const style = stylesByPrefix.get(text.charAt(start).toLowerCase()) ?? 'plain';
  let position = endOfQuoted(text, text.indexOf("'", start), style) ?? end;
  while (position < end) {
    const character = text.charCodeAt(position);
    if (character === minus) {
      const endOfComment = endOfLine(text, position);
      yield { start: position, end: endOfComment };
      position = endOfComment;
    } else {
      position = character === quote ? (endOfQuoted(text, position, style) ?? end) : position + 1;
    }
  }
}

const stylesByPrefix: ReadonlyMap<string, 'escapes' | 'bits'> = new Map([
  ['e', 'escapes'],
  ['b', 'bits'],
  ['x', 'bits'],
] as const);

export function scanQuotedName(text: string, opening: number): Scanned {
  let position = opening + 1;
  for (;;) {
    const closing = text.indexOf('"', position);
    if (closing < 0) return { end: text.length, fault: 'unterminated-quoted-name' };
    if (text.charCodeAt(closing + 1) !== doubleQuote) return { end: closing + 1 };
    position = closing + 2;
  }
}

/** Scans `12`, `1_000`, `0x1F`, `0o7`, `0b1`, `1.5`, `1.`, `.5` and `1e5`, but only the `1` in `1..2`. */
export function scanNumber(text: string, start: number): Scanned {
  const radixDigits = digitsOfRadix(text.charAt(start), text.charAt(start + 1));
  let end = start;
  let endsInLetters = radixDigits !== undefined;
  if (radixDigits !== undefined) {
    end = start + 2;
    const isPart = (at: number): boolean => at < text.length && radixDigits.includes(text.charAt(at));
    while (isPart(end) || (text.charCodeAt(end) === underscore && isPart(end + 1))) end++;
    if (end === start + 2) return { end: endOfJunk(text, end), fault: 'junk-after-number' };
  } else {
    if (isDigit(text.charCodeAt(end))) end = endOfDigits(text, end);
    if (text.charCodeAt(end) === dot && text.charCodeAt(end + 1) !== dot) {
      end++;
      if (isDigit(text.charCodeAt(end))) end = endOfDigits(text, end);
    }
    const mantissaEnd = end;
    end = endOfExponent(text, end);
    endsInLetters = end > mantissaEnd;
  }
  // After a number with letters, such as `0x1` or `1e5`, digits and `$` are also junk. As in PostgreSQL, the longest
  // match wins.
  if ((endsInLetters ? isNamePart : isNameStart)(text.charCodeAt(end)))
    return { end: endOfJunk(text, end), fault: 'junk-after-number' };
  return { end };
}

function digitsOfRadix(zero: string, letter: string): string | undefined {
  if (zero !== '0') return undefined;
  switch (letter) {
    case 'x':
    case 'X':
      return '0123456789abcdefABCDEF';
    case 'o':
    case 'O':
      return '01234567';
    case 'b':
    case 'B':
      return '01';
    default:
      return undefined;
  }
}

/** Scans digits, optionally separated by single underscores. */
export function endOfDigits(text: string, start: number): number {
  let end = start;
  while (
    isDigit(text.charCodeAt(end)) ||
    (text.charCodeAt(end) === underscore && end > start && isDigit(text.charCodeAt(end + 1)))
  ) {
    end++;
  }
  return end;
}

function endOfExponent(text: string, start: number): number {
  const letter = text.charAt(start);
  if (letter !== 'e' && letter !== 'E') return start;
  let digits = start + 1;
  const sign = text.charCodeAt(digits);
  if (sign === plus || sign === minus) digits++;
  return isDigit(text.charCodeAt(digits)) ? endOfDigits(text, digits) : start;
}

/** Scans a name directly after a number, as in `12abc`. PostgreSQL rejects the two together. */
export function endOfJunk(text: string, start: number): number {
  let end = start;
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Ends of operators. A run of operator characters ends before a comment. An operator of several characters may end in
 * `+` or `-` only if it contains a character that no standard operator uses; otherwise the rest of its run is read
 * again. So the last run is kept, or `+++...` would take quadratic time.
 */
export class OperatorRuns {
  readonly #text: string;
  #start = 0;
  #end = 0;
  #lastUnusual = -1;
  /** Of the last character other than `+` and `-`. */
  #lastOther = -1;

  constructor(text: string) {
    this.#text = text;
  }

  endOf(start: number): number {
    if (start < this.#start || start >= this.#end) this.#measure(start);
    return this.#lastUnusual >= start ? this.#end : Math.max(start, this.#lastOther) + 1;
  }

  #measure(start: number): void {
    const text = this.#text;
    this.#start = start;
    this.#lastUnusual = -1;
    this.#lastOther = -1;
    let end = start;
    for (; has(text.charCodeAt(end), operatorBit); end++) {
      const first = text.charCodeAt(end);
      const second = text.charCodeAt(end + 1);
      const isComment = (first === minus && second === minus) || (first === slash && second === star);
      if (end > start && isComment) break;
      if ('~!@#^&|`?%'.includes(text.charAt(end))) this.#lastUnusual = end;
      if (first !== plus && first !== minus) this.#lastOther = end;
    }
    this.#end = end;
  }
}
