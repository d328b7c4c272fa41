/** Reads a single SELECT clause by clause. */
import { readFrom } from './from-clause.ts';
import { readExpression } from './mentions.ts';
import type { OutlineSelect } from './outline.ts';
import { definitionAt, isLabel, type OutlineReading, type Visible } from './reading.ts';
import { readOutputs } from './select-list.ts';
import { clauseWords, isPartOfExpression } from './words.ts';

export function readSelect(
  r: OutlineReading,
  first: number,
  last: number,
  parent: OutlineSelect | undefined,
  tables: Visible | undefined,
): OutlineSelect {
  const { code } = r;
  const select: OutlineSelect = {
    first,
    last,
    parent,
    outputs: [],
    relations: [],
    mentions: [],
    clauses: [],
    conditions: [],
    laterals: [],
    waiting: [],
    windows: [],
    isNatural: false,
  };
  r.selects.push(select);
  const starts = [first];
  for (let index = first + 1; index <= last; index = r.skip(index, last) + 1) {
    if (clauseWords.has(code.word(index)) && !isLabel(r, index) && !isPartOfExpression(code, index))
      starts.push(index);
  }
  starts.forEach((start, number) => {
    const end = (starts[number + 1] ?? last + 1) - 1;
    select.clauses.push({ word: code.word(start), first: start, last: end });
  });
  for (const { word, first: start, last: end } of select.clauses) {
    if (word === 'select') {
      readOutputs(r, select, start + 1, end, tables);
    } else if (word === 'table') {
      readFrom(r, select, start + 1, end, tables);
      select.outputs.push({ first: start, last: end, star: [] });
    } else if (word === 'from') {
      readFrom(r, select, start + 1, end, tables);
    } else if (word === 'group' || word === 'order') {
      readExpression(r, select, start + 2, end, word, tables);
    } else if (word === 'values') {
      readExpression(r, select, start + 1, end, 'expression', tables);
      for (let number = 1; number <= widthOf(r, start + 1, end); number++)
        select.outputs.push({ first: start, last: end, name: `column${number}` });
    } else if (word === 'window') {
      readWindows(r, select, start + 1, end, tables);
    } else if (word !== 'for' && word !== 'into') {
      readExpression(r, select, start + 1, end, 'expression', tables);
    }
  }
  return select;
}

/** Returns the number of columns in the first row of VALUES. */
function widthOf(r: OutlineReading, open: number, last: number): number {
  const close = r.code.is(open, '(') ? r.skip(open, last) : open;
  let width = close > open ? 1 : 0;
  for (let index = open + 1; index < close; index = r.skip(index, close) + 1) {
    if (r.code.is(index, ',')) width++;
  }
  return width;
}

/** Reads `name AS (...), ...`. */
function readWindows(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  last: number,
  tables: Visible | undefined,
): void {
  const { code } = r;
  for (let index = first; index <= last; index++) {
    const definition = code.word(index + 1) === 'as' ? definitionAt(r, 'window', index) : undefined;
    if (definition === undefined) {
      readExpression(r, select, index, last, 'expression', tables);
      return;
    }
    select.windows.push(definition);
    const close = r.skip(index + 2, last);
    readExpression(r, select, index + 2, close, 'expression', tables);
    index = close + 1;
  }
}
