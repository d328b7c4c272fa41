/**
 * The interface between the analysis and a PostgreSQL parser. The parser runs in a worker that can be terminated, so
 * every result is a promise and "gave up" is a valid result.
 */

import type { Query } from '../tree/query-model.ts';
import type { StatementTypes, TypeContext } from '../types/type-statement.ts';
import type { Inspection } from './inspections/model.ts';
import type { SideEffect } from './read-only/side-effect-labels.ts';

/** A part of a statement that is not read-only. */
export interface WritingPart {
  readonly kind: 'statement' | 'into' | 'lock';
  /** The parser's node name, for example `DeleteStmt`, `ExplainStmt`, `IntoClause` or `LockingClause`. */
  readonly node: string;
  /** UTF-16 offset of the table named after the part's keyword; undefined if there is none. */
  readonly anchor?: number;
}

export interface ParsedStatement {
  readonly kind: 'parsed';
  readonly statementCount: number;
  /** The parser's node name for the first statement; `SelectStmt` for everything that can be proven read-only. */
  readonly node: string;
  readonly writingParts: readonly WritingPart[];
  /** Calls with known side effects or unknown effects (side-effects.ts), without duplicates. */
  readonly calls: readonly Call[];
}

/** A call with known side effects or unknown effects. */
export interface Call {
  /**
   * `attribute`: a function in field notation, `(value).name`; `column`: a function in column notation, `alias.name`;
   * `view`: a PostgreSQL view that calls functions; `sampling`: a TABLESAMPLE method.
   */
  readonly kind: 'function' | 'attribute' | 'column' | 'operator' | 'type' | 'sampling' | 'view';
  readonly schema?: string;
  readonly name: string;
  /** The side effect, worded as the end of a sentence; undefined if unknown. */
  readonly does?: SideEffect;
  /** Whether a type is only that of `NULL::type`. */
  readonly isOfNull?: true;
  /** How often an attribute is written as `(alias).name`, if it is written in no other way: it may be a column. */
  readonly rowFields?: number;
}

export interface SyntaxError {
  readonly kind: 'syntax-error';
  /** PostgreSQL's error message. */
  readonly message: string;
  /**
   * UTF-16 offset of the error; the text's length if the error is at the end. Undefined if PostgreSQL reported none.
   */
  readonly offset: number | undefined;
}

/** The parser gave up, so nothing is known about the statement. */
export interface ParserGaveUp {
  readonly kind: 'gave-up';
  readonly reason: 'time' | 'stack' | 'crash';
}

export type ParseOutcome = ParsedStatement | SyntaxError | ParserGaveUp;

/** A query's model for name resolution, and its inspection results. */
export interface Meaning {
  readonly query: Query;
  readonly inspection: Inspection;
}

/** A statement to infer types for, and its context. */
export interface TypeRequest {
  readonly text: string;
  readonly context: TypeContext;
}

export interface SqlParser {
  /**
   * Returns one outcome per string, in order, or undefined if cancelled. Each must be a single statement with its
   * placeholders replaced. Never rejects.
   */
  parse(texts: readonly string[], isCancelled?: () => boolean): Promise<readonly ParseOutcome[] | undefined>;

  /**
   * Like `parse`, but returns meanings, with undefined for strings that do not parse or are not queries. `onRead`
   * receives each meaning immediately, so that a cancelled caller keeps the finished ones.
   */
  readNames(
    texts: readonly string[],
    isCancelled?: () => boolean,
    onRead?: (text: string, meaning: Meaning | undefined) => void,
  ): Promise<readonly (Meaning | undefined)[] | undefined>;

  /** Like `readNames`, but returns expression types. A parser without a type catalog omits this method. */
  readTypes?(
    requests: readonly TypeRequest[],
    isCancelled?: () => boolean,
  ): Promise<readonly (StatementTypes | undefined)[] | undefined>;
}
