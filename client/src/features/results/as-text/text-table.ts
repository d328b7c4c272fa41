/** Formats rows as a plain text table, as a fallback for the panel's page and for users who prefer text. */
import type { ResultData } from '#core/rows/result-data.ts';
import type { ShownColumn } from '#panel-protocol/messages.ts';

/** Maximum number of rows in the text; larger results should be exported to a file. */
export const textRowsMax = 10_000;
/** Maximum number of characters in a cell, since a wide column would push the others out of view. */
const cellCharsMax = 60;
/** Rows per request. */
const rowsAtATime = 500;

export interface TextTableSource {
  readonly columns: readonly ShownColumn[];
  /** Column indexes in display order. */
  readonly order: readonly number[];
  readonly rowCount: number;
  readonly data: Pick<ResultData, 'ask'>;
}

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

/** Returns the text of a cell on one line. NULL is spelled out, unlike an empty string. */
function cellWords(text: string | null): string {
  if (text === null) return 'NULL';
  const plain = text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f]/g, '');
  const characters = [...plain];
  return characters.length > cellCharsMax ? `${characters.slice(0, cellCharsMax - 1).join('')}…` : plain;
}

function lengthOf(text: string): number {
  return [...text].length;
}
