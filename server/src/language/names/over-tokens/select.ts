/** Reads a single SELECT clause by clause. */
import { readFrom } from './from-clause.ts';
import { readExpression } from './mentions.ts';
import type { OutlineSelect } from './outline.ts';
import { isLabel, type OutlineReading, type Visible } from './reading.ts';
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
    isNatural: false,
  };
  r.selects.push(select);
  const starts = [first];
  for (let index = first + 1; index <= last; index = r.skip(index, last) + 1) {
    if (clauseWords.has(code.word(index)) && !isLabel(r, index) && !isPartOfExpression(code, index)) {
      starts.push(index);
    }
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
    } else if (word !== 'for' && word !== 'into') {
      readExpression(r, select, start + 1, end, 'expression', tables);
    }
  }
  return select;
}
