/** The columns of a query with their types (analyze.c), and what is wrong in its clauses. */
import { outputName } from '../tree/output-names.ts';
import { child, constantOf, isNode, list, readColumn, strings, text, type Node } from '../tree/parse-tree.ts';
import { give, unify, wantBoolean, wantType, type Operand } from './conversions.ts';
import { expressionType, operandOf } from './expressions.ts';
import { fromItem, starOf, type FromPlace } from './from-items.ts';
import { checkGrouping } from './grouping.ts';
import {
  unknown,
  type Clause,
  type Column,
  type Columns,
  type Level,
  type Session,
  type VisibleTable,
} from './typing.ts';

/** Queries inside each other that are typed. */
const depthMax = 60;
/** Columns of all queries together: common tables that double each other would have millions. */
const columnsMax = 100_000;

export function queryColumns(
  session: Session,
  select: Node,
  parent: Level | undefined,
  tables: readonly VisibleTable[],
  keepsUnknown = false,
): Columns {
  const depth = (parent?.depth ?? 0) + 1;
  if (depth > depthMax || session.columnCount > columnsMax) {
    for (let at = parent; at !== undefined; at = at.parent) at.isUncertain = true;
    return undefined;
  }
  session.depth += 10;
  const visible = commonTables(session, select, parent, tables);
  const level: Level = {
    parent,
    depth,
    relations: [],
    star: [],
    clause: 'SELECT',
    hasAggregates: false,
    isUncertain: false,
    tables: visible,
    windows: new Set(),
  };
  const columns =
    child(select, 'larg') !== undefined
      ? setOperation(session, select, level)
      : list(select.valuesLists).length > 0
        ? valuesColumns(session, select, level)
        : selectColumns(session, select, level);
  session.depth -= 10;
  session.columnCount += columns?.length ?? 0;
  return keepsUnknown ? columns : columns?.map(decided);
}

/** A literal that nothing gave a type is a text. */
const decided = (column: Column): Column =>
  column.type === 'unknown' ? { ...column, type: 'text' } : column;

function commonTables(
  session: Session,
  select: Node,
  parent: Level | undefined,
  outer: readonly VisibleTable[],
): readonly VisibleTable[] {
  const clause = child(select, 'withClause');
  const entries = list(clause?.ctes).map((entry) => child(entry, 'CommonTableExpr') ?? {});
  if (entries.length === 0) return outer;
  const isRecursive = clause?.recursive === true;
  const own: VisibleTable[] = isRecursive
    ? entries.map((entry) => ({ name: text(entry.ctename), columns: undefined }))
    : [];
  for (const [index, entry] of entries.entries()) {
    const name = text(entry.ctename);
    const query = child(child(entry, 'ctequery'), 'SelectStmt');
    const aliases = strings(entry.aliascolnames);
    const visible = [...own, ...outer];
    const self = own[index];
    let columns: Columns;
    if (
      query !== undefined &&
      isRecursive &&
      self !== undefined &&
      child(query, 'larg') !== undefined &&
      child(query, 'withClause') === undefined
    ) {
      // The recursive part sees what the first part gives.
      const quiet = { ...session, report: () => undefined };
      const first = child(query, 'larg');
      self.columns =
        first === undefined ? undefined : renamed(queryColumns(quiet, first, parent, visible), aliases);
      columns = queryColumns(session, query, parent, visible);
    } else {
      columns = query === undefined ? undefined : queryColumns(session, query, parent, visible);
    }
    const added = 'search_clause' in entry || 'cycle_clause' in entry;
    const named = added ? undefined : renamed(columns, aliases);
    if (isRecursive && self !== undefined) self.columns = named;
    else own.unshift({ name, columns: named });
  }
  return [...own, ...outer];
}

export const renamed = (columns: Columns, aliases: readonly string[]): Columns =>
  columns === undefined || aliases.length === 0
    ? columns
    : columns.map((column, index) => ({ ...column, name: aliases[index] ?? column.name }));

function selectColumns(session: Session, select: Node, level: Level): Columns {
  from(session, select, level);
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget') ?? {});
  const columns: Column[] = [];
  const operands: (Operand | undefined)[] = [];
  let isWhole = true;
  level.clause = 'SELECT';
  for (const target of targets) {
    const star = starIn(session, level, target.val);
    if (star === undefined) {
      const operand = operandOf(session, level, target.val);
      const name = typeof target.name === 'string' ? target.name : outputName(target.val);
      columns.push({ ...operand.typed, name });
      operands.push(operand);
    } else if (star.columns === undefined) {
      isWhole = false;
    } else {
      for (const column of star.columns) {
        columns.push(column);
        operands.push(undefined);
      }
      session.columnCount += star.columns.length;
    }
  }
  if ('whereClause' in select) {
    wantBoolean(session, inClause(session, level, 'WHERE', select.whereClause), 'WHERE');
  }
  if ('havingClause' in select) {
    wantBoolean(session, inClause(session, level, 'HAVING', select.havingClause), 'HAVING');
  }
  const outputs = { columns, isWhole, targets };
  sorting(session, level, select, outputs);
  limits(session, level, select);
  for (const entry of list(select.windowClause)) {
    const window = child(entry, 'WindowDef');
    if (window !== undefined) {
      level.clause = 'WINDOW';
      for (const part of list(window.partitionClause)) expressionType(session, level, part);
      for (const part of list(window.orderClause))
        expressionType(session, level, child(part, 'SortBy')?.node);
    }
  }
  level.clause = 'SELECT';
  checkGrouping(session, level, select, columns);
  return isWhole ? columns : undefined;
}

function from(session: Session, select: Node, level: Level): void {
  const outside = level.parent;
  const place: FromPlace = { session, level, outside };
  const stars: Columns[] = [];
  level.clause = 'FROM';
  for (const item of list(select.fromClause)) {
    const { relations, star } = fromItem(place, item);
    stars.push(star);
    level.relations = level.relations.length === 0 ? relations : [...level.relations, ...relations];
  }
  level.star =
    stars.length === 1
      ? stars[0]
      : stars.includes(undefined)
        ? undefined
        : stars.flatMap((star) => star ?? []);
}

function inClause(session: Session, level: Level, clause: Clause, node: unknown): Operand {
  level.clause = clause;
  return operandOf(session, level, node);
}

/** What `*` and `t.*` stand for; undefined for anything else. */
function starIn(session: Session, level: Level, node: unknown): { readonly columns: Columns } | undefined {
  const column = child(node, 'ColumnRef');
  if (column !== undefined) {
    const { parts } = readColumn(column);
    return parts.at(-1) === '*' ? { columns: starOf(level, parts.slice(0, -1)) } : undefined;
  }
  const indirection = child(node, 'A_Indirection');
  const last = list(indirection?.indirection).at(-1);
  if (child(last, 'A_Star') === undefined) {
    return undefined;
  }
  const row = expressionType(session, level, indirection?.arg);
  const isWhole = list(indirection?.indirection).length === 1;
  return { columns: isWhole ? row.fields : undefined };
}

interface Outputs {
  readonly columns: readonly Column[];
  /** Whether these are all. */
  readonly isWhole: boolean;
  readonly targets: readonly Node[];
}

function sorting(session: Session, level: Level, select: Node, outputs: Outputs): void {
  const sorts = list(select.sortClause).map((entry) => child(entry, 'SortBy') ?? {});
  for (const sort of sorts) {
    if (isNode(sort.node)) {
      const typed = sortType(session, level, { node: sort.node, outputs, clause: 'ORDER BY' });
      orderable(session, sort.node, typed, 'ordering');
    }
  }
  for (const entry of list(select.groupClause)) {
    groupEntry(session, level, entry, outputs);
  }
  const distinct = list(select.distinctClause);
  if (distinct.some(isNode)) {
    for (const entry of distinct) {
      if (isNode(entry) && Object.keys(entry).length > 0) {
        const typed = sortType(session, level, { node: entry, outputs, clause: 'ORDER BY' });
        orderable(session, entry, typed, 'equality');
      } else if (outputs.isWhole) {
        outputs.columns.forEach((column, index) => {
          orderable(session, outputs.targets[index]?.val, column.type, 'equality');
        });
      }
    }
  }
}

function groupEntry(session: Session, level: Level, entry: unknown, outputs: Outputs): void {
  const set = child(entry, 'GroupingSet');
  const row = child(entry, 'RowExpr');
  if (set !== undefined || row !== undefined) {
    for (const inner of list(set === undefined ? row?.args : set.content)) {
      groupEntry(session, level, inner, outputs);
    }
    return;
  }
  if (isNode(entry)) {
    const typed = sortType(session, level, { node: entry, outputs, clause: 'GROUP BY' });
    orderable(session, entry, typed, 'equality');
  }
}

/** The type of an entry of ORDER BY, GROUP BY or DISTINCT ON: an output, by its name or number, or an expression. */
function sortType(
  session: Session,
  level: Level,
  {
    node,
    outputs,
    clause,
  }: { readonly node: Node; readonly outputs: Outputs; readonly clause: 'ORDER BY' | 'GROUP BY' },
): string | undefined {
  const constant = constantOf(node);
  if (constant?.kind === 'number') {
    return /^\d+$/.test(constant.value) && outputs.isWhole
      ? outputs.columns[Number(constant.value) - 1]?.type
      : undefined;
  }
  const column = child(node, 'ColumnRef');
  const [name, ...rest] = column === undefined ? [] : readColumn(column).parts;
  if (name !== undefined && rest.length === 0 && name !== '*') {
    const isColumn = level.relations.some(
      (own) => own.columns === undefined || own.columns.some((each) => each.name === name),
    );
    const output = outputs.columns.findIndex((own) => own.name === name);
    if ((clause === 'ORDER BY' || !isColumn) && output >= 0) {
      return outputs.columns[output]?.type;
    }
    if (clause === 'ORDER BY' && !outputs.isWhole) return undefined;
  }
  const operand = inClause(session, level, clause, node);
  if (operand.typed.type === 'unknown') give(session, operand, 'text');
  return operand.typed.type;
}

/** Types that can be sorted neither by themselves nor in arrays. */
const unordered = new Set(
  `json jsonpath xml point lseg line box path polygon circle cid xid aclitem pg_snapshot txid_snapshot refcursor
   gtsvector unknown_order`.split(/\s+/),
);
/** Those of them that are equal or not. */
const equal = new Set(['cid', 'xid', 'aclitem']);

function orderable(
  session: Session,
  node: unknown,
  type: string | undefined,
  kind: 'ordering' | 'equality',
): void {
  const element = type === undefined ? undefined : (session.coercion.element(type) ?? type);
  if (type === undefined || element === undefined || !unordered.has(element)) return;
  if (kind === 'equality' && equal.has(element)) return;
  const remedy = element === 'json' ? ' Cast it to jsonb.' : ' Cast it to text.';
  session.report({
    code: 'TYPE_MISMATCH',
    message: `could not identify an ${kind} operator for type ${session.coercion.shown(type)}.${remedy}`,
    at: node,
  });
}

function limits(session: Session, level: Level, select: Node): void {
  for (const [key, what] of [
    ['limitCount', 'LIMIT'],
    ['limitOffset', 'OFFSET'],
  ] as const) {
    if (key in select) {
      const operand = inClause(session, level, what, select[key]);
      wantType(session, operand, { type: 'int8', what });
    }
  }
}

function valuesColumns(session: Session, select: Node, level: Level): Columns {
  level.clause = 'VALUES';
  const rows = list(select.valuesLists).map((entry) => list(child(entry, 'List')?.items));
  const width = rows[0]?.length ?? 0;
  const typedRows = rows.map((row) => row.map((value) => operandOf(session, level, value)));
  const odd = typedRows.find((row) => row.length !== width);
  if (odd !== undefined) {
    session.report({
      code: 'SET_OPERATION_COLUMNS',
      message: `VALUES lists must all be the same length: ${width} and ${odd.length}.`,
      at: odd[0]?.node,
    });
    return undefined;
  }
  const columns = Array.from({ length: width }, (_, index): Column => {
    const operands = typedRows.flatMap((row) => row[index] ?? []);
    return {
      ...(rows.length === 1 ? (operands[0]?.typed ?? unknown) : unify(session, operands, 'VALUES')),
      name: `column${index + 1}`,
    };
  });
  sorting(session, level, select, { columns, isWhole: true, targets: [] });
  limits(session, level, select);
  return columns;
}

const ofWhole = ['withClause', 'sortClause', 'limitCount', 'limitOffset', 'lockingClause'];

/** `a UNION b UNION c` is one list: texts have thousands of sides. */
function setOperation(session: Session, select: Node, level: Level): Columns {
  const operations: Node[] = [select];
  let first = child(select, 'larg');
  while (
    first !== undefined &&
    child(first, 'larg') !== undefined &&
    !ofWhole.some((key) => first !== undefined && key in first)
  ) {
    operations.push(first);
    first = child(first, 'larg');
  }
  let columns = first === undefined ? undefined : side(session, first, level);
  for (const operation of operations.toReversed()) {
    const right = child(operation, 'rarg');
    const others = right === undefined ? undefined : side(session, right, level);
    columns = combined(session, operation, [columns, others]);
  }
  const all = columns?.map(({ column }) => column);
  if (all !== undefined) {
    for (const entry of list(select.sortClause)) {
      const node = child(entry, 'SortBy')?.node;
      const [name] = readColumn(child(node, 'ColumnRef') ?? {}).parts;
      const column = all.find((own) => own.name === name);
      if (column !== undefined) orderable(session, node, column.type, 'ordering');
    }
  }
  limits(session, level, select);
  return all;
}

/** A column of a side, and the expression that it is where it is one. */
interface SideColumn {
  readonly column: Column;
  readonly node: unknown;
}

function side(session: Session, select: Node, level: Level): readonly SideColumn[] | undefined {
  const columns = queryColumns(session, select, level.parent, level.tables, true);
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget')?.val);
  const hasAll = columns !== undefined && targets.length === columns.length;
  return columns?.map((column, index) => ({ column, node: hasAll ? targets[index] : undefined }));
}

function combined(
  session: Session,
  operation: Node,
  [left, right]: readonly [readonly SideColumn[] | undefined, readonly SideColumn[] | undefined],
): readonly SideColumn[] | undefined {
  const word = text(operation.op).replace('SETOP_', '');
  if (left === undefined || right === undefined) {
    return undefined;
  }
  if (left.length !== right.length) {
    session.report({
      code: 'SET_OPERATION_COLUMNS',
      message: `each ${word} query must have the same number of columns: ${left.length} and ${right.length}.`,
      at: right[0]?.node ?? child(operation, 'rarg'),
    });
    return undefined;
  }
  return left.map((one, index) => {
    const other = right[index] ?? one;
    const operands = [one, other].map(({ column, node }) => ({ node, typed: column }));
    const result = unify(session, operands, word);
    if (operation.all !== true) {
      orderable(session, other.node ?? one.node, result.type, 'equality');
    }
    const isNeverNull = one.column.nullable === false && other.column.nullable === false;
    return {
      column: {
        type: result.type,
        origins: result.origins,
        name: one.column.name,
        ...(isNeverNull ? { nullable: false } : {}),
      },
      node: undefined,
    };
  });
}
