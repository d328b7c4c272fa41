/**
 * Tokenizes SQL using PostgreSQL's lexical rules (manual, "Lexical Structure") in a single pass. Any text is accepted:
 * an invalid part becomes an `invalid` token with a problem, and lexing continues. Concatenated, the tokens equal the
 * text. There is one extension: `:name` is a placeholder.
 *
 * After an edit, only the text around it is lexed again. The tokens before a checkpoint do not depend on the rest, so
 * lexing can resume there. The tokens after the edit are reused from the first checkpoint whose state is unchanged.
 */
import {
  quote,
  doubleQuote,
  dollar,
  dot,
  colon,
  minus,
  slash,
  star,
  ampersand,
  nameStartBit,
  operatorBit,
  tagPartBit,
  has,
  isSpace,
  isDigit,
  isNameStart,
  isNamePart,
  isTagPart,
  isPunctuation,
} from './characters.ts';
import { ColonContext, type ColonState } from './colon-context.ts';
import { editBetween, type EditedText } from './edited-text.ts';
import {
  endOfDigits,
  endOfJunk,
  endOfLine,
  endOfSpace,
  OperatorRuns,
  scanBlockComment,
  scanNumber,
  scanQuotedName,
  scanString,
} from './scanners.ts';
import { TokenKind, TokenList, type LexedText, type LexicalFault, type LexicalProblem } from './tokens.ts';

/** A position at which lexing can resume. */
interface Checkpoint {
  /** Always after whitespace, but not after a string, which may continue after whitespace. */
  readonly position: number;
  /** Number of tokens and problems before the position. */
  readonly all: number;
  readonly code: number;
  readonly problems: number;
  readonly colons: ColonState;
}

export interface ReadText extends LexedText {
  readonly checkpoints: readonly Checkpoint[];
}

/** Minimum distance between checkpoints, in characters. */
const checkpointDistance = 2_048;

/** Maximum bracket depth at a checkpoint, which stores all open brackets. */
const depthMax = 200;

/** Lexes the whole text (1 to 4 ms for 100 KB), or only the edited part if `previous` is given. */
export function lex(text: string, previous?: ReadText): ReadText {
  const edit = previous === undefined ? undefined : editBetween(previous.text, text);
  return new Reading(text, previous, edit).read();
}

/**
 * Lexes like a server with `standard_conforming_strings` off: even in plain strings, a backslash escapes the following
 * quote.
 */
export function lexWithBackslashes(text: string): ReadText {
  return new Reading(text, undefined, undefined, 'escapes').read();
}

/** Returns the number of additional tokens to expect after an edit: at most one for each additional character. */
const expectedMore = (before: string, after: string): number =>
  64 + Math.max(0, after.length - before.length);

class Reading {
  readonly #text: string;
  readonly #all: TokenList;
  readonly #code: TokenList;
  readonly #problems: LexicalProblem[] = [];
  readonly #checkpoints: Checkpoint[] = [];
  readonly #previous: ReadText | undefined;
  readonly #edit: EditedText | undefined;
  readonly #plainStrings: PlainStrings;
  readonly #operators: OperatorRuns;
  #context: ColonContext;
  #position = 0;

  constructor(
    text: string,
    previous: ReadText | undefined,
    edit: EditedText | undefined,
    plainStrings: PlainStrings = 'plain',
  ) {
    this.#text = text;
    const added = previous === undefined ? 0 : expectedMore(previous.text, text);
    this.#all = new TokenList(text, previous && previous.all.length + added);
    this.#code = new TokenList(text, previous && previous.code.length + added);
    this.#context = new ColonContext(text);
    this.#previous = previous;
    this.#edit = edit;
    this.#plainStrings = plainStrings;
    this.#operators = new OperatorRuns(text);
  }

  read(): ReadText {
    const text = this.#text;
    const resumed = this.#resume();
    let next = this.#nextMeeting(resumed);
    let nextCheckpoint = this.#position + checkpointDistance;
    while (this.#position < text.length) {
      const position = this.#position;
      while (next !== undefined && next.at < position) next = this.#nextMeeting(next.index + 1);
      if (next?.at === position && this.#meets(next.checkpoint)) {
        this.#takeRest(next.index);
        break;
      }
      const first = text.charCodeAt(position);
      if (position >= nextCheckpoint && this.#isIndependent() && this.#context.depth < depthMax) {
        this.#checkpoints.push(this.#checkpoint());
        nextCheckpoint = position + checkpointDistance;
      }
      this.#token(first);
    }
    return {
      text,
      all: this.#all,
      code: this.#code,
      problems: this.#problems,
      checkpoints: this.#checkpoints,
    };
  }

  #token(first: number): void {
    const text = this.#text;
    const position = this.#position;
    const second = text.charCodeAt(position + 1);
    if (isSpace(first)) {
      this.#push(TokenKind.whitespace, endOfSpace(text, position));
    } else if (first === minus && second === minus) {
      this.#push(TokenKind.comment, endOfLine(text, position));
    } else if (first === slash && second === star) {
      const { end, fault } = scanBlockComment(text, position);
      this.#push(TokenKind.comment, end, fault);
    } else if (isNameStart(first)) {
      scanFromName(text, position, this.#plainStrings, this.#push);
    } else if (first === quote) {
      const { end, fault } = scanString(text, position, this.#plainStrings);
      this.#push(TokenKind.string, end, fault);
    } else if (first === doubleQuote) {
      const { end, fault } = scanQuotedName(text, position);
      this.#push(TokenKind.quotedName, end, fault);
    } else if (isDigit(first) || (first === dot && isDigit(second))) {
      const { end, fault } = scanNumber(text, position);
      this.#push(TokenKind.number, end, fault);
    } else if (first === dollar) {
      scanFromDollar(text, position, this.#push);
    } else if (first === colon) {
      scanFromColon(text, position, this.#context, this.#push);
    } else if (has(first, operatorBit)) {
      this.#push(TokenKind.operator, this.#operators.endOf(position));
    } else if (first === dot && second === dot) {
      this.#push(TokenKind.punctuation, position + 2);
    } else if (isPunctuation(first)) {
      this.#push(TokenKind.punctuation, position + 1);
    } else {
      this.#push(TokenKind.invalid, position + 1, first === 0 ? 'nul-character' : 'unexpected-character');
    }
  }

  readonly #push: Push = (kind, end, fault) => {
    const start = this.#position;
    this.#position = end;
    if (fault !== undefined) {
      this.#problems.push({ fault, start, end });
      kind = TokenKind.invalid;
    }
    this.#all.push(kind, start, end);
    if (kind !== TokenKind.whitespace && kind !== TokenKind.comment) {
      this.#code.push(kind, start, end);
      this.#context.advance(kind, start, end);
    }
  };

  #isIndependent(): boolean {
    return (
      this.#all.kind(this.#all.length - 1) === TokenKind.whitespace &&
      this.#code.kind(this.#code.length - 1) !== TokenKind.string
    );
  }

  #checkpoint(): Checkpoint {
    return {
      position: this.#position,
      all: this.#all.length,
      code: this.#code.length,
      problems: this.#problems.length,
      colons: this.#context.state(),
    };
  }

  /** Reuses all tokens before the edit. Returns the number of reused checkpoints. */
  #resume(): number {
    const { checkpoints = [] } = this.#previous ?? {};
    const prefix = this.#edit?.prefix ?? 0;
    let count = 0;
    // Strictly before the edit, since lexing also depended on the character at the checkpoint.
    while (count < checkpoints.length && (checkpoints[count]?.position ?? prefix) < prefix) count++;
    const last = checkpoints[count - 1];
    if (this.#previous !== undefined && last !== undefined) {
      this.#all.append(this.#previous.all, 0, last.all, 0);
      this.#code.append(this.#previous.code, 0, last.code, 0);
      this.#previous.problems.slice(0, last.problems).forEach((problem) => this.#problems.push(problem));
      checkpoints.slice(0, count).forEach((checkpoint) => this.#checkpoints.push(checkpoint));
      this.#context = new ColonContext(this.#text, last.colons);
      this.#position = last.position;
    }
    return count;
  }

  /** Returns the old scan's first checkpoint after the edit, starting at `from`, with its new position. */
  #nextMeeting(
    from: number,
  ): { readonly index: number; readonly at: number; readonly checkpoint: Checkpoint } | undefined {
    const previous = this.#previous;
    const edit = this.#edit;
    if (previous === undefined || edit === undefined) return undefined;
    for (let index = from; index < previous.checkpoints.length; index++) {
      const checkpoint = previous.checkpoints[index];
      if (checkpoint !== undefined && checkpoint.position >= previous.text.length - edit.suffix)
        return { index, at: checkpoint.position + this.#text.length - previous.text.length, checkpoint };
    }
    return undefined;
  }

  #meets({ colons }: Checkpoint): boolean {
    return this.#context.isAt(colons);
  }

  #takeRest(from: number): void {
    const previous = this.#previous;
    const first = previous?.checkpoints[from];
    if (previous === undefined || first === undefined) return;
    const shift = this.#text.length - previous.text.length;
    const moved = { all: this.#all.length - first.all, code: this.#code.length - first.code };
    const problemsMoved = this.#problems.length - first.problems;
    this.#all.append(previous.all, first.all, previous.all.length, shift);
    this.#code.append(previous.code, first.code, previous.code.length, shift);
    for (const { fault, start, end } of previous.problems.slice(first.problems))
      this.#problems.push({ fault, start: start + shift, end: end + shift });
    for (const checkpoint of previous.checkpoints.slice(from)) {
      this.#checkpoints.push({
        position: checkpoint.position + shift,
        all: checkpoint.all + moved.all,
        code: checkpoint.code + moved.code,
        problems: checkpoint.problems + problemsMoved,
        colons: checkpoint.colons,
      });
    }
    this.#position = this.#text.length;
  }
}

/** Whether backslashes in a string without a prefix are escapes, as in `E'...'`. */
type PlainStrings = 'plain' | 'escapes';

type Push = (kind: TokenKind, end: number, fault?: LexicalFault) => void;

/** Scans a word, or a constant with a prefix such as `E'...'` or `U&"..."`. */
function scanFromName(text: string, start: number, plainStrings: PlainStrings, push: Push): void {
  const prefix = text.charAt(start).toLowerCase();
  const next = text.charCodeAt(start + 1);
  if (next === quote && (prefix === 'e' || prefix === 'n')) {
    const { end, fault } = scanString(text, start + 1, prefix === 'e' ? 'escapes' : plainStrings);
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
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
  push(TokenKind.word, end);
}

/** Scans `$1`, `$$...$$`, `$tag$...$tag$`, or a stray dollar sign. */
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
    while (end < text.length && isTagPart(text.charCodeAt(end))) end++;
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

/** Scans `::`, `:=`, a placeholder, or a plain colon in an array slice or JSON constructor. */
function scanFromColon(text: string, start: number, context: ColonContext, push: Push): void {
  const next = text.charCodeAt(start + 1);
  if (next === colon || text.charAt(start + 1) === '=') {
    push(TokenKind.operator, start + 2);
    return;
  }
  if (has(next, nameStartBit) && !context.isSeparator()) {
    let end = start + 2;
    while (has(text.charCodeAt(end), tagPartBit)) end++;
    push(TokenKind.placeholder, end);
    return;
  }
  push(TokenKind.punctuation, start + 1);
}
