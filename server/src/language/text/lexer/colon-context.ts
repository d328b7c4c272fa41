/** Determines the meaning of a colon from the preceding tokens. */
import { keywords } from '../keywords.ts';
import { openParenthesis, closeParenthesis, openBracket, closeBracket } from './characters.ts';
import { isOperandKind, TokenKind } from './tokens.ts';

/** Reserved words that end an operand. An operand follows all other reserved words. */
const operandWords = new Set(
  `null true false end user current_user session_user current_role current_catalog current_schema current_date
   current_time current_timestamp localtime localtimestamp system_user default`.split(/\s+/),
);

/** All the state that determines the meaning of a colon. */
export interface ColonState {
  readonly open: readonly boolean[];
  readonly afterOperand: boolean;
  readonly afterJsonConstructor: boolean;
}

const atStart: ColonState = { open: [], afterOperand: false, afterJsonConstructor: false };

/**
 * Decides whether a colon separates two operands: after an operand, directly inside `a[lower:upper]` or
 * `json_object(key:value)`. Anywhere else, a colon before a name starts a placeholder, even in `a[:upper]`.
 */
export class ColonContext {
  readonly #text: string;
  /** For each open bracket, whether a colon directly inside may be a separator. */
  readonly #open: boolean[];
  #afterOperand: boolean;
  #afterJsonConstructor: boolean;
  /** The word before, until its meaning is needed. Most words are never looked up. */
  #wordStart = -1;
  #wordEnd = -1;

  constructor(text: string, { open, afterOperand, afterJsonConstructor }: ColonState = atStart) {
    this.#text = text;
    this.#open = [...open];
    this.#afterOperand = afterOperand;
    this.#afterJsonConstructor = afterJsonConstructor;
  }

  get depth(): number {
    return this.#open.length;
  }

  state(): ColonState {
    this.#settle();
    return {
      open: [...this.#open],
      afterOperand: this.#afterOperand,
      afterJsonConstructor: this.#afterJsonConstructor,
    };
  }

  isAt({ open, afterOperand, afterJsonConstructor }: ColonState): boolean {
    this.#settle();
    return (
      this.#afterOperand === afterOperand &&
      this.#afterJsonConstructor === afterJsonConstructor &&
      this.#open.length === open.length &&
      this.#open.every((mayHoldColon, index) => mayHoldColon === open[index])
    );
  }

  isSeparator(): boolean {
    this.#settle();
    return this.#afterOperand && this.#open.at(-1) === true;
  }

  advance(kind: TokenKind, start: number, end: number): void {
    if (kind === TokenKind.word) {
      // The words before matter only to VALUE.
      if (end - start === 'value'.length) this.#settle();
      this.#wordStart = start;
      this.#wordEnd = end;
      return;
    }
    if (kind === TokenKind.punctuation) {
      const character = this.#text.charCodeAt(start);
      if (character === openBracket) {
        this.#open.push(true);
      } else if (character === openParenthesis) {
        this.#settle();
        this.#open.push(this.#afterJsonConstructor);
      } else if (character === closeBracket || character === closeParenthesis) {
        this.#open.pop();
      }
      this.#afterOperand = character === closeBracket || character === closeParenthesis;
    } else {
      this.#afterOperand = isOperandKind(kind);
    }
    this.#afterJsonConstructor = false;
    this.#wordStart = -1;
  }

  /** Looks up the word before. */
  #settle(): void {
    if (this.#wordStart < 0) return;
    const word = this.#text.slice(this.#wordStart, this.#wordEnd).toLowerCase();
    this.#wordStart = -1;
    const category = keywords.get(word);
    this.#afterJsonConstructor = word === 'json_object' || word === 'json_objectagg';
    this.#afterOperand =
      category === 'reserved' || category === 'typeOrFunctionName'
        ? operandWords.has(word)
        : // In json_object(key VALUE :v), VALUE is the separator.
          !(word === 'value' && this.#afterOperand);
  }
}
