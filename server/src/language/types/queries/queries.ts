/** Types the columns of a query (analyze.c), and reports errors in its clauses. */
import { t } from '#base/texts.ts';
import { Star } from '#server/language/names/relations/star.ts';
import type { VisibleTables } from '#server/language/names/relations/visible-tables.ts';
import { outputName } from '#server/language/tree/output-names.ts';
import {
  child,
  isNode,
  list,
  number,
  readColumn,
  text,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { expressionType, operandOf, typeWindow } from '../expressions/expressions.ts';
import { unify, wantBoolean } from '../resolution/conversions.ts';
import {
  perhaps,
  unknown,
  type Column,
  type Columns,
  type Level,
  type Relation,
  type Session,
  type VisibleTable,
} from '../typing.ts';
import { commonTables } from './common-tables.ts';
import { checkDistinct } from './distinct.ts';
import { checkNames, fromItem, starOf, type FromPlace } from './from-items.ts';
import { checkGrouping } from './grouping.ts';
import { setOperation } from './set-operations.ts';
import { inClause, limits, sorting } from './sorting.ts';

/** Maximum nesting of typed queries. */
const depthMax = 60;
/** Maximum total number of columns in all queries. CTEs that repeatedly double their columns would have millions. */
const columnsMax = 100_000;

export function queryColumns(
  session: Session,
  select: Node,
  parent: Level | undefined,
  tables: VisibleTables<VisibleTable>,
  keepsUnknown = false,
): Columns {
  if (session.sides.has(select)) {
    const known = session.sides.get(select);
    return keepsUnknown ? known : known?.map(decided);
  }
  const depth = (parent?.depth ?? 0) + 1;
  if (depth > depthMax || session.columnCount > columnsMax) {
    for (let at = parent; at !== undefined; at = at.parent) at.isUncertain = true;
    return undefined;
  }
  session.depth += 10;
  const visible = commonTables(session, select, tables, (own, query, seen, keeps) =>
    perhaps(own, () => queryColumns(own, query, parent, seen, keeps)),
  );
  const level: Level = {
    parent,
    depth,
    relations: [],
    star: () => [],
    clause: 'SELECT',
    hasAggregates: false,
    isUncertain: false,
    tables: visible,
    windows: windowsOf(session, select),
    sets: 0,
    readsItself: false,
  };
  const columns =
    child(select, 'larg') !== undefined
      ? setOperation(session, select, level, (side) =>
          queryColumns(session, side, level.parent, level.tables, true),
        )
      : list(select.valuesLists).length > 0
        ? valuesColumns(session, select, level)
        : selectColumns(session, select, level);
  session.depth -= 10;
  session.columnCount += columns?.length ?? 0;
  return keepsUnknown ? columns : columns?.map(decided);
}

function windowsOf(session: Session, select: Node): Level['windows'] {
  const windows = new Map<string, Node>();
  for (const entry of list(select.windowClause)) {
    const window = child(entry, 'WindowDef') ?? {};
    const name = text(window.name);
    if (windows.has(name)) {
      const message = `window "${name}" is already defined.`;
      session.report({ code: 'INVALID_CLAUSE', message, at: undefined, location: number(window.location) });
    } else windows.set(name, window);
  }
  return windows;
}

/** An untyped literal becomes text. */
const decided = (column: Column): Column =>
  column.type === 'unknown' ? { ...column, type: 'text' } : column;

function selectColumns(session: Session, select: Node, level: Level): Columns {
  from(session, select, level);
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget') ?? {});
  const columns: Column[] = [];
  const sources: unknown[] = [];
  let isWhole = true;
  level.clause = 'SELECT';
  for (const target of targets) {
    const star = starIn(session, level, target.val);
    if (star?.columns !== undefined && isNode(target.val)) session.noteStar(target.val, star.columns);
    if (!('fromClause' in select)) wantTables(session, target.val);
    if (star === undefined) {
      const operand = operandOf(session, level, target.val);
      const name = typeof target.name === 'string' ? target.name : outputName(target.val);
      columns.push({ ...operand.typed, name });
      sources.push(target.val);
    } else if (star.columns === undefined || session.columnCount > columnsMax) {
      isWhole = false;
    } else {
      for (const column of star.columns) {
        columns.push(column);
        sources.push(target.val);
      }
      session.columnCount += star.columns.length;
    }
  }
  if ('whereClause' in select)
    wantBoolean(session, inClause(session, level, 'WHERE', select.whereClause), 'WHERE');
  if ('havingClause' in select)
    wantBoolean(session, inClause(session, level, 'HAVING', select.havingClause), 'HAVING');
  const outputs = { columns, isWhole, targets, sources };
  sorting(session, level, select, outputs);
  limits(session, level, select);
  for (const entry of list(select.windowClause)) typeWindow(session, level, child(entry, 'WindowDef') ?? {});
  level.clause = 'SELECT';
  checkGrouping(session, level, select, columns);
  checkRecursiveTerm(session, level, select);
  checkDistinct(session, level, select, columns);
  return isWhole ? columns : undefined;
}

/** PostgreSQL adds rows to a recursive query step by step, so that none of its terms can aggregate them. */
function checkRecursiveTerm(session: Session, level: Level, select: Node): void {
  if (!level.readsItself || !level.hasAggregates || level.isUncertain) return;
  const message = `aggregate functions are not allowed in a recursive query's recursive term. ${t('Compute it in a subquery.')}`;
  session.report({ code: 'AGGREGATE_MISUSE', message, at: select.targetList });
}

/** Reports `*` in a query without FROM. */
function wantTables(session: Session, node: unknown): void {
  const { parts, location } = readColumn(child(node, 'ColumnRef') ?? {});
  if (parts.length === 1 && parts[0] === '*') {
    const message = 'SELECT * with no tables specified is not valid.';
    session.report({ code: 'INVALID_CLAUSE', message, at: undefined, location });
  }
}

function from(session: Session, select: Node, level: Level): void {
  const outside = level.parent;
  const place: FromPlace = { session, level, outside };
  const stars: Star<Column>[] = [];
  const relations: Relation[] = [];
  level.relations = relations;
  level.clause = 'FROM';
  for (const item of list(select.fromClause)) {
    const joined = fromItem(place, item);
    stars.push(joined.star);
    for (const own of joined.relations) relations.push(own);
  }
  checkNames(session, relations);
  const star = Star.together(stars);
  level.star = () => star.columns();
}

/** Returns the columns of `*` or `t.*`; undefined for other expressions. */
function starIn(session: Session, level: Level, node: unknown): { readonly columns: Columns } | undefined {
  const column = child(node, 'ColumnRef');
  if (column !== undefined) {
    const { parts } = readColumn(column);
    return parts.at(-1) === '*' ? { columns: starOf(level, parts.slice(0, -1)) } : undefined;
  }
  const indirection = child(node, 'A_Indirection');
  const last = list(indirection?.indirection).at(-1);
  if (child(last, 'A_Star') === undefined) return undefined;
  const row = expressionType(session, level, indirection?.arg);
  const isWhole = list(indirection?.indirection).length === 1;
  if (isWhole && row.type !== undefined && session.catalogue.type(row.type)?.kind === 'b') {
    const message = `type ${session.coercion.shown(row.type)} is not composite. ${t('Leave {0} out.', '.*')}`;
    session.report({ code: 'TYPE_MISMATCH', message, at: node });
  }
  return { columns: isWhole ? row.fields : undefined };
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
  sorting(session, level, select, { columns, isWhole: true, targets: [], sources: [] });
  limits(session, level, select);
  return columns;
}
