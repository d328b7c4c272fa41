/** Widths of the columns of an Excel sheet, in characters, from the header and a sample of the rows. */
import type { FileColumn } from './rows-encoder.ts';
import type { CellRow } from './text-writer.ts';

/** Rows that are measured, of those that are known when the sheet starts. */
const rowsMeasured = 200;
const widthMin = 8;
/** Longer texts would push the other columns out of sight. */
const widthMax = 60;
/** Space on both sides of a value, and for the filter button of a header. */
const cellSpace = 2;
const headerSpace = 5;
/** `yyyy-mm-dd hh:mm:ss`, with `+00` for a time with a zone. */
const timestampChars = 19;
const zonedChars = 22;
/** `.000` */
const partsChars = 4;

/** Whether a text of a time column has a time zone. */
export function hasZone(text: string): boolean {
  return /[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text);
}

export function columnWidths(columns: readonly FileColumn[], rows: readonly CellRow[]): readonly number[] {
  const sample = rows.slice(0, rowsMeasured);
  return columns.map(({ name, kind }, index) => {
    let width = widthOf(name) + headerSpace;
    for (const row of sample) {
      const text = row[index]?.text;
      if (text === null || text === undefined) continue;
      const chars = kind === 'time' ? timeChars(text) : widthOf(text);
      width = Math.max(width, chars + cellSpace);
    }
    return Math.min(Math.max(width, widthMin), widthMax);
  });
}

function timeChars(text: string): number {
  const parts = text.includes('.') ? partsChars : 0;
  return (hasZone(text) ? zonedChars : Math.min(widthOf(text), timestampChars)) + parts;
}

/** East Asian characters are twice as wide. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

function widthOf(text: string): number {
  // What is beyond the limit does not matter, and a cell may hold megabytes.
  const start = text.slice(0, widthMax);
  return start.length + (start.match(wide)?.length ?? 0);
}
