/** The result columns of statements, determined without running them. */
import type { Analysis } from '#server/language/checks/analysis.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import type { ResultColumn } from '#server/language/types/type-statement.ts';

export interface ResultTypes {
  /** Start of the statement: 1-based line and 1-based column, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Null if the columns are unknown. */
  readonly columns: readonly ResultColumn[] | null;
}

export function resultsOf({ lexed, statements }: Analysis): readonly ResultTypes[] {
  const lines = new LineIndex(lexed.text);
  return statements.flatMap(({ start, types }) => {
    if (types === undefined) return [];
    const { line, character } = lines.positionAt(start);
    return [{ line: line + 1, column: character + 1, columns: types.columns ?? null }];
  });
}
