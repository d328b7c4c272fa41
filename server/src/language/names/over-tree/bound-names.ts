/** What the names of a statement mean: what is wrong with them, and what they read. */
import type { ColumnName } from '../../../protocol.ts';
import type { ExpansionProblem } from '../expansion-limit.ts';
import type { Fault } from './look-up.ts';

export interface NameProblem {
  readonly code: Fault['code'];
  readonly message: string;
  /** UTF-16 offset of the whole name in the statement. */
  readonly start: number;
  /** Which part of the dotted name is meant, from 0. */
  readonly part: number;
  /** The column, where it is one that USING names: then `start` is that of the table before. */
  readonly inUsing?: string;
  /** The name that was probably meant, as the catalogue has it; with its model where that is another. */
  readonly meant?: readonly string[];
}

export interface TableUse {
  readonly model: string;
  readonly table: string;
  /** Each once. `*` counts as every column that is known. */
  readonly columns: readonly string[];
  /** Whether `*` reads whatever columns there are. */
  readonly usesAllColumns: boolean;
}

/** One use of a placeholder, and what is known of its type there. */
export interface ParameterUse {
  /** UTF-16 offset in the statement. */
  readonly start: number;
  /** Of one value; in the words of `-- @param`. */
  readonly type?: string;
  readonly isList: boolean;
  /** Whether it is one value that holds several: what ANY and ALL read. */
  readonly isArray: boolean;
  readonly comparedWith?: ColumnName;
}

export interface BoundNames {
  readonly problems: readonly NameProblem[];
  /** The limit that was reached: names were left out. */
  readonly limit?: ExpansionProblem;
  readonly tables: readonly TableUse[];
  readonly parameters: readonly ParameterUse[];
}
