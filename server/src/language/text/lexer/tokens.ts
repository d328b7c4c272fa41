/** The token list, independent of the lexer. */

export const TokenKind = {
  whitespace: 0,
  comment: 1,
  /** An unquoted name or keyword. */
  word: 2,
  quotedName: 3,
  /** Any string constant: quoted, E, U&, N, B, X or dollar-quoted. A continued string is a single token. */
  string: 4,
  number: 5,
  operator: 6,
  /** One of `, ; ( ) [ ] . : ..`. */
  punctuation: 7,
  /** `$1` */
  positional: 8,
  /** `:name` */
  placeholder: 9,
  invalid: 10,
} as const;
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

/** Returns whether a token of this kind is a whole operand by itself. */
export function isOperandKind(kind: TokenKind): boolean {
  switch (kind) {
    case TokenKind.quotedName:
    case TokenKind.string:
    case TokenKind.number:
    case TokenKind.positional:
    case TokenKind.placeholder:
      return true;
    default:
      return false;
  }
}

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
  /** All tokens, including whitespace and comments. */
  readonly all: TokenList;
  /** Only significant tokens, without whitespace or comments. */
  readonly code: TokenList;
  readonly problems: readonly LexicalProblem[];
}

const recentCount = 16;

/** Tokens as a struct of arrays, since 100 KB of text has tens of thousands of tokens. Offsets are UTF-16 offsets. */
export class TokenList {
  readonly text: string;
  #length = 0;
  #kinds: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  /** The words read last: a token is asked several times in a row. */
  readonly #recentIndexes = new Int32Array(recentCount).fill(-1);
  readonly #recentWords: string[] = [];

  /** @param capacity the expected number of tokens; the list grows if there are more */
  constructor(text: string, capacity = 16 + (text.length >> 1)) {
    this.text = text;
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Returns `invalid` for an index outside the list, so that callers can look ahead without a bounds check. */
  kind(index: number): TokenKind {
    return index >= 0 && index < this.#length
      ? // Only push() writes values, all of which are TokenKinds.
        (this.#kinds[index] as TokenKind)
      : TokenKind.invalid;
  }

  start(index: number): number {
    return index >= 0 && index < this.#length ? (this.#starts[index] ?? 0) : this.text.length;
  }

  end(index: number): number {
    return index >= 0 && index < this.#length ? (this.#ends[index] ?? 0) : this.text.length;
  }

  /** Returns the token's text, or an empty string for an index outside the list. */
  textOf(index: number): string {
    return index >= 0 && index < this.#length ? this.text.slice(this.start(index), this.end(index)) : '';
  }

  /** Returns an unquoted word in lower case, or an empty string for any other token. */
  word(index: number): string {
    if (this.kind(index) !== TokenKind.word) return '';
    const place = index % recentCount;
    const known = this.#recentIndexes[place] === index ? this.#recentWords[place] : undefined;
    if (known !== undefined) return known;
    const word = this.textOf(index).toLowerCase();
    this.#recentIndexes[place] = index;
    this.#recentWords[place] = word;
    return word;
  }

  /** Returns whether the token is exactly this punctuation or operator. */
  is(index: number, symbol: string): boolean {
    const kind = this.kind(index);
    return (
      (kind === TokenKind.punctuation || kind === TokenKind.operator) &&
      this.end(index) - this.start(index) === symbol.length &&
      this.text.startsWith(symbol, this.start(index))
    );
  }

  /**
   * Returns the index of the token that contains the offset, or of the next token if none does; `length` after the last
   * one.
   */
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
    if (this.#length === this.#kinds.length) this.#grow();
    this.#kinds[this.#length] = kind;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length++;
  }

  /** Appends tokens from another list, shifted by `shift` characters. */
  append(from: TokenList, first: number, last: number, shift: number): void {
    const count = Math.max(0, last - first);
    while (this.#length + count > this.#kinds.length) this.#grow();
    this.#kinds.set(from.#kinds.subarray(first, last), this.#length);
    if (shift === 0) {
      this.#starts.set(from.#starts.subarray(first, last), this.#length);
      this.#ends.set(from.#ends.subarray(first, last), this.#length);
    } else {
      for (let index = 0; index < count; index++) {
        this.#starts[this.#length + index] = (from.#starts[first + index] ?? 0) + shift;
        this.#ends[this.#length + index] = (from.#ends[first + index] ?? 0) + shift;
      }
    }
    this.#length += count;
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
