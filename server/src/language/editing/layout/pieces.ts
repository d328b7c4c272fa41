/** The tokens of a text as the printer needs them: their brackets, the space before each, and how wide a run of them is. */
import { keywords } from '#server/language/text/keywords.ts';
import {
  isOperandKind,
  TokenKind,
  type LexedText,
  type TokenList,
} from '#server/language/text/lexer/tokens.ts';

export interface Piece {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  /** An unquoted word in lower case; empty for a label and for any other token. */
  readonly word: string;
  /** Line breaks before it in the text. */
  readonly breaks: number;
  /** Whether a space separates it from the token before on the same line. */
  readonly hasSpace: boolean;
}

/** A text without white space. All indexes refer to `list`. */
export class Pieces {
  readonly list: readonly Piece[];
  /** The closing index of each opening one: brackets, and CASE with END. */
  readonly #closing = new Map<number, number>();
  /** Sums of the widths and of what forces a line break, before each index. */
  readonly #widths: number[] = [0];
  readonly #breaks: number[] = [0];
  readonly #comments: number[] = [0];
  /** The first bracket without its counterpart. */
  readonly unbalanced: Piece | undefined;

  constructor({ all }: LexedText) {
    this.list = readPieces(all);
    this.unbalanced = this.#matchBrackets();
    this.list.forEach((piece, index) => {
      this.#widths.push((this.#widths[index] ?? 0) + piece.text.length + (piece.hasSpace ? 1 : 0));
      this.#breaks.push((this.#breaks[index] ?? 0) + (this.#forcesBreak(index) ? 1 : 0));
      this.#comments.push((this.#comments[index] ?? 0) + (this.isComment(index) ? 1 : 0));
    });
  }

  get length(): number {
    return this.list.length;
  }

  word(index: number): string {
    return this.list[index]?.word ?? '';
  }

  is(index: number, symbol: string): boolean {
    const piece = this.list[index];
    return piece?.kind === TokenKind.punctuation && piece.text === symbol;
  }

  isComment(index: number): boolean {
    return this.list[index]?.kind === TokenKind.comment;
  }

  closing(index: number): number | undefined {
    return this.#closing.get(index);
  }

  /** Returns the last index of what begins at the index: a bracket with all in it, or a single token. */
  skip(index: number): number {
    return this.#closing.get(index) ?? index;
  }

  /** Returns the first index from `index` on that is no comment. */
  code(index: number): number {
    let at = index;
    while (this.isComment(at)) at++;
    return at;
  }

  /** The width of a run on one line; undefined if something in it forces a line break. */
  width(first: number, last: number): number | undefined {
    if (last < first) return 0;
    if ((this.#breaks[last + 1] ?? 0) > (this.#breaks[first] ?? 0)) return undefined;
    const space = this.list[first]?.hasSpace === true ? 1 : 0;
    return (this.#widths[last + 1] ?? 0) - (this.#widths[first] ?? 0) - space;
  }

  hasComments(first: number, last: number): boolean {
    return (this.#comments[last + 1] ?? 0) > (this.#comments[first] ?? 0);
  }

  /** Whether the run is a query, perhaps in brackets of its own. */
  isQuery(first: number): boolean {
    let at = this.code(first);
    while (this.is(at, '(')) at = this.code(at + 1);
    const word = this.word(at);
    return word === 'select' || word === 'values' || (word === 'with' && this.word(at + 1) !== 'ordinality');
  }

  #forcesBreak(index: number): boolean {
    const piece = this.list[index];
    if (piece?.kind === TokenKind.comment)
      return isLineComment(piece) || piece.breaks > 0 || (this.list[index + 1]?.breaks ?? 0) > 0;
    return this.is(index, '(') && this.isQuery(index + 1);
  }

  #matchBrackets(): Piece | undefined {
    const open: number[] = [];
    const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', case: 'end' };
    for (const [index, piece] of this.list.entries()) {
      const own = piece.kind === TokenKind.punctuation ? piece.text : piece.word;
      if (Object.hasOwn(pairs, own)) {
        open.push(index);
      } else if (own === ')' || own === ']' || own === 'end') {
        const last = this.list[open.at(-1) ?? -1];
        if (last === undefined || pairs[last.word === '' ? last.text : last.word] !== own) {
          // A block of another database ends with END, too.
          if (own === 'end') continue;
          return piece;
        }
        this.#closing.set(open.pop() ?? 0, index);
      }
    }
    return this.list[open[0] ?? -1];
  }
}

export const isLineComment = ({ text }: Piece): boolean => !text.startsWith('/*');

function readPieces(all: TokenList): readonly Piece[] {
  const list: Piece[] = [];
  let breaks = 0;
  let state = start;
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    const text = all.textOf(index);
    if (kind === TokenKind.whitespace) {
      breaks += text.split(/\r\n|\r|\n/).length - 1;
      continue;
    }
    // The lexers of some databases end a line comment behind its line.
    const written = kind === TokenKind.comment ? text.replace(/(?:\r\n|[\r\n])$/, '') : text;
    const previous = list.at(-1);
    if (kind === TokenKind.comment) {
      list.push({
        kind,
        text: written,
        start: all.start(index),
        word: '',
        breaks,
        hasSpace: previous !== undefined,
      });
    } else {
      const isLabel = state.text === '.' || (state.word === 'as' && isNameAfterAs(all, index));
      const word = kind === TokenKind.word && !isLabel ? text.toLowerCase() : '';
      const next = { kind, text, word };
      const hasSpace =
        previous !== undefined &&
        (previous.kind === TokenKind.comment ? !isClosing(next) : needsSpace(state, next, all, index));
      list.push({ ...next, start: all.start(index), breaks, hasSpace });
      state = {
        ...next,
        endsOperand: text === '*' ? isStar(state) : endsOperand(next),
        isUnary: isOperator(next) && !(state.endsOperand || (next.text === '*' && isStar(state))),
        opensSubscript: text === '[' ? isSubscript(state) : state.opensSubscript,
      };
    }
    breaks = written === text ? 0 : text.length - written.length;
  }
  return list;
}

type Token = Pick<Piece, 'kind' | 'text' | 'word'>;

/** What the space before the next token depends on. */
interface State extends Token {
  readonly endsOperand: boolean;
  /** For an operator: whether nothing stands on its left. */
  readonly isUnary: boolean;
  readonly opensSubscript: boolean;
}

const start: State = {
  kind: TokenKind.invalid,
  text: '',
  word: '',
  endsOperand: false,
  isUnary: false,
  opensSubscript: false,
};

/** A key word after AS that begins no query and no type. */
function isNameAfterAs(all: TokenList, index: number): boolean {
  const word = all.word(index);
  return keywords.get(word) === 'reserved' && !['not', 'select', 'with', 'case', 'array'].includes(word);
}

const isOperator = ({ kind }: Token): boolean => kind === TokenKind.operator;
const isClosing = ({ text }: Token): boolean => [',', ';', ')', ']', '.', '::'].includes(text);

const valueWords: ReadonlySet<string> = new Set(
  `null true false end current_user user session_user current_date current_time current_timestamp localtime
   localtimestamp current_role current_catalog default`.split(/\s+/),
);
/** Words of no reserved kind that an operand or a bracket follows. */
const leadingWords: ReadonlySet<string> = new Set(
  `by between escape zone over filter values exists set recursive materialized separator uescape sets returning
   ordinality columns passing interval preceding following apply qualify using rollup cube within`.split(
    /\s+/,
  ),
);

/** Whether the word is syntax, so that a bracket behind it is not its argument list. */
function isSyntax(word: string): boolean {
  const category = keywords.get(word);
  return (
    (category === 'reserved' && !['array', 'cast', 'user', 'any', 'all', 'some'].includes(word)) ||
    (category === 'typeOrFunctionName' && !['left', 'right'].includes(word)) ||
    leadingWords.has(word)
  );
}

function endsOperand({ kind, text, word }: Token): boolean {
  if (kind !== TokenKind.word) return isOperandKind(kind) || text === ')' || text === ']';
  const category = keywords.get(word);
  if (category === 'reserved') return valueWords.has(word);
  return !(category === 'typeOrFunctionName' || leadingWords.has(word));
}

/** Whether a star behind the token means all columns. */
const isStar = ({ text, word }: Token): boolean =>
  ['(', ',', '.'].includes(text) || ['select', 'distinct', 'all', 'returning'].includes(word);

const isSubscript = (before: State): boolean =>
  before.endsOperand || before.word === 'array' || before.text === '[';

function needsSpace(before: State, next: Token, all: TokenList, index: number): boolean {
  if (isClosing(next) || ['(', '[', '.', '::'].includes(before.text)) {
    // Two operators that touch would be one.
    return isOperator(before) && isOperator(next) && next.text !== '::' && before.text !== '::';
  }
  if (isOperator(before) && isOperator(next)) return true;
  // Letters that go on behind a parameter, as in `:größe`, are a mistake to mend, and no name of their own.
  if (before.kind === TokenKind.placeholder && next.kind === TokenKind.word)
    return all.start(index) > all.end(index - 1);
  if (next.text === '(') {
    if (isOperator(before)) return !before.isUnary;
    const isCall =
      before.kind === TokenKind.quotedName ||
      before.text === ']' ||
      (before.kind === TokenKind.word && !isSyntax(before.word));
    return !isCall || ['any', 'all', 'some'].includes(before.word);
  }
  if (next.text === '[') return !isSubscript(before) && !(isOperator(before) && before.isUnary);
  if (next.text === ':') return before.kind !== TokenKind.string && before.kind !== TokenKind.number;
  if (before.text === ':') {
    const isNumber = next.kind === TokenKind.number;
    // A name that touches the colon would be a parameter.
    return !isNumber || !before.opensSubscript;
  }
  if (isOperator(before) && before.isUnary) {
    // PostgreSQL reads `@ -1` and `- -1` with their space only; other prefixes may be part of a name elsewhere.
    return !['-', '+', '~'].includes(before.text) && all.start(index) > all.end(index - 1);
  }
  return true;
}
