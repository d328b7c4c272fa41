/**
 * Encodes rows as an Excel workbook (ECMA-376), streamed sheet by sheet into a zip file. Whole numbers longer than fifteen
 * digits become text, since Excel would alter them, and with them their whole column. No cell is a formula
 * or becomes one when edited.
 */
import type * as fflate from 'fflate';
import { t } from '#base/texts.ts';
import { epochMicroseconds } from '../timestamps.ts';
import { columnWidths, hasZone } from './excel-widths.ts';
import { isCalculated } from './formula-guard.ts';
import type { FileColumn, RowsEncoder } from './rows-encoder.ts';
import type { CellRow, CopyCell } from './text-writer.ts';

/** Excel's limits. */
const sheetRowsMax = 1_048_576;
const columnsMax = 16_384;
const cellCharsMax = 32_767;
const digitsMax = 15;

/** Indexes of `cellXfs` in the styles below. */
const style = {
  ...{ header: 1, date: 2, timestamp: 3, quoted: 4, quotedHeader: 5, zoned: 6 },
  ...{ timestampParts: 7, zonedParts: 8 },
} as const;

type Zip = typeof fflate;

export function createExcelEncoder(
  columns: readonly FileColumn[],
  zip: Zip,
  /** Maximum rows per sheet; tests use a lower limit. */
  rowsMax = sheetRowsMax,
): RowsEncoder {
  if (columns.length > columnsMax) {
    throw new Error(
      t(
        'Excel supports {0} columns, but this result has {1}. Export as CSV instead.',
        columnsMax,
        columns.length,
      ),
    );
  }
  const pieces: Uint8Array[] = [];
  const archive = new zip.Zip((error, chunk) => {
    if (error !== null) throw error;
    pieces.push(chunk);
  });
  const take = () => pieces.splice(0);
  const letters = columns.map((_, index) => columnLetters(index));
  const head = `<row r="1">${columns.map(({ name }, index) => textCell(`${letters[index] ?? ''}1`, name, isCalculated(name) ? style.quotedHeader : style.header)).join('')}</row>`;
  let sheets = 0;
  let rowOfSheet = 0;
  let cutCells = 0;
  let widths: readonly number[] | undefined;
  /** Columns with whole numbers that Excel would alter. */
  const hasLongNumbers = columns.map(() => false);
  /** Those of which earlier rows are already written, as numbers. */
  const lateTexts = new Set<string>();
  let sheet: InstanceType<Zip['ZipDeflate']> | undefined;
  const put = (text: string, isLast = false) => sheet?.push(zip.strToU8(text), isLast);

  const beginSheet = (sample: readonly CellRow[] = []) => {
    widths ??= columnWidths(columns, sample);
    sheets += 1;
    rowOfSheet = 1;
    sheet = new zip.ZipDeflate(`xl/worksheets/sheet${sheets}.xml`, { level: 4 });
    archive.add(sheet);
    put(sheetStart(widths) + head);
  };
  const endSheet = () => {
    const last = `${letters.at(-1) ?? 'A'}${rowOfSheet}`;
    put(`</sheetData>${columns.length === 0 ? '' : `<autoFilter ref="A1:${last}"/>`}</worksheet>`, true);
  };
  const rowText = (row: CellRow) => {
    rowOfSheet += 1;
    const number = String(rowOfSheet);
    const cells = row.map((cell, index) => {
      if ((cell.text?.length ?? 0) > cellCharsMax) cutCells += 1;
      return cellXml(cell, (letters[index] ?? '') + number, {
        column: columns[index],
        isText: hasLongNumbers[index] === true,
      });
    });
    return `<row r="${number}">${cells.join('')}</row>`;
  };

  return {
    get cutCells() {
      return cutCells;
    },
    get lateTexts() {
      return [...lateTexts];
    },
    // The first sheet starts with the first rows, because the widths of its columns come before them.
    start: () => [],
    rows: (rows) => {
      if (sheet === undefined && rows.length > 0) beginSheet(rows);
      for (const [index, column] of columns.entries())
        if (hasLongNumbers[index] !== true && rows.some((row) => isLongNumber(row[index], column))) {
          hasLongNumbers[index] = true;
          if (sheets > 1 || rowOfSheet > 1) lateTexts.add(letters[index] ?? '');
        }
      let text = '';
      for (const row of rows) {
        if (rowOfSheet >= rowsMax) {
          put(text);
          text = '';
          endSheet();
          beginSheet();
        }
        text += rowText(row);
      }
      put(text);
      return take();
    },
    end: () => {
      if (sheet === undefined) beginSheet();
      endSheet();
      for (const [path, text] of Object.entries(partsOf(sheets))) {
        const part = new zip.ZipDeflate(path);
        archive.add(part);
        part.push(zip.strToU8(text), true);
      }
      archive.end();
      return take();
    },
  };
}

function cellXml(
  { text, isBare }: CopyCell,
  place: string,
  { column, isText }: { readonly column: FileColumn | undefined; readonly isText: boolean },
): string {
  if (text === null) return '';
  if (isBare && (text === 'true' || text === 'false'))
    return `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
  if (!isText && isNumeric({ text, isBare }, column) && isExcelNumber(text))
    return `<c r="${place}"><v>${text}</v></c>`;
  if (column?.kind === 'time') {
    const serial = serialOf(text);
    const look = text.length === 10 ? style.date : timeStyle(text);
    if (serial !== undefined) return `<c r="${place}" s="${look}"><v>${serial}</v></c>`;
  }
  return textCell(place, text, isCalculated(text) ? style.quoted : undefined);
}

function isNumeric({ isBare }: CopyCell, column: FileColumn | undefined): boolean {
  return isBare || column?.kind === 'number';
}

/** Excel has doubles with exponents of two digits and some of three. */
function isExcelNumber(text: string): boolean {
  return numberPattern.test(text) && Math.abs(Number(text)) < 1e308;
}

const numberPattern = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** Whether a cell is a whole number with more digits than Excel keeps, such as an ID. A float is rounded already. */
function isLongNumber(cell: CopyCell | undefined, column: FileColumn | undefined): boolean {
  const text = cell?.text ?? '';
  if (cell === undefined || text.length <= digitsMax || !isNumeric(cell, column)) return false;
  if (/^(?:float|real|double)/i.test(column?.type ?? '')) return false;
  return /^-?\d+(?:\.0*)?$/.test(text) && text.replace(/\..*/, '').replace(/^-?0*/, '').length > digitsMax;
}

function timeStyle(text: string): number {
  if (text.includes('.')) return hasZone(text) ? style.zonedParts : style.timestampParts;
  return hasZone(text) ? style.zoned : style.timestamp;
}

/**
 * Returns the days since Excel's epoch, correct from March 1900 on. Excel has no time zones, so times with a zone are
 * converted to UTC. Their format displays it as the panel and the other files do (`+00`); to formulas, they are dates.
 */
function serialOf(text: string): number | undefined {
  if (!timePattern.test(text)) return undefined;
  // Excel shows milliseconds, and rounds a time just before midnight to the next day.
  const whole = text.includes('.') ? text.replace(/\.\d+/, '') : text;
  const milliseconds =
    Math.floor(epochMicroseconds(whole) / 1_000) + (whole === text ? 0 : millisecondsOf(text));
  const days = milliseconds / 86_400_000 + 25_569;
  return days >= 61 && days < daysEnd ? days : undefined;
}

/** The fraction alone, since a double holds no microseconds of far years. */
function millisecondsOf(text: string): number {
  return Number((/\.(\d{1,3})/.exec(text)?.[1] ?? '').padEnd(3, '0'));
}

/** The day after 9999-12-31. */
const daysEnd = 2_958_466;

const timePattern = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;

export function textCell(place: string, text: string, look?: number): string {
  const shown = text.length > cellCharsMax ? `${cutWhole(text, cellCharsMax - 1)}…` : text;
  const styled = look === undefined ? '' : ` s="${look}"`;
  return `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeXml(shown)}</t></is></c>`;
}

/** Cuts a text without leaving half of a character. */
function cutWhole(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.replace(/[\ud800-\udbff]$/, '');
}

/**
 * Escapes text for XML. Characters that XML cannot contain become `_x0007_`, and literal text of that form is escaped,
 * as Excel does (ST_Xstring).
 */
function escapeXml(text: string): string {
  return text
    .replace(/_x[0-9A-Fa-f]{4}_/g, (match) => `_x005F${match}`)
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]/g,
      (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Converts a column index to letters: 0 is A, 26 is AA. */
function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  return letters;
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

function sheetStart(columnsWide: readonly number[]): string {
  const widths = columnsWide
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  return (
    `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `${widths === '' ? '' : `<cols>${widths}</cols>`}<sheetData>`
  );
}

/** Returns the parts of the package other than the sheets. */
function partsOf(sheets: number): Record<string, string> {
  const each = (text: (number: number) => string) =>
    Array.from({ length: sheets }, (_, index) => text(index + 1)).join('');
  return {
    '[Content_Types].xml':
      `${xml}<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
      '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
      each(
        (number) =>
          `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
      ) +
      '</Types>',
    '_rels/.rels':
      `${xml}<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${xml}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>` +
      each(
        (number) =>
          `<sheet name="Result${number === 1 ? '' : ` ${number}`}" sheetId="${number}" r:id="rId${number}"/>`,
      ) +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `${xml}<Relationships xmlns="${packages}/relationships">` +
      each(
        (number) =>
          `<Relationship Id="rId${number}" Type="${relationships}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      ) +
      `<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `${xml}<styleSheet xmlns="${main}"><numFmts count="5"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
      '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
      '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss&quot;+00&quot;"/>' +
      '<numFmt numFmtId="167" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/>' +
      '<numFmt numFmtId="168" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000&quot;+00&quot;"/></numFmts>' +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      '<cellXfs count="9"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
      '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>' +
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" quotePrefix="1"/>' +
      '<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="167" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="168" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
      // Without it, openpyxl and pandas warn about each file.
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  };
}
