/** Writes pieces with line breaks and indentation. Comments stay on the line of what they stood beside. */
import { keywords } from '#server/language/text/keywords.ts';
import { TokenKind } from '#server/language/text/lexer/tokens.ts';
import { isLineComment, type Piece, type Pieces } from './pieces.ts';

export interface PrintStyle {
  readonly indent: string;
  readonly lineEnd: string;
  /** The longest text between brackets that stays on one line. */
  readonly width: number;
  readonly keywordCase: 'preserve' | 'upper' | 'lower';
}

export class Printer {
  readonly #pieces: Pieces;
  readonly #style: PrintStyle;
  readonly #written: string[] = [];
  /** The line breaks to write before the next token. */
  #breaks = 0;
  #depth = 0;
  #column = 0;

  constructor(pieces: Pieces, style: PrintStyle) {
    this.#pieces = pieces;
    this.#style = style;
  }

  get text(): string {
    return this.#written.join('');
  }

  /** Whether the next token begins a line. */
  get isAtStart(): boolean {
    return this.#written.length === 0 || this.#breaks > 0;
  }

  /** The width of the line so far, without its indentation. */
  get column(): number {
    return this.isAtStart ? 0 : this.#column;
  }

  newLine(count = 1): void {
    if (this.#written.length > 0) this.#breaks = Math.max(this.#breaks, count);
  }

  indented(print: () => void): void {
    this.#depth++;
    print();
    this.#depth--;
  }

  run(first: number, last: number): void {
    for (let index = first; index <= last; index++) this.token(index);
  }

  token(index: number): void {
    const piece = this.#pieces.list[index];
    if (piece === undefined) return;
    if (piece.kind === TokenKind.comment) {
      this.#comment(index, piece);
      return;
    }
    this.#write(piece.hasSpace, inCase(piece, this.#style.keywordCase));
  }

  #comment(index: number, piece: Piece): void {
    const isLast = index + 1 >= this.#pieces.length;
    const breaksAfter = isLast ? 1 : (this.#pieces.list[index + 1]?.breaks ?? 0);
    if (piece.breaks > 0) this.newLine(Math.min(piece.breaks, 2));
    // A comment at the end of a line stays there, whatever follows on the next one.
    const isTrailing = piece.breaks === 0 && (breaksAfter > 0 || isLineComment(piece));
    const waiting = isTrailing ? this.#breaks : 0;
    if (isTrailing) this.#breaks = 0;
    this.#write(true, piece.text);
    this.#breaks = Math.max(waiting, breaksAfter > 0 || isLineComment(piece) ? 1 : 0);
    const hasOwnLine = piece.breaks > 0 || index === 0;
    if (breaksAfter > 1 && this.#depth === 0 && hasOwnLine) this.#breaks = 2;
  }

  #write(hasSpace: boolean, text: string): void {
    if (this.#written.length > 0 && this.#breaks > 0) {
      this.#written.push(this.#style.lineEnd.repeat(this.#breaks), this.#style.indent.repeat(this.#depth));
      this.#column = 0;
    } else if (hasSpace && this.#written.length > 0) {
      this.#written.push(' ');
      this.#column++;
    }
    this.#breaks = 0;
    this.#written.push(text);
    this.#column += text.length;
  }
}

/** Words of no reserved kind that are written like key words. */
const syntaxWords: ReadonlySet<string> = new Set(
  `by over partition rows range groups unbounded preceding following current row first last nulls filter within
   recursive materialized ordinality escape sets exists between values insert update delete set returning offset
   interval next only ties exclude others rollup cube grouping lateral coalesce nullif greatest least extract
   search cycle breadth depth`.split(/\s+/),
);

function inCase({ kind, text, word }: Piece, to: PrintStyle['keywordCase']): string {
  if (to === 'preserve' || kind !== TokenKind.word || !/^[a-z_]+$/.test(word)) return text;
  const category = keywords.get(word);
  const isKeyword = category === 'reserved' || category === 'typeOrFunctionName' || syntaxWords.has(word);
  if (!isKeyword) return text;
  return to === 'upper' ? text.toUpperCase() : text.toLowerCase();
}
