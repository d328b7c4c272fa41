/** What the analysis needs from a parser of other dialects, which runs in a worker that can be ended. */
import type { ParserGaveUp } from '../checks/parser.ts';
import type { Dialect } from '../text/dialects.ts';

/** A part that does something else than read: a statement's type as the parser names it, INTO, or a row lock. */
export type WritingKind = string;

export interface DialectParsed {
  readonly kind: 'parsed';
  /** The parser's type of each statement that it read. */
  readonly statementTypes: readonly string[];
  /** Found anywhere in the tree, each once. `unknown` stands for what the walk does not know. */
  readonly writing: readonly WritingKind[];
}

export interface DialectRejected {
  readonly kind: 'syntax-error';
  /** UTF-16 offset into the text. */
  readonly offset: number | undefined;
}

export type DialectOutcome = DialectParsed | DialectRejected | ParserGaveUp;

export interface DialectParser {
  /** Undefined when cancelled meanwhile. Never rejects. */
  parse(dialect: Dialect, text: string, isCancelled?: () => boolean): Promise<DialectOutcome | undefined>;
}
