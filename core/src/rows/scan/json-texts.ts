/** Converts strings in a JSON column to JSON values: the service sends the `jsonb` value `"a"` as a plain string. */
import { cellText } from '../chunk.ts';
import { cellTag, type CellTag, type ColumnChunk } from '../packed-rows.ts';
import { ColumnBuilder } from './column-builder.ts';

export function withJsonTexts(column: ColumnChunk, rowCount: number): ColumnChunk {
  if (!column.tags.includes(cellTag.text)) return column;
  const made = new ColumnBuilder(rowCount);
  for (let row = 0; row < rowCount; row += 1) {
    const tag = column.tags[row] as CellTag; // a column's tags are always cell tags
    if (tag === cellTag.number) made.putNumber(row, column.numbers?.[row] ?? 0);
    else if (tag <= cellTag.true) made.endCell(row, tag);
    else {
      const text = cellText(column, row) ?? '';
      const isBare = tag === cellTag.text;
      made.putText(row, isBare ? cellTag.json : tag, isBare ? JSON.stringify(text) : text);
    }
  }
  return made.finish(rowCount);
}
