/** Splits SQL into statements, and prepares them for a parser that does not support `:name`. */
import { commentsInString } from './lexer/scanners.ts';
import { TokenKind, type LexedText, type TokenList } from './lexer/tokens.ts';

export interface StatementSpan {
  /** Indexes of code tokens, both inclusive. */
  readonly firstToken: number;
  readonly lastToken: number;
  /** UTF-16 offsets of the first token's start and the last token's end, excluding the semicolon. */
  readonly start: number;
  readonly end: number;
}

/**
 * Statements end at a semicolon, even inside parentheses, so that an unclosed parenthesis does not swallow the rest of
 * the text. As in psql, only the bodies of CREATE RULE and CREATE FUNCTION may contain semicolons.
 */
export function splitStatements({ code }: LexedText): readonly StatementSpan[] {
  const statements: StatementSpan[] = [];
  let first = 0;
  let body = noBody;
  for (let index = 0; index < code.length; index++) {
    if (index === first) body = createBody(code.word(index));
    if (body === noBody) index = nextSemicolon(code, index);
    if (code.is(index, ';') && !body.isOpen()) {
      if (index > first) statements.push(spanOf(code, first, index - 1));
      first = index + 1;
    } else {
      body.enter(code, index);
    }
  }
  if (first < code.length) statements.push(spanOf(code, first, code.length - 1));
  return statements;
}

/**
 * Returns the index of the next semicolon's token, or the number of tokens. A search in the text is much faster than a
 * look at each token, above all in a new process.
 */
function nextSemicolon(code: TokenList, from: number): number {
  const { text } = code;
  for (let at = text.indexOf(';', code.start(from)); at >= 0; at = text.indexOf(';', at + 1)) {
    const index = code.at(at);
    if (code.start(index) === at && code.is(index, ';')) return index;
  }
  return code.length;
}

function spanOf(code: TokenList, firstToken: number, lastToken: number): StatementSpan {
  return { firstToken, lastToken, start: code.start(firstToken), end: code.end(lastToken) };
}

/** Tracks a body whose semicolons do not end the statement. */
interface StatementBody {
  enter(code: TokenList, index: number): void;
  isOpen(): boolean;
}

const noBody: StatementBody = { enter: () => undefined, isOpen: () => false };

function createBody(firstWord: string): StatementBody {
  if (firstWord !== 'create') return noBody;
  let parentheses = 0;
  let blocks = 0;
  return {
    enter(code, index) {
      if (code.is(index, '(')) {
        parentheses++;
      } else if (code.is(index, ')')) {
        parentheses = Math.max(0, parentheses - 1);
      }
      const word = code.word(index);
      if (word === 'atomic' && code.word(index - 1) === 'begin') {
        blocks++;
      } else if (word === 'case' && blocks > 0) {
        blocks++;
      } else if (word === 'end') {
        blocks = Math.max(0, blocks - 1);
      }
    },
    isOpen: () => parentheses > 0 || blocks > 0,
  };
}

/**
 * Returns the statement with each placeholder replaced by a constant of the same length, so that positions stay valid.
 * The constant is a decimal fraction: PostgreSQL's grammar accepts it wherever an expression may contain a parameter,
 * but not as a type modifier, name or alias. `$1` would not work, since libpg-query accepts it where PostgreSQL does
 * not (`a $1`, `INTERVAL $1`).
 *
 * Comments between the parts of a string (`'a' -- first` and `'b'` on the next line) become spaces: PostgreSQL accepts
 * them, but libpg-query does not.
 */
export function replacePlaceholders(lexed: LexedText, { start, end }: StatementSpan): string {
  const { text, code } = lexed;
  let result = '';
  let copied = start;
  const marks = /[:$]|--/g; // in each placeholder and each comment
  // Only in the statement: a search up to the next mark may read the whole rest of the text for each statement.
  const own = text.slice(start, end);
  for (let mark = marks.exec(own); mark !== null; mark = marks.exec(own)) {
    const at = start + mark.index;
    const index = code.at(at);
    const from = code.start(index);
    if (from > at) {
      continue; // a comment between tokens
    }
    const to = code.end(index);
    const kind = code.kind(index);
    if (kind === TokenKind.placeholder || kind === TokenKind.positional) {
      result += text.slice(copied, from);
      result += isPartOfPath(code, index) ? '$1'.padEnd(to - from) : '.'.padEnd(to - from, '0');
      copied = to;
    } else if (kind === TokenKind.string) {
      const isDashed = text.slice(from, to).includes('--');
      for (const comment of isDashed ? commentsInString(text, from, to) : []) {
        result += text.slice(copied, comment.start).padEnd(comment.end - copied);
        copied = comment.end;
      }
    }
    marks.lastIndex = Math.max(marks.lastIndex, to - start);
  }
  return result + text.slice(copied, end);
}

/**
 * Returns the statement with placeholders replaced, and with spaces instead of comments that only libpg-query rejects;
 * undefined if there are none. PostgreSQL accepts a comment wherever it accepts a space. libpg-query does not accept
 * one after words that it combines with the next word: `NOT -- x`, `NULLS -- x`.
 */
export function withoutComments(
  { code, all }: LexedText,
  { start, end }: StatementSpan,
  replaced: string,
): string | undefined {
  let result = '';
  let copied = start;
  for (let index = all.at(start); index < all.length && all.start(index) < end; index++) {
    if (all.kind(index) === TokenKind.comment && isMinded(code, code.at(all.end(index)))) {
      result += replaced.slice(copied - start, all.start(index) - start).padEnd(all.end(index) - copied);
      copied = all.end(index);
    }
  }
  return copied === start ? undefined : result + replaced.slice(copied - start);
}

const readWithNext = new Set(['not', 'nulls', 'with', 'without', 'format', 'uescape']);

/** @param next index of the token after the comment */
const isMinded = (code: TokenList, next: number): boolean =>
  readWithNext.has(code.word(next - 1)) || code.word(next) === 'uescape';

/** `:rows[1]` and `:row.field` need a real parameter, and `1:x` and `t.:x` must not become the numbers 1.0 and .0. */
function isPartOfPath(code: TokenList, index: number): boolean {
  if (code.is(index + 1, '[') || code.is(index + 1, '.')) return true;
  const touchesPrevious = code.end(index - 1) === code.start(index);
  return touchesPrevious && (code.kind(index - 1) === TokenKind.number || code.is(index - 1, '.'));
}
