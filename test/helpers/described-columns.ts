/** Compares the columns that type inference predicts for a result with the columns that PGlite returns. */

export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
}

/** Returns true if the number, a name or a type differs. An undefined name or type matches anything. */
export function columnsDiffer(
  columns: readonly Partial<DescribedColumn>[],
  expected: readonly DescribedColumn[],
): boolean {
  return (
    columns.length !== expected.length ||
    columns.some(
      ({ name, type }, index) =>
        (name ?? expected[index]?.name) !== expected[index]?.name ||
        (type ?? expected[index]?.type) !== expected[index]?.type,
    )
  );
}
