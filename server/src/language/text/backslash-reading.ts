/**
 * The alternative reading of a text: PostgreSQL's setting `standard_conforming_strings`, on by default, decides whether
 * a backslash in a plain string is an ordinary character or escapes the following quote.
 */
import { lexWithBackslashes } from './lexer/lex.ts';
import { TokenKind, type LexedText, type TokenList } from './lexer/tokens.ts';
import { replacePlaceholders, splitStatements, type StatementSpan } from './statements.ts';

export interface BackslashReading {
  readonly lexed: LexedText;
  readonly spans: readonly StatementSpan[];
  /** The statement, for a parser that reads plain strings the default way. */
  readonly textOf: (span: StatementSpan) => string;
  /** The first string that the two readings lex differently, as a token of the default reading. */
  readonly token: number;
}

/** Undefined if both readings agree. */
export function backslashReading(
  { text, code }: LexedText,
  span: StatementSpan,
): BackslashReading | undefined {
  const token = firstDoubtful(code, span);
  if (token === undefined) {
    return undefined;
  }
  const lexed = lexWithBackslashes(text.slice(span.start, span.end));
  return { lexed, spans: splitStatements(lexed), textOf: (own) => withPrefixes(lexed, own), token };
}

/** The first plain string with a quote after a backslash. */
function firstDoubtful(
  code: TokenList,
  { start, end, firstToken, lastToken }: StatementSpan,
): number | undefined {
  const at = code.text.indexOf("\\'", start);
  if (at < 0 || at >= end) {
    return undefined;
  }
  for (let index = Math.max(firstToken, code.at(at)); index <= lastToken; index++) {
    if (code.kind(index) === TokenKind.string && /^[nN]?'[^]*\\'/.test(code.textOf(index))) {
      return index;
    }
  }
  return undefined;
}

/** Adds E before each plain string, so that the parser treats backslashes in it as escapes. */
function withPrefixes(lexed: LexedText, span: StatementSpan): string {
  const replaced = replacePlaceholders(lexed, span);
  const { code } = lexed;
  let result = '';
  let copied = 0;
  for (let index = span.firstToken; index <= span.lastToken; index++) {
    const isPlain = code.kind(index) === TokenKind.string && /^[nN]?'/.test(code.textOf(index));
    if (isPlain) {
      const start = code.start(index) - span.start;
      result += `${replaced.slice(copied, start)} E`;
      copied = replaced.indexOf("'", start);
    }
  }
  return result + replaced.slice(copied);
}
