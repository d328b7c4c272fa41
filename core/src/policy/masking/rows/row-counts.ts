/** How many rows functions and queries return, and what sorts all of them. */
import {
  child,
  constantOf,
  hasPlaceholder,
  list,
  named,
  type Node,
  strings,
  walk,
} from '#server/language/tree/parse-tree.ts';
import { callName } from '../fixed-sizes.ts';
import { rowLimitOf } from '../sized-outputs.ts';
import { anyPart, columnOf, sourceOf } from './column-sources.ts';
import { endless, type Part, type Scope } from './parts.ts';

/** Returns what sorts all rows of a query, so that more of them than fit into memory are sorted otherwise. */
export function sortIn(node: Node, isTop: boolean): string | undefined {
  const { sortClause, distinctClause, limitOffset, targetList, windowClause } = node;
  let isOverWindow = list(windowClause).length > 0;
  walk([targetList, sortClause], (kind, inner) => {
    isOverWindow ||= kind === 'FuncCall' && inner.over !== undefined;
    return kind !== 'SelectStmt';
  });
  if (isOverWindow) return 'a window';
  if (list(distinctClause).length > 0) return 'DISTINCT';
  if (list(sortClause).length === 0) return undefined;
  if (!isTop) return 'an inner ORDER BY';
  // Of the first rows, no more than these are kept.
  const offset = limitOffset === undefined ? undefined : constantOf(limitOffset);
  const isNear = offset?.kind === 'number' && Number(offset.value) <= offsetMax;
  return limitOffset === undefined || isNear ? undefined : 'a large OFFSET';
}

const offsetMax = 1_000;

export function callsIn(expressions: unknown): readonly Node[] {
  const calls: Node[] = [];
  walk([expressions], (kind, node) => {
    if (kind === 'FuncCall') calls.push({ FuncCall: node });
    return kind !== 'SelectStmt';
  });
  return calls;
}

/** Returns how many rows a function returns, as far as its constants say. */
export function rowsOf(
  call: unknown,
  scope: Scope,
): Pick<Part, 'copies' | 'why' | 'isByValue'> & { readonly splits?: readonly string[] } {
  const name = callName(call);
  if (!returnsRows.test(name)) return { copies: 1, isByValue: false };
  const given = list(child(call, 'FuncCall')?.args);
  // A list of values, or a text of them, has few.
  const isByValue = name.startsWith('generate_') && hasPlaceholder(given);
  if (name === 'generate_series') return { copies: stepsOf(given), why: `${name}()`, isByValue };
  // It has as many rows as the longest of its arrays.
  const all = given.slice(0, name === 'unnest' ? given.length : 1).map((each) => {
    const elements = name === 'unnest' ? list(child(each, 'A_ArrayExpr')?.elements) : [];
    if (elements.length > 0) return writtenOut(elements, scope);
    const column = elementsOf.test(name) ? columnOf(each, scope)?.source : undefined;
    const known = column?.includes(anyPart) === true ? undefined : column;
    return { copies: known === undefined ? Infinity : 1, columns: known === undefined ? [] : [known] };
  });
  const copies = all.reduce((most, each) => Math.max(most, each.copies), 0);
  if (all.length === 0 || !Number.isFinite(copies) || splitsEveryLetter(name, given))
    return { ...endless(`${name}()`), isByValue };
  const columns = [...new Set(all.flatMap((each) => each.columns))];
  // A text has as many parts as its pattern says.
  return {
    copies,
    isByValue,
    splits: textParts.test(name) ? columns.flatMap((column) => [column, `${column}[]`]) : columns,
  };
}

/** The rows of an array that is written out. Its elements may be arrays, whose elements are rows. */
function writtenOut(
  elements: readonly unknown[],
  scope: Scope,
): { copies: number; columns: readonly string[] } {
  let column = '';
  let copies = elements.length;
  walk(elements, (kind, node) => {
    if (kind === 'ColumnRef') column ||= sourceOf(strings(node.fields), scope);
    if (list(child(node, 'typeName')?.arrayBounds).length > 0) copies = Infinity;
    return true;
  });
  return { copies, columns: column === '' ? [] : [column] };
}

/** The rows of generate_series; Infinity unless all that it is given are numbers that are written out. */
function stepsOf(given: readonly unknown[]): number {
  const numbers = given.map((each) => {
    const constant = constantOf(each);
    return constant?.kind === 'number' ? Number(constant.value) : NaN;
  });
  const [from = NaN, to = NaN, step = 1] = numbers;
  const rows = Math.floor((to - from) / step) + 1;
  return Number.isFinite(rows) ? Math.max(1, rows) : Infinity;
}

/** Those that return the elements of a value, which is not of the writer's choice. */
const elementsOf =
  /^(?:unnest|regexp_matches|(?:regexp_split|string)_to_table|jsonb?_(?:each|each_text|array_elements|array_elements_text|object_keys))$/;

const textParts = /^(?:regexp_matches|(?:regexp_split|string)_to_table)$/;

/** PostgreSQL's functions that return a set of rows, and may be called by an agent. */
const returnsRows =
  /^(?:generate_.+|unnest|regexp_matches|(?:regexp_split|string)_to_table|jsonb?_(?:each|each_text|array_elements|array_elements_text|object_keys|path_query|path_query_tz|to_recordset|populate_recordset))$/;

/** The names of the columns of functions, besides their own. */
export const functionColumns = ['key', 'value', 'ordinality'];

/** Whether a text is not split at a text that is written out. */
function splitsEveryLetter(name: string, [, separator]: readonly unknown[]): boolean {
  const constant = constantOf(separator);
  return textParts.test(name) && !(constant?.kind === 'string' && constant.value !== '');
}

/** Whether a query has one row: an aggregate of all rows, or a limit. */
export function isOneRow(node: Node): boolean {
  if (rowLimitOf(node) === 1) return true;
  const calls = callsIn(node.targetList);
  // A function beside an aggregate, or of one, may return any number of rows.
  if (calls.some((call) => returnsRows.test(callName(call)))) return false;
  const isAggregate = calls.some(
    (call) => child(call, 'FuncCall')?.over === undefined && aggregates.test(callName(call)),
  );
  return isAggregate && list(node.groupClause).length === 0;
}

const aggregates = /^(?:count|sum|avg|min|max|bool_and|bool_or|every|(?:string|array|jsonb?)_agg)$/;

export function isRead(name: string, select: Node): boolean {
  let isFound = false;
  walk([select], (kind, node) => {
    isFound ||= kind === 'RangeVar' && node.relname === name;
    return true;
  });
  return isFound;
}

/** Whether a recursive query goes on only to rows of columns, none twice: there are no more than the tables hold. */
export function isFiniteWalk({ op, all, rarg }: Node): boolean {
  return op === 'SETOP_UNION' && all !== true && isOfColumns(child({ rarg }, 'rarg') ?? {});
}

function isOfColumns(select: Node): boolean {
  const sides = [child(select, 'larg'), child(select, 'rarg')].filter((side) => side !== undefined);
  if (sides.length > 0) return sides.every(isOfColumns);
  return (
    list(select.valuesLists).length === 0 &&
    list(select.targetList).every(
      (target) => child(child(child(target, 'ResTarget'), 'val'), 'ColumnRef') !== undefined,
    ) &&
    list(select.fromClause).every(isOfTables) &&
    list(child(select, 'withClause')?.ctes).every((entry) =>
      isOfColumns(child(child(child(entry, 'CommonTableExpr'), 'ctequery'), 'SelectStmt') ?? {}),
    )
  );
}

function isOfTables(item: unknown): boolean {
  const { kind, body = {} } = named(item) ?? {};
  if (kind === 'JoinExpr') return isOfTables(body.larg) && isOfTables(body.rarg);
  if (kind === 'RangeSubselect') return isOfColumns(child(child(body, 'subquery'), 'SelectStmt') ?? {});
  return kind === 'RangeVar';
}
