/** The analysis' interface to a parser of other dialects, which runs in a worker that can be ended. */
import type { ParserGaveUp } from '../checks/parser.ts';
import type { Dialect } from '../text/dialects.ts';

/** A part that does more than read: a statement by its parser type, INTO, or a row lock. */
export type WritingKind = string;

export interface DialectParsed {
  readonly kind: 'parsed';
  /** The parser's type of each statement. */
  readonly statementTypes: readonly string[];
  /** Found anywhere in the tree, without duplicates. `unknown` stands for unknown nodes. */
  readonly writing: readonly WritingKind[];
}

export interface DialectRejected {
  readonly kind: 'syntax-error';
  /** UTF-16 offset into the text. */
  readonly offset: number | undefined;
}

export type DialectOutcome = DialectParsed | DialectRejected | ParserGaveUp;

export interface DialectParser {
  /** Undefined if cancelled. Never rejects. */
  parse(dialect: Dialect, text: string, isCancelled?: () => boolean): Promise<DialectOutcome | undefined>;
}
