/**
 * The interface between the analysis and a parser of other dialects. The parser runs in a worker that can be
 * terminated.
 */
import type { ParserGaveUp } from '../checks/parser.ts';
import type { Dialect } from '../text/dialects.ts';

/** A part that is not read-only: a statement's type name from the parser, INTO, or a row lock. */
export type WritingKind = string;

export interface DialectParsed {
  readonly kind: 'parsed';
  /** The parser's type name for each statement. */
  readonly statementTypes: readonly string[];
  /** The parts that are not read-only anywhere in the tree, without duplicates; `unknown` for unknown nodes. */
  readonly writing: readonly WritingKind[];
}

export interface DialectRejected {
  readonly kind: 'syntax-error';
  /** UTF-16 offset into the text. */
  readonly offset: number | undefined;
}

export type DialectOutcome = DialectParsed | DialectRejected | ParserGaveUp;

export interface DialectParser {
  /** Returns undefined if cancelled. Never rejects. */
  parse(dialect: Dialect, text: string, isCancelled?: () => boolean): Promise<DialectOutcome | undefined>;
}
