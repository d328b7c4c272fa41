/** A statement's resolved names: problems, and the tables and columns that are read. */
import type { ColumnName, TableReference } from '#server/protocol.ts';
import type { ExpansionProblem } from '../expansion-limit.ts';
import type { Fault } from './look-up.ts';

export interface NameProblem {
  readonly code: Fault['code'];
  readonly message: string;
  /** UTF-16 offset of the whole dotted name in the statement. */
  readonly start: number;
  /** 0-based index of the affected part of the dotted name. */
  readonly part: number;
  /** For a problem in USING, the column; `start` is the position of the table before USING. */
  readonly inUsing?: string;
  /** The probably intended name as in the catalog, including the model if it differs. */
  readonly meant?: readonly string[];
  /** Columns with similar names, any of which may be intended; the message does not mention them. */
  readonly choices?: readonly (readonly string[])[];
}

/** A table's column as one side of a join by name. */
export interface MergedSide {
  /** The name that qualifies it. */
  readonly alias: string;
  readonly origin: ColumnName;
}

/** Two columns of tables that USING or NATURAL compares. */
export interface MergedPair {
  readonly left: MergedSide;
  readonly right: MergedSide;
  /** UTF-16 offset of the right table in the statement. */
  readonly start: number;
}

/** A placeholder with the type inferred from its context. */
export interface ParameterUse {
  /** UTF-16 offset in the statement. */
  readonly start: number;
  /** The type of a single value, as written in `-- @param`. */
  readonly type?: string;
  readonly isList: boolean;
  /** Whether the value is an array, as for ANY and ALL. */
  readonly isArray: boolean;
  readonly comparedWith?: ColumnName;
}

export interface BoundNames {
  readonly problems: readonly NameProblem[];
  /** The exceeded limit that caused some names to be skipped. */
  readonly limit?: ExpansionProblem;
  readonly tables: readonly TableReference[];
  readonly parameters: readonly ParameterUse[];
  readonly merged: readonly MergedPair[];
  /** How often `(alias).name` is a column, by its name. */
  readonly rowColumns: ReadonlyMap<string, number>;
}
