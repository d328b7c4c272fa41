/**
 * Lays out a text: clauses begin lines, what belongs to them is indented, and brackets that are too long open. Only
 * white space changes, and the case of key words if that is asked for. Any tokens are laid out, valid or not.
 */
import type { LexedText } from '#server/language/text/lexer/tokens.ts';
import { Pieces } from './pieces.ts';
import { Printer, type PrintStyle } from './printer.ts';

export type { PrintStyle } from './printer.ts';

export type LayoutOutcome =
  | { readonly kind: 'laid-out'; readonly text: string }
  /** A bracket without its counterpart. */
  | { readonly kind: 'unbalanced'; readonly token: string; readonly start: number };

/** Brackets deeper than this stay on their line. */
const depthMax = 60;
/** A list of items this short fills its lines. */
const shortItemMax = 30;
/** The least width of a line that a list fills. */
const filledWidthMin = 80;

export function layOut(lexed: LexedText, style: PrintStyle): LayoutOutcome {
  const pieces = new Pieces(lexed);
  if (pieces.unbalanced !== undefined) {
    const { text: token, start } = pieces.unbalanced;
    return { kind: 'unbalanced', token, start };
  }
  const printer = new Printer(pieces, style);
  new Layout(pieces, printer, style).statements();
  return { kind: 'laid-out', text: printer.text };
}

interface Run {
  readonly first: number;
  readonly last: number;
}

interface Clause extends Run {
  readonly word: string;
  /** Where the words end that begin the clause. */
  readonly body: number;
}

const clauseWords: ReadonlySet<string> = new Set(
  `with select from where having window order group limit offset fetch for into values union intersect except minus
   qualify returning insert update delete set`.split(/\s+/),
);
/** Clauses whose body stays on the line of their words. */
const lineClauses: ReadonlySet<string> = new Set('fetch for into insert update delete'.split(' '));
const setWords: ReadonlySet<string> = new Set('union intersect except minus'.split(' '));
const joinWords: ReadonlySet<string> = new Set(
  'join natural cross inner left right full outer straight_join apply'.split(' '),
);
const frameWords: ReadonlySet<string> = new Set('rows range groups'.split(' '));

class Layout {
  readonly #pieces: Pieces;
  readonly #printer: Printer;
  readonly #style: PrintStyle;
  #depth = 0;

  constructor(pieces: Pieces, printer: Printer, style: PrintStyle) {
    this.#pieces = pieces;
    this.#printer = printer;
    this.#style = style;
  }

  statements(): void {
    const { length } = this.#pieces;
    let first = 0;
    while (first < length) {
      let last = first;
      while (last < length && !this.#pieces.is(last, ';')) last = this.#pieces.skip(last) + 1;
      this.#around({ first, last: Math.min(last, length) - 1 }, (run) => this.#query(run));
      if (last < length) {
        this.#printer.token(last);
        this.#printer.newLine(2);
      }
      first = last + 1;
    }
  }

  /** Prints the comments at both ends of a run, and what is between them. */
  #around({ first, last }: Run, print: (run: Run) => void): void {
    let [from, to] = [first, last];
    while (from <= to && this.#pieces.isComment(from)) from++;
    while (to >= from && this.#pieces.isComment(to)) to--;
    this.#printer.run(first, from - 1);
    if (from <= to) print({ first: from, last: to });
    this.#printer.run(Math.max(from, to + 1), last);
  }

  #query(run: Run): void {
    const clauses = this.#clauses(run);
    if (clauses.length === 0) {
      this.#expression(run, true);
      return;
    }
    if (run.first < (clauses[0]?.first ?? 0))
      this.#expression({ first: run.first, last: (clauses[0]?.first ?? 0) - 1 }, true);
    for (const [number, clause] of clauses.entries()) {
      if (number > 0 || run.first < clause.first) this.#printer.newLine();
      this.#printer.run(clause.first, clause.body - 1);
      if (clause.body > clause.last) continue;
      const body = { first: clause.body, last: clause.last };
      if (setWords.has(clause.word)) {
        this.#printer.newLine();
        this.#around(body, (own) => this.#query(own));
      } else if (lineClauses.has(clause.word)) {
        this.#printer.indented(() => this.#expression(body, false));
      } else {
        this.#printer.indented(() => {
          this.#printer.newLine();
          this.#body(clause.word, body);
        });
      }
    }
  }

  #clauses({ first, last }: Run): readonly Clause[] {
    const found: { word: string; first: number; body: number }[] = [];
    for (let index = first; index <= last; index = this.#pieces.skip(index) + 1) {
      if (this.#beginsClause(index, found.at(-1)?.word)) {
        const word = this.#pieces.word(index);
        const body = this.#behindWords(index, last);
        found.push({ word, first: index, body });
        index = body - 1;
        // An index of a bracket is not skipped twice.
        if (this.#pieces.closing(index) !== undefined) index = this.#pieces.skip(index);
      }
    }
    return found.map((clause, index) => ({ ...clause, last: (found[index + 1]?.first ?? last + 1) - 1 }));
  }

  #beginsClause(index: number, clause: string | undefined): boolean {
    const word = this.#pieces.word(index);
    if (!clauseWords.has(word)) return false;
    const [before, after] = [this.#pieces.word(index - 1), this.#pieces.word(index + 1)];
    switch (word) {
      case 'from':
        if (before === 'delete' || (clause === 'from' && before === 'rows')) return false;
        return before !== 'distinct' || !['is', 'not'].includes(this.#pieces.word(index - 2));
      case 'group':
      case 'order':
        return after === 'by' && before !== 'within';
      case 'with':
        return clause === undefined && !['ordinality', 'time', 'ties', 'rollup', 'cube'].includes(after);
      case 'values':
        return clause === undefined || clause === 'insert' || setWords.has(clause) || clause === 'with';
      case 'set':
        return clause === 'update' || before === 'update';
      case 'insert':
      case 'update':
      case 'delete':
        return clause === undefined || clause === 'with';
      case 'minus':
        return after === 'select';
      case 'for':
        return ['update', 'share', 'no', 'key', 'xml', 'json', 'fetch', 'read'].includes(after);
      case 'offset':
        return before !== 'with';
      case 'into':
        return clause === 'select';
      case 'qualify':
      case 'returning':
        return clause !== undefined && clause !== 'select';
      default:
        return true;
    }
  }

  /** Returns the index behind the words that begin a clause. */
  #behindWords(first: number, last: number): number {
    const word = this.#pieces.word(first);
    let index = first + 1;
    const takes = (...words: string[]): boolean => {
      if (index > last || !words.includes(this.#pieces.word(index))) return false;
      index++;
      return true;
    };
    if (word === 'select') {
      if (takes('distinct') && takes('on') && this.#pieces.is(index, '('))
        index = this.#pieces.skip(index) + 1;
      else takes('all');
    } else if (word === 'group') {
      takes('by');
      takes('all', 'distinct');
    } else if (word === 'order') {
      takes('by');
    } else if (setWords.has(word)) {
      takes('all', 'distinct');
    } else if (word === 'with') {
      takes('recursive');
    }
    return index;
  }

  #body(word: string, body: Run): void {
    switch (word) {
      case 'from':
        this.#around(body, (run) => this.#from(run));
        break;
      case 'where':
      case 'having':
      case 'qualify':
        this.#around(body, (run) => this.#expression(run, true));
        break;
      case 'group':
      case 'order':
      case 'limit':
        this.#list(body, true);
        break;
      default:
        this.#list(body, false);
    }
  }

  /** Returns the runs between commas; each keeps its comma. */
  #items({ first, last }: Run): readonly (Run & { readonly comma: number | undefined })[] {
    const found: (Run & { comma: number | undefined })[] = [];
    let from = first;
    for (let index = first; index <= last; index = this.#pieces.skip(index) + 1) {
      if (this.#pieces.is(index, ',')) {
        found.push({ first: from, last: index - 1, comma: index });
        from = index + 1;
      }
    }
    if (from <= last) found.push({ first: from, last, comma: undefined });
    return found;
  }

  /** Prints a list: one item a line, or short items as many as a line takes. */
  #list(run: Run, mayFill: boolean): void {
    const items = this.#items(run);
    const widths = items.map(({ first, last }) => this.#pieces.width(first, last));
    const fills =
      mayFill &&
      !this.#pieces.hasComments(run.first, run.last) &&
      widths.every((width) => width !== undefined && width <= shortItemMax);
    const lineMax = Math.max(filledWidthMin, this.#style.width);
    for (const [number, { first, last, comma }] of items.entries()) {
      const width = widths[number] ?? 0;
      if (fills && number > 0 && this.#printer.column + width + 2 > lineMax) this.#printer.newLine();
      this.#around({ first, last }, (own) => this.#item(own));
      if (comma === undefined) continue;
      // A comment before the comma takes it to a line of its own, where the next item may follow.
      const isAlone = this.#printer.isAtStart;
      this.#printer.token(comma);
      if (!fills && !isAlone) this.#printer.newLine();
    }
  }

  #item(run: Run): void {
    const width = this.#pieces.width(run.first, run.last);
    this.#expression(run, width === undefined || width > this.#style.width, true);
  }

  /** Prints tables, with each join on a line of its own. */
  #from(run: Run): void {
    let index = run.first;
    while (index <= run.last) {
      const word = this.#pieces.word(index);
      if (this.#pieces.is(index, ',')) {
        const isAlone = this.#printer.isAtStart;
        this.#printer.token(index++);
        if (!isAlone) this.#printer.newLine();
      } else if (word === 'on') {
        const end = this.#endOfCondition(index + 1, run.last);
        this.#printer.token(index);
        this.#printer.indented(() =>
          this.#around({ first: index + 1, last: end }, (own) => this.#condition(own)),
        );
        index = end + 1;
      } else {
        if (this.#isJoin(index) && index > run.first) {
          this.#printer.newLine();
          while (index < run.last && this.#isJoin(index)) this.#printer.token(index++);
          if (this.#pieces.isComment(index)) continue;
          if (index > run.last) break;
        }
        this.#node(index);
        index = this.#pieces.skip(index) + 1;
      }
    }
  }

  #condition(run: Run): void {
    const width = this.#pieces.width(run.first, run.last);
    this.#expression(run, width === undefined || width > this.#style.width);
  }

  #isJoin(index: number): boolean {
    const word = this.#pieces.word(index);
    if (!joinWords.has(word)) return false;
    return word !== 'left' && word !== 'right' ? true : !this.#pieces.is(index + 1, '(');
  }

  #endOfCondition(first: number, last: number): number {
    let index = first;
    for (; index <= last; index = this.#pieces.skip(index) + 1) {
      const isEnd = this.#pieces.is(index, ',') || this.#pieces.word(index) === 'on' || this.#isJoin(index);
      if (isEnd) break;
    }
    return index - 1;
  }

  /** @param breaks whether AND and OR begin lines */
  #expression({ first, last }: Run, breaks: boolean, isDeeper = false): void {
    let betweens = 0;
    for (let index = first; index <= last; index = this.#pieces.skip(index) + 1) {
      const word = this.#pieces.word(index);
      if (word === 'between') betweens++;
      const isLogic = word === 'or' || (word === 'and' && betweens === 0);
      if (word === 'and' && betweens > 0) betweens--;
      if (breaks && isLogic && index > first) {
        this.#printer.newLine();
        if (isDeeper) this.#printer.indented(() => this.#printer.token(index));
        else this.#printer.token(index);
      } else {
        this.#node(index);
      }
    }
  }

  #node(index: number): void {
    const close = this.#pieces.closing(index);
    if (close === undefined) {
      this.#printer.token(index);
      return;
    }
    const width = this.#pieces.width(index, close);
    if ((width !== undefined && width <= this.#style.width + 2) || this.#depth >= depthMax) {
      this.#printer.run(index, close);
      return;
    }
    this.#depth++;
    if (this.#pieces.word(index) === 'case') this.#case(index, close);
    else this.#bracket(index, close);
    this.#depth--;
  }

  #bracket(open: number, close: number): void {
    const run = { first: open + 1, last: close - 1 };
    this.#printer.token(open);
    this.#printer.indented(() => {
      this.#printer.newLine();
      if (this.#pieces.isQuery(run.first)) {
        this.#around(run, (own) => this.#query(own));
        return;
      }
      for (const phrase of this.#phrases(run)) {
        if (phrase.first > run.first) this.#printer.newLine();
        const items = this.#items(phrase);
        if (items.length > 1) this.#list(phrase, true);
        else this.#around(phrase, (own) => this.#expression(own, true));
      }
    });
    this.#printer.newLine();
    this.#printer.token(close);
  }

  /** Splits the inside of a bracket before PARTITION BY, ORDER BY and a frame, each of which is one phrase. */
  #phrases({ first, last }: Run): readonly Run[] {
    const starts = [first];
    for (let index = first; index <= last; index = this.#pieces.skip(index) + 1) {
      const word = this.#pieces.word(index);
      const after = this.#pieces.word(index + 1);
      const isSorting = (word === 'order' || word === 'partition') && after === 'by';
      const isFrame =
        frameWords.has(word) &&
        (['between', 'unbounded', 'current'].includes(after) || this.#isNumber(index + 1));
      if (index > first && (isSorting || isFrame)) starts.push(index);
    }
    return starts.map((from, number) => ({ first: from, last: (starts[number + 1] ?? last + 1) - 1 }));
  }

  #isNumber(index: number): boolean {
    return /^\d/.test(this.#pieces.list[index]?.text ?? '');
  }

  #case(first: number, last: number): void {
    const starts: number[] = [];
    for (let index = first + 1; index < last; index = this.#pieces.skip(index) + 1) {
      const word = this.#pieces.word(index);
      if (word === 'when' || word === 'else') starts.push(index);
    }
    this.#printer.token(first);
    this.#expression({ first: first + 1, last: (starts[0] ?? last) - 1 }, false);
    this.#printer.indented(() => {
      for (const [number, from] of starts.entries()) {
        this.#printer.newLine();
        const run = { first: from, last: (starts[number + 1] ?? last) - 1 };
        this.#around(run, (own) => {
          const width = this.#pieces.width(own.first, own.last) ?? Infinity;
          this.#expression(own, width > filledWidthMin, true);
        });
      }
    });
    this.#printer.newLine();
    this.#printer.token(last);
  }
}
