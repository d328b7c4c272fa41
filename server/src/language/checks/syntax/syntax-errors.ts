/** Converts PostgreSQL's syntax error to a finding on the right token, with advice. */
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import { endOfLineAt } from '#server/language/text/lines.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { finding, type Finding } from '../finding.ts';
import type { SyntaxError } from '../parser.ts';
import { adviceFor } from './rules.ts';

export function describeSyntaxError(code: TokenList, span: StatementSpan, error: SyntaxError): Finding {
  const isAtEnd = error.offset !== undefined && span.start + error.offset >= span.end;
  const at = isAtEnd ? span.lastToken + 1 : code.at(span.start + (error.offset ?? 0));
  const shown = Math.min(at, span.lastToken);
  const start = code.start(shown);
  // An unterminated string extends to the end of the text, so only its first line is marked.
  const end = Math.max(start + 1, endOfLineAt(code.text, start, code.end(shown)));
  const advice = adviceFor(code, span, at);
  // PostgreSQL reads a placeholder as a number.
  const isOfNumber = code.kind(at) === TokenKind.placeholder && error.message.startsWith('trailing junk');
  const told = isOfNumber ? error.message.replace(/^.*?(?= at or near)/, 'syntax error') : error.message;
  const message = `${sentence(told, isAtEnd ? undefined : code.textOf(at))}${advice === undefined ? '' : ` ${advice.text}`}`;
  const found = finding('QUERY_PARSE_ERROR', message, start, end);
  return advice?.fix === undefined ? found : { ...found, unprovenFix: advice.fix };
}

/** PostgreSQL's message quotes the text with replaced placeholders, so it is changed to quote the user's text. */
function sentence(message: string, token: string | undefined): string {
  const near = message.indexOf(' at or near "');
  const own =
    near < 0 || token === undefined ? message : `${message.slice(0, near)} at or near "${shorten(token)}"`;
  const capital = own.charAt(0).toUpperCase() + own.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

function shorten(token: string): string {
  const firstLine = token.slice(0, endOfLineAt(token, 0, 100));
  return firstLine.length > 40 ? `${firstLine.slice(0, 40)}…` : firstLine;
}
