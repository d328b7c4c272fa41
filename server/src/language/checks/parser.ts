/**
 * The analysis' interface to a PostgreSQL parser. The implementation runs in a worker that
 * can be ended, so every result is a promise and "gave up" is a result.
 */

import type { SideEffect } from './read-only/side-effect-words.ts';
import type { Inspection } from './inspections/model.ts';
import type { Query } from '../tree/query-model.ts';
import type { StatementTypes, TypeContext } from '../types/type-statement.ts';

/** A part of a statement that does more than read. */
export interface WritingPart {
  readonly kind: 'statement' | 'into' | 'lock';
  /** The parser's name of the node: `DeleteStmt`, `ExplainStmt`, `IntoClause`, `LockingClause`. */
  readonly node: string;
  /** UTF-16 offset of the table the part names, after its keyword. Undefined if it names none. */
  readonly anchor?: number;
}

export interface ParsedStatement {
  readonly kind: 'parsed';
  /** Number of parsed statements. */
  readonly statementCount: number;
  /** The parser's name of the first statement: `SelectStmt` for anything provably read-only. */
  readonly node: string;
  readonly writingParts: readonly WritingPart[];
  /** Its calls that do more than compute (side-effects.ts), without duplicates. */
  readonly calls: readonly Call[];
}

/** A call with side effects, or with unknown effects. */
export interface Call {
  /**
   * `attribute`: a function in field notation, `(value).name`; `column`: in column notation, `alias.name`;
   * `view`: a PostgreSQL view that calls functions; `sampling`: a TABLESAMPLE method.
   */
  readonly kind: 'function' | 'attribute' | 'column' | 'operator' | 'type' | 'sampling' | 'view';
  readonly schema?: string;
  readonly name: string;
  /** Its effect, as the end of a sentence; undefined if unknown. */
  readonly does?: SideEffect;
}

export interface SyntaxError {
  readonly kind: 'syntax-error';
  /** PostgreSQL's words. */
  readonly message: string;
  /** UTF-16 offset of its cursor; the text's length at the end. Undefined if it gave none. */
  readonly offset: number | undefined;
}

/** Nothing is known about the statement. */
export interface ParserGaveUp {
  readonly kind: 'gave-up';
  readonly reason: 'time' | 'stack' | 'crash';
}

export type ParseOutcome = ParsedStatement | SyntaxError | ParserGaveUp;

/** The meaning of a query's names, and inspection results. */
export interface Meaning {
  readonly query: Query;
  readonly inspection: Inspection;
}

/** A text whose types are to be inferred, with the context for that. */
export interface TypeRequest {
  readonly text: string;
  readonly context: TypeContext;
}

export interface SqlParser {
  /**
   * One outcome per text, in order; undefined if cancelled. Texts are single statements
   * with replaced placeholders. Never rejects.
   */
  parse(texts: readonly string[], isCancelled?: () => boolean): Promise<readonly ParseOutcome[] | undefined>;

  /**
   * Like `parse`, for the meaning: undefined for non-queries and unparsable texts. `onRead` receives
   * each one immediately, so that a cancelled caller keeps finished ones.
   */
  readNames(
    texts: readonly string[],
    isCancelled?: () => boolean,
    onRead?: (text: string, meaning: Meaning | undefined) => void,
  ): Promise<readonly (Meaning | undefined)[] | undefined>;

  /** Like `readNames`, for expression types. Parsers without a type catalogue omit it. */
  readTypes?(
    requests: readonly TypeRequest[],
    isCancelled?: () => boolean,
  ): Promise<readonly (StatementTypes | undefined)[] | undefined>;
}
