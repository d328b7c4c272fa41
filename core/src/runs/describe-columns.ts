/**
 * Adds descriptions from the models to a result's columns. The service does not report where a column comes from, so a
 * description is used only if all tables in the statement with such a column agree.
 */
import type { ResultColumn } from '#api/contract/execute.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import { columnKindOf } from '../rows/column-kind.ts';

export function describeColumns(
  columns: readonly ResultColumn[],
  { statement, tables }: { readonly statement: string; readonly tables: readonly CatalogueTable[] },
): readonly (ResultColumn & { readonly description?: string | undefined })[] {
  const words = new Set(statement.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_$]*/gu));
  const known = tables
    .filter((table) => words.has(table.name.toLowerCase()))
    .flatMap((table) => table.columns ?? []);
  return columns.map((column) => {
    const same = known.filter(({ name }) => name === column.name);
    const [first] = same;
    const isAgreed = same.every(({ description }) => description === first?.description);
    // For example, a count named `status` is not described like the column `status`.
    const isKin = first !== undefined && columnKindOf(first.type) === columnKindOf(column.type);
    return isAgreed && isKin && first.description !== undefined
      ? { ...column, description: first.description }
      : column;
  });
}
