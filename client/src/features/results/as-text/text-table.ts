/** Rows as a plain text table, as a substitute for the panel's page, and for people who prefer text. */
import type { ResultData } from '../../../../../core/src/rows/result-data.ts';
import type { ShownColumn } from '../../../../../panel-protocol/messages.ts';

/** Maximum rows in the text: more belong in a file. */
export const textRowsMax = 10_000;
/** Maximum characters of a cell: a wide column would push the others out of view. */
const cellCharsMax = 60;
/** Rows per request. */
const rowsAtATime = 500;

export interface TextTableSource {
  readonly columns: readonly ShownColumn[];
  /** Columns in the order they are shown. */
  readonly order: readonly number[];
  readonly rowCount: number;
  readonly data: Pick<ResultData, 'ask'>;
}

/** Lines of the table, without its surroundings. */
export async function textTable({ columns, order, rowCount, data }: TextTableSource): Promise<string[]> {
  const cells: string[][] = order.map(() => []);
  const last = Math.min(rowCount, textRowsMax);
  for (let firstRow = 0; firstRow < last; firstRow += rowsAtATime) {
    const window = await data.ask('window', {
      firstRow,
      rowCount: Math.min(rowsAtATime, last - firstRow),
      columns: order,
    });
    window.columns.forEach(({ cells: values }, place) =>
      values.forEach((value) => cells[place]?.push(cellWords(value))),
    );
  }
  const names = order.map((column) => cellWords(columns[column]?.name ?? ''));
  const widths = names.map((name, place) =>
    (cells[place] ?? []).reduce((width, text) => Math.max(width, lengthOf(text)), lengthOf(name)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, place) => {
        const space = ' '.repeat((widths[place] ?? 0) - lengthOf(text));
        return columns[order[place] ?? 0]?.kind === 'number' ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  const rows = Array.from({ length: last }, (_, row) => line(cells.map((column) => column[row] ?? '')));
  return [line(names), widths.map((width) => '-'.repeat(width)).join('  '), ...rows];
}

/** On one line; NULL as such, to distinguish it from empty text. */
function cellWords(text: string | null): string {
  if (text === null) return 'NULL';
  const plain = text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f]/g, '');
  const characters = [...plain];
  return characters.length > cellCharsMax ? `${characters.slice(0, cellCharsMax - 1).join('')}…` : plain;
}

function lengthOf(text: string): number {
  return [...text].length;
}
