/**
 * The second possible reading of SQL text. PostgreSQL's setting `standard_conforming_strings`, on by default,
 * determines whether a backslash in a plain string is an ordinary character or escapes the following quote.
 */
import { lexWithBackslashes } from './lexer/lex.ts';
import { TokenKind, type LexedText, type TokenList } from './lexer/tokens.ts';
import { replacePlaceholders, splitStatements, type StatementSpan } from './statements.ts';

export interface BackslashReading {
  readonly lexed: LexedText;
  readonly spans: readonly StatementSpan[];
  /** Returns the statement's text for a parser that uses the default reading. */
  readonly textOf: (span: StatementSpan) => string;
  /** The token (in the default reading) of the first string that the second reading lexes differently. */
  readonly token: number;
}

/** Returns undefined if both readings agree. */
export function backslashReading(
  { text, code }: LexedText,
  span: StatementSpan,
): BackslashReading | undefined {
  const token = firstDoubtful(code, span);
  if (token === undefined) return undefined;
  const lexed = lexWithBackslashes(text.slice(span.start, span.end));
  return { lexed, spans: splitStatements(lexed), textOf: (own) => withPrefixes(lexed, own), token };
}

/** Returns the first plain string that contains a quote after a backslash. */
function firstDoubtful(
  code: TokenList,
  { start, end, firstToken, lastToken }: StatementSpan,
): number | undefined {
  const at = code.text.slice(start, end + 1).indexOf("\\'");
  if (at < 0) return undefined;
  for (let index = Math.max(firstToken, code.at(start + at)); index <= lastToken; index++) {
    if (code.kind(index) === TokenKind.string && /^[nN]?'[^]*\\'/.test(code.textOf(index))) return index;
  }
  return undefined;
}

/** Adds E before each plain string, so that the parser treats its backslashes as escapes. */
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
