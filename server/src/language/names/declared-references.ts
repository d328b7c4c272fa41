/** The references from one table to another that the model declares. */
import type { CatalogueColumn } from '#server/protocol.ts';

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

export function declaredReferences(
  columns: readonly CatalogueColumn[],
  toTable: string,
): readonly DeclaredReference[] {
  return columns.flatMap(({ name, type, refersTo = [] }) =>
    refersTo
      .filter(({ table }) => table === toTable)
      .map(({ column, rank }) => ({ name, isList: type.endsWith('[]'), column, rank })),
  );
}
