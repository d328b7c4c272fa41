/** What PGlite and the pass say about a result's columns. */

export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
}

/** Another number of columns, another name or another type. A name or type that the pass left open is not wrong. */
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
