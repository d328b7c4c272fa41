/** The resolved names of a statement: problems, and the tables and columns it reads. */
import type { ColumnName } from '../../../protocol.ts';
import type { ExpansionProblem } from '../expansion-limit.ts';
import type { Fault } from './look-up.ts';

export interface NameProblem {
  readonly code: Fault['code'];
  readonly message: string;
  /** UTF-16 offset of the whole name in the statement. */
  readonly start: number;
  /** Index of the resolved part of the dotted name. */
  readonly part: number;
  /** The column, if USING names it: then `start` is the position of the preceding table. */
  readonly inUsing?: string;
  /** The probably intended name, as in the catalogue; with its model if that differs. */
  readonly meant?: readonly string[];
}

export interface TableUse {
  readonly model: string;
  readonly table: string;
  /** Without duplicates. `*` counts as every known column. */
  readonly columns: readonly string[];
  /** Whether `*` reads all columns, including unknown ones. */
  readonly usesAllColumns: boolean;
}

/** A placeholder with its type from context. */
export interface ParameterUse {
  /** UTF-16 offset in the statement. */
  readonly start: number;
  /** Type of a single value, in the words of `-- @param`. */
  readonly type?: string;
  readonly isList: boolean;
  /** Whether it is one value with several elements, for ANY and ALL. */
  readonly isArray: boolean;
  readonly comparedWith?: ColumnName;
}

export interface BoundNames {
  readonly problems: readonly NameProblem[];
  /** The exceeded limit: some names were skipped. */
  readonly limit?: ExpansionProblem;
  readonly tables: readonly TableUse[];
  readonly parameters: readonly ParameterUse[];
}
