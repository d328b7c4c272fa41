/**
 * Splits SQL text into tokens by PostgreSQL's lexical rules (its manual, "Lexical Structure"), in one pass and
 * whatever the text: what PostgreSQL would refuse becomes an `invalid` token with a problem, and reading goes on.
 * The tokens cover the text: joined, they give it back. One thing is ours: `:name` is a placeholder.
 */
import { keywords } from './keywords.ts';

export const TokenKind = {
  whitespace: 0,
  comment: 1,
  /** An unquoted name or key word. */
  word: 2,
  quotedName: 3,
  /** Any string constant: quoted, E, U&, N, B, X, dollar-quoted. Continued strings are one token. */
  string: 4,
  number: 5,
  operator: 6,
  /** One of `, ; ( ) [ ] . :`, or `..`. */
  punctuation: 7,
  /** `$1` */
  positional: 8,
  /** `:name` */
  placeholder: 9,
  invalid: 10,
} as const;
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

export type LexicalFault =
  | 'unterminated-string'
  | 'unterminated-quoted-name'
  | 'unterminated-comment'
  | 'unterminated-dollar-quote'
  | 'junk-after-number'
  | 'nul-character'
  | 'unexpected-character';

export interface LexicalProblem {
  readonly fault: LexicalFault;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

export interface LexedText {
  readonly text: string;
  /** Every token, white space and comments included. */
  readonly all: TokenList;
  /** The tokens that mean something: no white space, no comments. */
  readonly code: TokenList;
  readonly problems: readonly LexicalProblem[];
}

/** Tokens as columns: a text of 100 KB has tens of thousands of them. Offsets are UTF-16 units. */
export class TokenList {
  readonly text: string;
  #length = 0;
  #kinds: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;

  constructor(text: string) {
    this.text = text;
    const capacity = 16 + (text.length >> 1);
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** `invalid` outside the list, so that looking past an end needs no test. */
  kind(index: number): TokenKind {
    return index >= 0 && index < this.#length
      ? // Only push() writes, and it takes a TokenKind.
        (this.#kinds[index] as TokenKind)
      : TokenKind.invalid;
  }

  start(index: number): number {
    return index >= 0 && index < this.#length ? (this.#starts[index] ?? 0) : this.text.length;
  }

  end(index: number): number {
    return index >= 0 && index < this.#length ? (this.#ends[index] ?? 0) : this.text.length;
  }

  /** The token's text; empty outside the list. */
  textOf(index: number): string {
    return index >= 0 && index < this.#length ? this.text.slice(this.start(index), this.end(index)) : '';
  }

  /** The lower-case text of an unquoted word; empty for anything else. */
  word(index: number): string {
    return this.kind(index) === TokenKind.word ? this.textOf(index).toLowerCase() : '';
  }

  /** Whether the token is exactly this punctuation or operator. */
  is(index: number, symbol: string): boolean {
    const kind = this.kind(index);
    return (
      (kind === TokenKind.punctuation || kind === TokenKind.operator) &&
      this.end(index) - this.start(index) === symbol.length &&
      this.text.startsWith(symbol, this.start(index))
    );
  }

  /** The index of the token that holds the offset or, between tokens, of the next one; `length` past the last. */
  at(offset: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  push(kind: TokenKind, start: number, end: number): void {
    if (this.#length === this.#kinds.length) {
      this.#grow();
    }
    this.#kinds[this.#length] = kind;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length++;
  }

  #grow(): void {
    const capacity = this.#kinds.length * 2;
    const grow = <T extends Uint8Array | Uint32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#kinds = grow(this.#kinds, new Uint8Array(capacity));
    this.#starts = grow(this.#starts, new Uint32Array(capacity));
    this.#ends = grow(this.#ends, new Uint32Array(capacity));
  }
}

const code = (character: string): number => character.charCodeAt(0);
const lineFeed = 10;
const carriageReturn = 13;
const quote = code("'");
const doubleQuote = code('"');
const backslash = code('\\');
const dollar = code('$');
const dot = code('.');
const colon = code(':');
const minus = code('-');
const plus = code('+');
const slash = code('/');
const star = code('*');
const underscore = code('_');
const ampersand = code('&');
const openParenthesis = code('(');
const closeParenthesis = code(')');
const openBracket = code('[');
const closeBracket = code(']');

/** Classes of ASCII characters, as bits. Characters beyond ASCII are name characters. */
const spaceBit = 1;
const nameStartBit = 2;
const namePartBit = 4;
const digitBit = 8;
const hexDigitBit = 16;
const operatorBit = 32;
const tagPartBit = 64;
const classes = new Uint8Array(128);
function mark(characters: string, bits: number): void {
  for (const character of characters) {
    classes[code(character)] = (classes[code(character)] ?? 0) | bits;
  }
}
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
mark(' \t\n\r\f\v', spaceBit);
mark(`${letters}_`, nameStartBit | namePartBit | tagPartBit);
mark('0123456789', namePartBit | tagPartBit | digitBit | hexDigitBit);
mark('$', namePartBit);
mark('abcdefABCDEF', hexDigitBit);
mark('~!@#^&|`?+-*/%<>=', operatorBit);

const has = (character: number, bits: number): boolean =>
  character < 128 && ((classes[character] ?? 0) & bits) !== 0;
const isSpace = (character: number): boolean => has(character, spaceBit);
const isDigit = (character: number): boolean => has(character, digitBit);
const isNameStart = (character: number): boolean => character > 127 || has(character, nameStartBit);
const isNamePart = (character: number): boolean => character > 127 || has(character, namePartBit);
const isTagPart = (character: number): boolean => character > 127 || has(character, tagPartBit);
const isLineEnd = (character: number): boolean => character === lineFeed || character === carriageReturn;

/** What a scan found: where it ended, and what is wrong with it, if anything. */
interface Scanned {
  readonly end: number;
  readonly fault?: LexicalFault;
}

/** Reserved words that end an operand, as a name would. The other reserved words are followed by one. */
const operandWords = new Set(
  `null true false end user current_user session_user current_role current_catalog current_schema current_date
   current_time current_timestamp localtime localtimestamp system_user default`.split(/\s+/),
);

/** Reads the whole text. Takes 1 to 4 ms for 100 KB. */
export function lex(text: string): LexedText {
  const all = new TokenList(text);
  const significant = new TokenList(text);
  const problems: LexicalProblem[] = [];
  const context = new ColonContext(text);

  let position = 0;
  const push = (kind: TokenKind, end: number, fault?: LexicalFault): void => {
    const start = position;
    position = end;
    if (fault !== undefined) {
      problems.push({ fault, start, end });
      kind = TokenKind.invalid;
    }
    all.push(kind, start, end);
    if (kind !== TokenKind.whitespace && kind !== TokenKind.comment) {
      significant.push(kind, start, end);
      context.advance(kind, start, end);
    }
  };

  while (position < text.length) {
    const first = text.charCodeAt(position);
    const second = text.charCodeAt(position + 1);
    if (isSpace(first)) {
      push(TokenKind.whitespace, endOfSpace(text, position));
    } else if (first === minus && second === minus) {
      push(TokenKind.comment, endOfLine(text, position));
    } else if (first === slash && second === star) {
      const { end, fault } = scanBlockComment(text, position);
      push(TokenKind.comment, end, fault);
    } else if (isNameStart(first)) {
      scanFromName(text, position, push);
    } else if (first === quote) {
      const { end, fault } = scanString(text, position, 'plain');
      push(TokenKind.string, end, fault);
    } else if (first === doubleQuote) {
      const { end, fault } = scanQuotedName(text, position);
      push(TokenKind.quotedName, end, fault);
    } else if (isDigit(first) || (first === dot && isDigit(second))) {
      const { end, fault } = scanNumber(text, position);
      push(TokenKind.number, end, fault);
    } else if (first === dollar) {
      scanFromDollar(text, position, push);
    } else if (first === colon) {
      scanFromColon(text, position, context, push);
    } else if (has(first, operatorBit)) {
      push(TokenKind.operator, endOfOperator(text, position));
    } else if (first === dot && second === dot) {
      push(TokenKind.punctuation, position + 2);
    } else if (',;()[].'.includes(text.charAt(position))) {
      push(TokenKind.punctuation, position + 1);
    } else {
      push(TokenKind.invalid, position + 1, first === 0 ? 'nul-character' : 'unexpected-character');
    }
  }
  return { text, all, code: significant, problems };
}

type Push = (kind: TokenKind, end: number, fault?: LexicalFault) => void;

/** A word, unless the letter is the prefix of a constant: `E'...'`, `U&"..."`. */
function scanFromName(text: string, start: number, push: Push): void {
  const prefix = text.charAt(start).toLowerCase();
  const next = text.charCodeAt(start + 1);
  if (next === quote && (prefix === 'e' || prefix === 'n')) {
    const { end, fault } = scanString(text, start + 1, prefix === 'e' ? 'escapes' : 'plain');
    push(TokenKind.string, end, fault);
    return;
  }
  if (next === quote && (prefix === 'b' || prefix === 'x')) {
    const { end, fault } = scanString(text, start + 1, 'bits');
    push(TokenKind.string, end, fault);
    return;
  }
  if (prefix === 'u' && next === ampersand) {
    const opening = text.charCodeAt(start + 2);
    if (opening === quote) {
      const { end, fault } = scanString(text, start + 2, 'plain');
      push(TokenKind.string, end, fault);
      return;
    }
    if (opening === doubleQuote) {
      const { end, fault } = scanQuotedName(text, start + 2);
      push(TokenKind.quotedName, end, fault);
      return;
    }
  }
  let end = start + 1;
  while (end < text.length && isNamePart(text.charCodeAt(end))) {
    end++;
  }
  push(TokenKind.word, end);
}

/** `$1`, `$$...$$`, `$tag$...$tag$`, or a stray dollar sign. */
function scanFromDollar(text: string, start: number, push: Push): void {
  let end = start + 1;
  if (isDigit(text.charCodeAt(end))) {
    end = endOfDigits(text, end);
    if (isNameStart(text.charCodeAt(end))) {
      push(TokenKind.invalid, endOfJunk(text, end), 'junk-after-number');
    } else {
      push(TokenKind.positional, end);
    }
    return;
  }
  if (isNameStart(text.charCodeAt(end))) {
    while (end < text.length && isTagPart(text.charCodeAt(end))) {
      end++;
    }
  }
  if (text.charCodeAt(end) !== dollar) {
    push(TokenKind.invalid, start + 1, 'unexpected-character');
    return;
  }
  const delimiter = text.slice(start, end + 1);
  const closing = text.indexOf(delimiter, end + 1);
  if (closing < 0) {
    push(TokenKind.invalid, text.length, 'unterminated-dollar-quote');
  } else {
    push(TokenKind.string, closing + delimiter.length);
  }
}

/** `::`, `:=`, a placeholder, or the bare colon of an array slice or of a JSON constructor. */
function scanFromColon(text: string, start: number, context: ColonContext, push: Push): void {
  const next = text.charCodeAt(start + 1);
  if (next === colon || text.charAt(start + 1) === '=') {
    push(TokenKind.operator, start + 2);
    return;
  }
  if (has(next, nameStartBit) && !context.isSeparator()) {
    let end = start + 2;
    while (has(text.charCodeAt(end), tagPartBit)) {
      end++;
    }
    push(TokenKind.placeholder, end);
    return;
  }
  push(TokenKind.punctuation, start + 1);
}

/**
 * Knows whether a colon separates two operands: directly inside `a[lower:upper]` or `json_object(key:value)`, right
 * after an operand. Elsewhere a colon before a name makes a placeholder, `a[:upper]` included.
 */
class ColonContext {
  readonly #text: string;
  /** The brackets that are open, each with whether a colon may separate inside. */
  readonly #open: boolean[] = [];
  #afterOperand = false;
  #afterJsonConstructor = false;

  constructor(text: string) {
    this.#text = text;
  }

  isSeparator(): boolean {
    return this.#afterOperand && this.#open.at(-1) === true;
  }

  advance(kind: TokenKind, start: number, end: number): void {
    const wasOperand = this.#afterOperand;
    const afterJsonConstructor = this.#afterJsonConstructor;
    this.#afterJsonConstructor = false;
    switch (kind) {
      case TokenKind.word:
        this.#word(this.#text.slice(start, end).toLowerCase(), wasOperand);
        return;
      case TokenKind.quotedName:
      case TokenKind.string:
      case TokenKind.number:
      case TokenKind.positional:
      case TokenKind.placeholder:
        this.#afterOperand = true;
        return;
      case TokenKind.punctuation: {
        const character = this.#text.charCodeAt(start);
        if (character === openBracket) {
          this.#open.push(true);
        } else if (character === openParenthesis) {
          this.#open.push(afterJsonConstructor);
        } else if (character === closeBracket || character === closeParenthesis) {
          this.#open.pop();
        }
        this.#afterOperand = character === closeBracket || character === closeParenthesis;
        return;
      }
      default:
        this.#afterOperand = false;
    }
  }

  #word(word: string, wasOperand: boolean): void {
    const category = keywords.get(word);
    this.#afterJsonConstructor = word === 'json_object' || word === 'json_objectagg';
    this.#afterOperand =
      category === 'reserved' || category === 'typeOrFunctionName'
        ? operandWords.has(word)
        : // json_object(key VALUE :v) writes its separator as a word.
          !(word === 'value' && wasOperand);
  }
}

function endOfSpace(text: string, start: number): number {
  let end = start + 1;
  while (isSpace(text.charCodeAt(end))) {
    end++;
  }
  return end;
}

/** A carriage return alone ends a line too. */
function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) {
    end++;
  }
  return end;
}

function scanBlockComment(text: string, start: number): Scanned {
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
      if (depth === 0) {
        return { end };
      }
    } else {
      end++;
    }
  }
  return { end: text.length, fault: 'unterminated-comment' };
}

/** From the opening quote to behind the closing one, and on over the parts of a string continued on other lines. */
function scanString(text: string, opening: number, style: 'plain' | 'escapes' | 'bits'): Scanned {
  let start = opening;
  for (;;) {
    const end = endOfQuoted(text, start, style);
    if (end === undefined) {
      return { end: text.length, fault: 'unterminated-string' };
    }
    const next = nextContinuation(text, end);
    if (next === undefined) {
      return { end };
    }
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

/** The next opening quote if only white space with a line end, or comments that end a line, lie between. */
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
      if (position === text.length) {
        return undefined;
      }
    } else {
      return crossedLine && character === quote ? position : undefined;
    }
  }
}

function scanQuotedName(text: string, opening: number): Scanned {
  let position = opening + 1;
  for (;;) {
    const closing = text.indexOf('"', position);
    if (closing < 0) {
      return { end: text.length, fault: 'unterminated-quoted-name' };
    }
    if (text.charCodeAt(closing + 1) !== doubleQuote) {
      return { end: closing + 1 };
    }
    position = closing + 2;
  }
}

/** `12`, `1_000`, `0x1F`, `0o7`, `0b1`, `1.5`, `1.`, `.5`, `1e5`; but `1` alone of `1..2`. */
function scanNumber(text: string, start: number): Scanned {
  const radixDigits = digitsOfRadix(text.charAt(start), text.charAt(start + 1));
  let end = start;
  let endsInLetters = radixDigits !== undefined;
  if (radixDigits !== undefined) {
    end = start + 2;
    const isPart = (at: number): boolean => at < text.length && radixDigits.includes(text.charAt(at));
    while (isPart(end) || (text.charCodeAt(end) === underscore && isPart(end + 1))) {
      end++;
    }
    if (end === start + 2) {
      return { end: endOfJunk(text, end), fault: 'junk-after-number' };
    }
  } else {
    if (isDigit(text.charCodeAt(end))) {
      end = endOfDigits(text, end);
    }
    if (text.charCodeAt(end) === dot && text.charCodeAt(end + 1) !== dot) {
      end++;
      if (isDigit(text.charCodeAt(end))) {
        end = endOfDigits(text, end);
      }
    }
    const mantissaEnd = end;
    end = endOfExponent(text, end);
    endsInLetters = end > mantissaEnd;
  }
  // Behind the letters of `0x1` or `1e5` digits and `$` count too: the longest junk wins, as in PostgreSQL.
  if ((endsInLetters ? isNamePart : isNameStart)(text.charCodeAt(end))) {
    return { end: endOfJunk(text, end), fault: 'junk-after-number' };
  }
  return { end };
}

function digitsOfRadix(zero: string, letter: string): string | undefined {
  if (zero !== '0') {
    return undefined;
  }
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

/** Digits with single underscores between them. */
function endOfDigits(text: string, start: number): number {
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
  if (letter !== 'e' && letter !== 'E') {
    return start;
  }
  let digits = start + 1;
  const sign = text.charCodeAt(digits);
  if (sign === plus || sign === minus) {
    digits++;
  }
  return isDigit(text.charCodeAt(digits)) ? endOfDigits(text, digits) : start;
}

/** A name stuck to a number, as in `12abc`: PostgreSQL refuses both together. */
function endOfJunk(text: string, start: number): number {
  let end = start;
  while (end < text.length && isNamePart(text.charCodeAt(end))) {
    end++;
  }
  return end;
}

/**
 * The longest run of operator characters that holds no start of a comment; and if it is longer than one character,
 * it ends in `+` or `-` only if it holds a character that no standard operator has.
 */
function endOfOperator(text: string, start: number): number {
  let end = start;
  let isUnusual = false;
  while (has(text.charCodeAt(end), operatorBit)) {
    const pair = text.slice(end, end + 2);
    if (end > start && (pair === '--' || pair === '/*')) {
      break;
    }
    isUnusual ||= '~!@#^&|`?%'.includes(text.charAt(end));
    end++;
  }
  if (!isUnusual) {
    while (end > start + 1 && (text.charCodeAt(end - 1) === plus || text.charCodeAt(end - 1) === minus)) {
      end--;
    }
  }
  return end;
}
