/**
 * What the analysis needs from a parser of PostgreSQL's grammar. The implementation runs elsewhere (a worker that
 * can be ended), so every answer is a promise and "gave up" is an answer.
 */

import type { Inspection } from './inspections/model.ts';
import type { Query } from '../tree/query-model.ts';
import type { StatementTypes, TypeContext } from '../types/type-statement.ts';

/** A part of a statement that does something else than read. */
export interface WritingPart {
  readonly kind: 'statement' | 'into' | 'lock';
  /** The parser's name of the node: `DeleteStmt`, `ExplainStmt`, `IntoClause`, `LockingClause`. */
  readonly node: string;
  /** UTF-16 offset of the table the part names, which comes after its key word. Undefined where it names none. */
  readonly anchor?: number;
}

export interface ParsedStatement {
  readonly kind: 'parsed';
  /** Statements that the parser counted in the text. */
  readonly statementCount: number;
  /** The parser's name of the first statement: `SelectStmt` for anything that may be proven to read. */
  readonly node: string;
  readonly writingParts: readonly WritingPart[];
  /** What it calls besides what only computes (side-effects.ts), each once. */
  readonly calls: readonly Call[];
}

/** A use of something that does more than compute, or of which nobody knows what it does. */
export interface Call {
  /**
   * `attribute`: a function in the notation of a field, `(value).name`; `column`: in that of a column, `alias.name`;
   * `view`: one of PostgreSQL's own that calls functions; `sampling`: a method of TABLESAMPLE.
   */
  readonly kind: 'function' | 'attribute' | 'column' | 'operator' | 'type' | 'sampling' | 'view';
  readonly schema?: string;
  readonly name: string;
  /** What it does, as the end of a sentence; undefined where nobody knows. */
  readonly does?: string;
}

export interface SyntaxError {
  readonly kind: 'syntax-error';
  /** PostgreSQL's words. */
  readonly message: string;
  /** UTF-16 offset of its cursor; the text's length at the end of the input. Undefined where it gave none. */
  readonly offset: number | undefined;
}

/** Nothing is known about the statement. */
export interface ParserGaveUp {
  readonly kind: 'gave-up';
  readonly reason: 'time' | 'stack' | 'crash';
}

export type ParseOutcome = ParsedStatement | SyntaxError | ParserGaveUp;

/** What a query's names mean, and what the inspections say of it. */
export interface Meaning {
  readonly query: Query;
  readonly inspection: Inspection;
}

/** A text whose types are wanted, and what it is typed with. */
export interface TypeRequest {
  readonly text: string;
  readonly context: TypeContext;
}

export interface SqlParser {
  /**
   * One outcome for each text, in order; undefined when the caller cancelled meanwhile. Texts are single statements
   * in which placeholders have been replaced. Never rejects.
   */
  parse(texts: readonly string[], isCancelled?: () => boolean): Promise<readonly ParseOutcome[] | undefined>;

  /**
   * As `parse`, for what the query means: undefined in place of what is no query or could not be read. `onRead` gets
   * each as soon as it is read, so that a caller that cancels need not have it read again.
   */
  readNames(
    texts: readonly string[],
    isCancelled?: () => boolean,
    onRead?: (text: string, meaning: Meaning | undefined) => void,
  ): Promise<readonly (Meaning | undefined)[] | undefined>;

  /** As `readNames`, for the types of expressions. A parser that has no catalogue of them leaves it out. */
  readTypes?(
    requests: readonly TypeRequest[],
    isCancelled?: () => boolean,
  ): Promise<readonly (StatementTypes | undefined)[] | undefined>;
}
