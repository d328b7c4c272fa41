/** The references from one table to another that the models declare. */
import type { CatalogueColumn, ColumnTarget } from '#server/protocol.ts';

export interface DeclaredReference {
  /** The referring column. */
  readonly name: string;
  /** Whether it is an array, so that its items are compared. */
  readonly isList: boolean;
  /** The column of the other table. */
  readonly column: string;
  /** Lower is likelier. */
  readonly rank: number;
}

interface Place {
  readonly model: string;
  readonly table: string;
}

/** Returns whether a column of the model `from` refers to a column of the table `to`. */
export const isTargetIn = (target: ColumnTarget, from: string, to: Place): boolean =>
  target.table === to.table && (target.model ?? from) === to.model;

/** @param from the model of the columns */
export function declaredReferences(
  columns: readonly CatalogueColumn[],
  from: string,
  to: Place,
): readonly DeclaredReference[] {
  return columns.flatMap(({ name, type, refersTo = [] }) =>
    refersTo
      .filter((target) => isTargetIn(target, from, to))
      .map(({ column, rank }) => ({ name, isList: type.endsWith('[]'), column, rank })),
  );
}
