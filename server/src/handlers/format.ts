/** Formatting using protocol types, for a document or the statements in a range. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FormattingOptions, Range, TextEdit } from 'vscode-languageserver-types';
import { forLine } from '#base/shown-text/for-places.ts';
import { t } from '#base/texts.ts';
import { describeLimit, isTooLong, limitOf } from '../language/checks/text-limits.ts';
import { withWrittenDirectives } from '../language/editing/format-directives.ts';
import { formatText } from '../language/editing/format-text.ts';
import type { LexedText } from '../language/text/lexer/tokens.ts';
import { splitStatements } from '../language/text/statements.ts';
import { lexFor, type ServerState } from '../state.ts';

export interface FormatDeps {
  /** Tells the user why something was not formatted. */
  readonly tell: (message: string) => void;
  readonly state: ServerState;
}

/** A longer text would keep others waiting: this one takes a fifth of a second. */
const lengthMax = 250_000;
const shownTokenMax = 40;

export function format(
  { tell, state }: FormatDeps,
  document: TextDocument,
  { tabSize, insertSpaces }: FormattingOptions,
  range?: Range,
): TextEdit[] {
  const { dialect } = state;
  const text = document.getText();
  const limit = isTooLong(text) ? 'characters' : limitOf(lexFor(state, text));
  if (limit !== undefined) {
    tell(t('Nothing was formatted. {0}.', describeLimit(limit)));
    return [];
  }
  const part = range === undefined ? wholeOf(text) : statementsIn(document, lexFor(state, text), range);
  if (part.start >= part.end) return [];
  if (part.end - part.start > lengthMax) {
    tell(t('Nothing was formatted: the text is too large. Select a part of it to format.'));
    return [];
  }
  const own = text.slice(part.start, part.end);
  const style = {
    ...state.format,
    // Only PostgreSQL ignores the case of all unquoted words.
    ...(dialect === undefined ? {} : { keywordCase: 'preserve' as const }),
    indent: insertSpaces ? ' '.repeat(tabSize) : '\t',
    lineEnd: own.includes('\r\n') ? '\r\n' : '\n',
  };
  const { text: formatted, refused } = formatText(lexFor(state, own), style, (each) => lexFor(state, each));
  if (refused !== undefined) {
    const token = forLine(refused.token.slice(0, shownTokenMax));
    const line = document.positionAt(part.start + refused.start).line + 1;
    tell(
      formatted === own
        ? t('Nothing was formatted: {0} in line {1} is not closed or not opened.', token, line)
        : t('One statement was not formatted: {0} in line {1} is not closed or not opened.', token, line),
    );
  }
  // Only the top of the text contains directives.
  const isTop = text.slice(0, part.start).trim() === '';
  const newText = refused === undefined && isTop ? withWrittenDirectives(formatted) : formatted;
  return newText === own
    ? []
    : [
        {
          range: { start: document.positionAt(part.start), end: document.positionAt(part.end) },
          newText,
        },
      ];
}

/** Returns the text's range with the white space before it, which is no indentation of the first line alone. */
function wholeOf(text: string): { readonly start: number; readonly end: number } {
  return { start: 0, end: text.trimEnd().length };
}

/** Returns the statements that a range touches, from the beginning of a line if nothing else is there. */
function statementsIn(
  document: TextDocument,
  lexed: LexedText,
  range: Range,
): { readonly start: number; readonly end: number } {
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  const touched = splitStatements(lexed).filter(({ start, end }) => start <= to && from <= end);
  const start = touched[0]?.start ?? 0;
  const line = lexed.text.lastIndexOf('\n', start - 1) + 1;
  return {
    start: lexed.text.slice(line, start).trim() === '' ? line : start,
    end: touched.at(-1)?.end ?? 0,
  };
}
