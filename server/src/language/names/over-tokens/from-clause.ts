/** Reads FROM: tables, subqueries, functions, aliases, and joins with their conditions. */
import { nameAt } from '#server/language/text/identifiers.ts';
import { keywords } from '#server/language/text/keywords.ts';
import { readExpression } from './mentions.ts';
import type { Definition, LateralItem, OutlineRelation, OutlineSelect } from './outline.ts';
import {
  definitionAt,
  findVisible,
  isLabel,
  isWholeQuery,
  mergedNames,
  readColumnList,
  type OutlineReading,
  type Visible,
} from './reading.ts';
import { isJoinWord, isReserved } from './words.ts';

/** Reads FROM items, joins and join conditions. */
export function readFrom(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  last: number,
  tables: Visible | undefined,
  /** What an item must not read although it stands before it, because of the joins around. */
  hiddenAround: Hidden = [],
): void {
  const { code } = r;
  /** The joined tables that wait for a condition: their first token, and what must not be read behind it. */
  let waiting: { readonly first: number; readonly hidden: Hidden }[] = [];
  let isUnconditional = false;
  let isOuter = false;
  let isUnclosed = false;
  const join = (): number => {
    if (waiting.length > 1) waiting.pop();
    return waiting.at(-1)?.first ?? first;
  };
  let index = first;
  while (index <= last) {
    const word = code.word(index);
    if (word === 'on') {
      const end = endOfCondition(r, index + 1, last);
      select.conditions.push({ first: index + 1, last: end, from: join() });
      readExpression(r, select, index + 1, end, 'expression', tables);
      index = end + 1;
    } else if (word === 'using' && code.is(index + 1, '(')) {
      join();
      const close = r.skip(index + 1, last);
      const merged: string[] = [];
      for (let token = index + 2; token < close; token += 2) {
        select.mentions.push({ tokens: [token], hasStar: false, clause: 'using' });
        merged.push(nameAt(code, token) ?? '');
      }
      index = close + 1;
      if (code.word(index) === 'as') {
        const definition = definitionAt(r, 'alias', index + 1);
        select.relations.push({
          first: index,
          columnAliases: [],
          ownColumns: merged,
          isOnlyQualified: true,
          ...(definition === undefined ? {} : { definition }),
        });
        index += 2;
      }
    } else if (isJoinWord(code, index)) {
      select.isNatural ||= word === 'natural';
      isUnconditional ||= word === 'natural' || word === 'cross';
      isOuter ||= word === 'right' || word === 'full';
      index++;
    } else if (code.is(index, ',') || word === 'outer' || word === 'only') {
      if (code.is(index, ',')) waiting = [];
      index++;
    } else {
      const before = select.relations.length;
      const start = index;
      const left = waiting.at(-1);
      const around = left?.hidden ?? hiddenAround;
      const hidden: Hidden = isOuter && left !== undefined ? [...around, [left.first, start]] : around;
      index = readFromItem(r, select, start, last, { tables, hidden });
      const read = select.relations.splice(before);
      for (const relation of read) select.relations.push({ first: start, ...relation });
      if (!isUnconditional) waiting.push({ first: start, hidden });
      isUnconditional = false;
      isOuter = false;
      isUnclosed = index > last && code.is(start, '(') && !code.is(r.skip(start, last), ')');
    }
  }
  if (!isUnclosed) select.waiting = waiting.map((each) => each.first);
}

type Hidden = LateralItem['hidden'];

function endOfCondition(r: OutlineReading, first: number, last: number): number {
  const { code } = r;
  let index = first;
  for (; index <= last; index = r.skip(index, last) + 1) {
    const word = code.word(index);
    const isJoin = isJoinWord(code, index) && !isLabel(r, index);
    if (code.is(index, ',') || word === 'on' || word === 'using' || isJoin) break;
  }
  return index - 1;
}

/** Returns the index after the item. */
function readFromItem(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  last: number,
  { tables, hidden }: { readonly tables: Visible | undefined; readonly hidden: Hidden },
): number {
  const { code } = r;
  const seesBefore = (from: number, to: number): void => {
    select.laterals.push({ first: from, last: to, until: first, hidden });
  };
  const isLateral = code.word(first) === 'lateral';
  const start = isLateral ? first + 1 : first;
  if (code.is(start, '(')) {
    const close = r.skip(start, last);
    const end = close - (code.is(close, ')') ? 1 : 0);
    if (isWholeQuery(r, start, last)) {
      if (isLateral) seesBefore(start + 1, end);
      const query = r.query(start + 1, end, isLateral ? select : select.parent, tables);
      return readAlias(r, select, close + 1, last, { query });
    }
    const before = select.relations.length;
    const { isNatural, mentions } = select;
    const mentioned = mentions.length;
    select.isNatural = false;
    readFrom(r, select, start + 1, end, tables, hidden);
    const isMerged = mergedNames(code, { isNatural: select.isNatural, mentions: mentions.slice(mentioned) });
    select.isNatural ||= isNatural;
    const joined = select.relations.splice(before);
    const next = readAlias(r, select, close + 1, last, undefined);
    const named = select.relations.splice(before);
    const inside = named.length === 0 ? undefined : { first: start + 1, last: end };
    for (const relation of joined)
      select.relations.push(
        inside === undefined || relation.inside !== undefined ? relation : { ...relation, inside },
      );
    for (const relation of named)
      select.relations.push({
        ...relation,
        joined: joined.filter((each) => each.inside === undefined),
        isMerged,
        ...(inside === undefined ? {} : { brackets: inside }),
      });
    return next;
  }
  const name = nameAt(code, start);
  if (name === undefined || isReserved(code, start)) return start + 1;
  if (code.word(start) === 'rows' && code.word(start + 1) === 'from' && code.is(start + 2, '(')) {
    const close = r.skip(start + 2, last);
    const inside = [start + 3, close - (code.is(close, ')') ? 1 : 0)] as const;
    seesBefore(...inside);
    readCalls(r, select, inside, tables);
    return readAlias(r, select, close + 1, last, { functionNames: calledIn(r, start + 3, close) });
  }
  let end = start;
  while (code.is(end + 1, '.') && nameAt(code, end + 2) !== undefined) end += 2;
  if (code.is(end + 1, '(')) {
    const close = r.skip(end + 1, last);
    for (let token = start; token <= end; token += 2) r.others.add(token);
    const lastInside = close - (code.is(close, ')') ? 1 : 0);
    seesBefore(end + 2, lastInside);
    readExpression(r, select, end + 2, lastInside, 'expression', tables);
    const functionName = nameAt(code, end) ?? name;
    const ownColumns = tableFunctions.has(functionName)
      ? columnsIn(r, end + 2, close)
      : functionName === 'unnest'
        ? columnsOfLists(r, end + 2, close)
        : undefined;
    return readAlias(r, select, close + 1, last, {
      functionName,
      ...(ownColumns === undefined ? {} : { ownColumns }),
    });
  }
  if (end > start) r.others.add(start);
  const own = nameAt(code, end) ?? name;
  const common = end === start ? findVisible(tables, own) : undefined;
  const definition: Definition = common?.definition ?? { kind: 'table', name: own, token: end };
  return readAlias(
    r,
    select,
    end + 1,
    last,
    common === undefined
      ? { definition, table: { name: own, ...(end > start ? { schema: name } : {}) } }
      : { definition, commonTable: common },
    end,
  );
}

const tableFunctions: ReadonlySet<string> = new Set(['json_table', 'xmltable']);

/** Returns the columns that COLUMNS names, those of nested paths last, as PostgreSQL does. */
function columnsIn(r: OutlineReading, first: number, close: number): readonly string[] | undefined {
  const { code } = r;
  let index = first;
  while (index < close && code.word(index) !== 'columns') index = r.skip(index, close) + 1;
  if (index >= close) return undefined;
  const isOpen = code.is(index + 1, '(');
  const last = isOpen ? r.skip(index + 1, close) : close;
  const columns: string[] = [];
  const nested: string[] = [];
  let isStart = true;
  for (let at = index + (isOpen ? 2 : 1); at < last; at = r.skip(at, last) + 1) {
    if (isStart && code.word(at) === 'nested' && !code.is(at + 2, ',')) {
      let end = at;
      while (end < last && !code.is(end, ',')) end = r.skip(end, last) + 1;
      for (const name of columnsIn(r, at, end) ?? []) nested.push(name);
    } else if (isStart) {
      const name = nameAt(code, at);
      if (name !== undefined) columns.push(name);
    }
    isStart = code.is(at, ',');
  }
  return [...columns, ...nested];
}

/** Several lists are unnested side by side, each as a column of the function's name. */
function columnsOfLists(r: OutlineReading, first: number, close: number): readonly string[] | undefined {
  const columns = ['unnest'];
  for (let index = first; index < close; index = r.skip(index, close) + 1) {
    if (r.code.is(index, ',')) columns.push('unnest');
  }
  return columns.length === 1 ? undefined : columns;
}

/** Reads the functions in ROWS FROM. The columns that AS defines for one of them are keys of its value. */
function readCalls(
  r: OutlineReading,
  select: OutlineSelect,
  [first, last]: readonly [number, number],
  tables: Visible | undefined,
): void {
  let from = first;
  for (let index = first; index <= last; index = r.skip(index, last) + 1) {
    if (r.code.word(index) !== 'as' || !r.code.is(index + 1, '(')) continue;
    readExpression(r, select, from, index - 1, 'expression', tables);
    from = r.skip(++index, last) + 1;
    for (let token = index; token < from; token++) r.others.add(token);
  }
  readExpression(r, select, from, last, 'expression', tables);
}

/** Returns the names of the functions in ROWS FROM. */
function calledIn(r: OutlineReading, first: number, close: number): readonly string[] {
  const names: string[] = [];
  for (let index = first; index < close; index = r.skip(index, close) + 1) {
    const name = r.code.is(index + 1, '(') ? nameAt(r.code, index) : undefined;
    if (name !== undefined) names.push(name);
  }
  return names;
}

function readAlias(
  r: OutlineReading,
  select: OutlineSelect,
  start: number,
  last: number,
  item: Partial<OutlineRelation> | undefined,
  tableToken?: number,
): number {
  const { code } = r;
  let index = start;
  const hasOrdinality = code.word(index) === 'with' && code.word(index + 1) === 'ordinality';
  if (hasOrdinality) index += 2;
  if (tableToken !== undefined && code.is(index, '*')) index++;
  const hasAs = code.word(index) === 'as';
  const at = hasAs ? index + 1 : index;
  const category = keywords.get(code.word(at));
  const isAlias =
    at <= last &&
    category !== 'reserved' &&
    category !== 'typeOrFunctionName' &&
    !(code.word(at) === 'tablesample');
  const alias = isAlias ? definitionAt(r, 'alias', at) : undefined;
  index = alias === undefined ? at : at + 1;
  const hasList = index <= last && code.is(index, '(') && (alias !== undefined || hasAs);
  const columnAliases = hasList ? readColumnList(r, index, last) : [];
  index = hasList ? r.skip(index, last) + 1 : index;
  if (code.word(index) === 'tablesample') index = r.skip(index + 2, last) + 1;
  if (item !== undefined) {
    select.relations.push({
      ...item,
      columnAliases,
      ...(hasOrdinality ? { hasOrdinality } : {}),
      ...(alias === undefined ? {} : { definition: alias }),
      ...(tableToken === undefined || item.commonTable !== undefined ? {} : { tableToken }),
    });
    if (tableToken !== undefined && item.commonTable !== undefined) {
      const target = item.commonTable.definition;
      select.mentions.push({ tokens: [tableToken], hasStar: false, clause: 'expression', target });
    }
  } else if (alias !== undefined) {
    select.relations.push({ definition: alias, columnAliases });
  }
  return index;
}
