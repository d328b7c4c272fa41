/** Helpers for advice on syntax errors. */
import type { Edit } from '#server/language/text/edits.ts';
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import type { Fix } from '../finding.ts';

export interface Advice {
  readonly text: string;
  /** A possible fix, offered only if the fixed statement parses. */
  readonly fix?: Fix;
}

/** `at` is the index of the token at the error, or `span.lastToken + 1` at the end of the input. */
export type AdviceRule = (code: TokenList, span: StatementSpan, at: number) => Advice | undefined;

export const advise = (text: string, title: string, ...edits: readonly Edit[]): Advice => ({
  text,
  fix: { title, edits },
});

export const replaceToken = (code: TokenList, index: number, newText: string): Edit => ({
  start: code.start(index),
  end: code.end(index),
  newText,
});

export const insertAt = (offset: number, newText: string): Edit => ({ start: offset, end: offset, newText });

/** Returns the text in lower case if the adjacent word is in lower case. */
export const inCaseOf = (code: TokenList, index: number, text: string): string =>
  code.textOf(index) === code.word(index) ? text : text.toUpperCase();
