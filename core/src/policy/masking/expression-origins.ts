/**
 * Determines the origin of an expression's value from PostgreSQL's parse tree. Every use of a value other than passing
 * it on as itself is reported: a test (a condition, a comparison, a sort) reveals it by its result, and a value made
 * from it by its size, its failure or the time it takes. Unknown values count as sensitive.
 */
import { child, isNode, list, strings, text, type Node } from '#server/language/tree/parse-tree.ts';
import { isCatalogueType, isOpenFunction } from './open-functions.ts';
import { mixed, oneOf, unknownOrigin, type Origin } from './origin.ts';
import { meaningsIn, meaningsOf, relationsNamed, wholeRow, type OriginScope } from './relations.ts';

/** What a value is used for, other than being passed on as itself. */
export type Decision =
  | 'condition'
  | 'join'
  | 'order'
  | 'group'
  | 'distinct'
  | 'window'
  | 'aggregate'
  | 'comparison'
  | 'function'
  | 'cast'
  | 'catalogue'
  | 'set'
  | 'sample'
  | 'derived';

export interface ExpressionReader {
  /** Counts one step; throws if the query is too complex. */
  step(): void;
  /** Reports that a value is tested, or that another value is made from it. */
  decides(origin: Origin, decision: Decision): void;
  /** @param isRead whether its rows are read: EXISTS only looks for one. */
  subquery(select: Node, scope: OriginScope, isRead: boolean): readonly Origin[];
}

type Read = (node: Node, scope: OriginScope, reader: ExpressionReader) => Origin;

export function originOf(expression: unknown, scope: OriginScope, reader: ExpressionReader): Origin {
  if (!isNode(expression)) return undefined;
  reader.step();
  const [name = '', node] = Object.entries(expression)[0] ?? [];
  if (name === '' || !isNode(node)) return undefined;
  return (readers[name] ?? unknownNode)(node, scope, reader);
}

function allOf(expressions: unknown, scope: OriginScope, reader: ExpressionReader): readonly Origin[] {
  return list(expressions).map((expression) => originOf(expression, scope, reader));
}

/** Determines the origin of an expression and reports that its value is tested. */
export function decide(
  expression: unknown,
  decision: Decision,
  scope: OriginScope,
  reader: ExpressionReader,
): Origin {
  const origin = originOf(expression, scope, reader);
  reader.decides(origin, decision);
  return origin;
}

const open: Read = () => undefined;

/** A value made from several others. */
const made = (expressions: unknown, scope: OriginScope, reader: ExpressionReader): Origin =>
  decideAll(expressions, 'derived', scope, reader);

const madeOfArguments: Read = (node, scope, reader) => made(node.args, scope, reader);

const readers: Readonly<Record<string, Read>> = {
  A_Const: open,
  ParamRef: open,
  SQLValueFunction: readValueFunction,
  ColumnRef: readColumn,
  A_Expr: readOperation,
  BoolExpr: (node, scope, reader) => decideAll(node.args, 'condition', scope, reader),
  NullTest: (node, scope, reader) => decide(node.arg, 'condition', scope, reader),
  BooleanTest: (node, scope, reader) => decide(node.arg, 'condition', scope, reader),
  CaseExpr: readCase,
  CoalesceExpr: madeOfArguments,
  MinMaxExpr: (node, scope, reader) => decideAll(node.args, 'comparison', scope, reader),
  RowExpr: madeOfArguments,
  A_ArrayExpr: (node, scope, reader) => made(node.elements, scope, reader),
  List: (node, scope, reader) => made(node.items, scope, reader),
  NamedArgExpr: (node, scope, reader) => originOf(node.arg, scope, reader),
  GroupingFunc: (node, scope, reader) => {
    allOf(node.args, scope, reader);
    return undefined;
  },
  CollateClause: (node, scope, reader) => decide(node.arg, 'function', scope, reader),
  TypeCast: readCast,
  FuncCall: readCall,
  SubLink: readSublink,
  A_Indirection: readIndirection,
};

function decideAll(
  expressions: unknown,
  decision: Decision,
  scope: OriginScope,
  reader: ExpressionReader,
): Origin {
  const origin = mixed(allOf(expressions, scope, reader));
  reader.decides(origin, decision);
  return origin;
}

/** For unknown nodes: reports all expressions inside, and the value itself, whose origin is unknown. */
function unknownNode(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  for (const inner of expressionsIn(node)) decide(inner, 'function', scope, reader);
  reader.decides(unknownOrigin, 'function');
  return unknownOrigin;
}

/** Yields the nearest expressions below a node, through fields and lists. */
export function* expressionsIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const entry of value) yield* nodesIn(entry);
  else if (isNode(value)) for (const inner of Object.values(value)) yield* nodesIn(inner);
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) yield* expressionsIn(value);
  else if (isNode(value)) {
    const [name = ''] = Object.keys(value);
    if (/^[A-Z]/.test(name) && Object.keys(value).length === 1) yield value;
    else yield* expressionsIn(value);
  }
}

export const isStar = (node: Node): boolean => child(list(node.fields).at(-1), 'A_Star') !== undefined;

function readColumn(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const parts = strings(node.fields);
  const qualifier = parts.slice(0, -1);
  if (isStar(node)) {
    // `count(*)` does not get here, so this is a whole row used as a value.
    const relations = qualifier.length === 0 ? scope.relations : relationsNamed(qualifier, scope);
    const row = mixed([...relations.map(wholeRow), ...(relations.length === 0 ? [unknownOrigin] : [])]);
    reader.decides(row, 'derived');
    return row;
  }
  const name = parts.at(-1) ?? '';
  const meanings = qualifier.length === 0 ? meaningsOf(name, scope) : meaningsIn(qualifier, name, scope);
  const origin =
    meanings.length === 0
      ? { ...unknownOrigin, column: parts.join('.') }
      : oneOf(meanings.map((meaning) => meaning.origin));
  // A name that is no listed column may be a whole row, or a function called with one.
  const isColumn = meanings.length > 0 && meanings.every((meaning) => meaning.isColumn);
  if (!isColumn) reader.decides(origin, 'derived');
  return origin;
}

function readOperation(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const origin = mixed([originOf(node.lexpr, scope, reader), originOf(node.rexpr, scope, reader)]);
  const names = strings(node.name);
  const isJoin = node.kind === 'AEXPR_OP' && names.length === 1 && names[0] === '||';
  reader.decides(origin, isJoin ? 'derived' : 'comparison');
  return origin;
}

function readCase(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const parts: Origin[] = [decide(node.arg, 'comparison', scope, reader)];
  for (const entry of list(node.args)) {
    const when = child(entry, 'CaseWhen');
    parts.push(decide(when?.expr, 'condition', scope, reader), originOf(when?.result, scope, reader));
  }
  parts.push(originOf(node.defresult, scope, reader));
  const origin = mixed(parts);
  reader.decides(origin, 'derived');
  return origin;
}

/** The time is open; the names of roles, the database and the schema are those of the server. */
function readValueFunction({ op }: Node, _: OriginScope, reader: ExpressionReader): Origin {
  const name = text(op).replace('SVFOP_', '').toLowerCase();
  if (/^(?:current_date|current_time|localtime)/.test(name)) return undefined;
  const named = { ...unknownOrigin, column: name };
  reader.decides(named, 'catalogue');
  return named;
}

/** Only `::text` passes a value on as itself: other types cut it, pad it, or fail by what it holds. */
function readCast(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const origin = originOf(node.arg, scope, reader);
  const typeName = child(node, 'typeName');
  const names = strings(typeName?.names);
  const type = names.at(-1) ?? '';
  if (isCatalogueType(type)) {
    reader.decides(origin, 'cast');
    const named = { ...unknownOrigin, column: type };
    reader.decides(named, 'catalogue');
    return named;
  }
  const isText =
    type === 'text' &&
    (names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog')) &&
    typeName?.arrayBounds === undefined &&
    typeName?.typmods === undefined;
  if (!isText) reader.decides(origin, 'cast');
  return isText ? origin : mixed([origin]);
}

function readCall(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const names = strings(node.funcname);
  const [name, schema] = [names.at(-1) ?? '', names.at(-2)];
  const given = allOf(node.args, scope, reader);
  const sorted = list(node.agg_order).map((sort) =>
    decide(child(sort, 'SortBy')?.node, 'order', scope, reader),
  );
  // The result of WITHIN GROUP is one of the values that it sorts.
  const origin = mixed([...given, ...(node.agg_within_group === true ? sorted : [])]);
  const isAggregate = ['agg_order', 'agg_filter', 'agg_distinct', 'agg_within_group'].some(
    (field) => node[field] !== undefined,
  );
  decide(node.agg_filter, 'condition', scope, reader);
  readWindow(child(node, 'over'), scope, reader);
  reader.decides(origin, isAggregate || isUsualAggregate(name) ? 'aggregate' : 'function');
  if (!isOpenFunction(name, schema)) {
    const unknown = { ...unknownOrigin, column: `${names.join('.')}()` };
    // It may read tables itself.
    reader.decides(unknown, 'function');
    return unknown;
  }
  // A count is public. A sensitive argument was reported above, so only saved queries get this far.
  return name === 'count' && node.over === undefined ? undefined : origin;
}

const usualAggregates = new Set('count min max sum avg string_agg array_agg json_agg jsonb_agg'.split(' '));
const isUsualAggregate = (name: string): boolean => usualAggregates.has(name);

/** Reads a window definition, inline or named. */
export function readWindow(window: Node | undefined, scope: OriginScope, reader: ExpressionReader): void {
  if (window === undefined) return;
  list(window.partitionClause).forEach((expression) => decide(expression, 'window', scope, reader));
  list(window.orderClause).forEach((sort) => decide(child(sort, 'SortBy')?.node, 'window', scope, reader));
  for (const offset of [window.startOffset, window.endOffset]) decide(offset, 'window', scope, reader);
}

function readSublink(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const select = child(child(node, 'subselect'), 'SelectStmt');
  const isRead = node.subLinkType !== 'EXISTS_SUBLINK';
  const columns = select === undefined ? [unknownOrigin] : reader.subquery(select, scope, isRead);
  switch (node.subLinkType) {
    case 'EXISTS_SUBLINK':
      // The existence of rows is public; the conditions of the inner query were already checked.
      return undefined;
    case 'EXPR_SUBLINK':
      return columns.length === 1 ? columns[0] : mixed([...columns, unknownOrigin]);
    case 'ARRAY_SUBLINK': {
      const origin = mixed(columns);
      reader.decides(origin, 'derived');
      return origin;
    }
    default: {
      const origin = mixed([originOf(node.testexpr, scope, reader), ...columns]);
      reader.decides(origin, 'comparison');
      return origin;
    }
  }
}

function readIndirection(node: Node, scope: OriginScope, reader: ExpressionReader): Origin {
  const origin = originOf(node.arg, scope, reader);
  let isField = false;
  for (const entry of list(node.indirection)) {
    const index = child(entry, 'A_Indices');
    if (index === undefined) isField = true;
    else for (const place of [index.lidx, index.uidx]) decide(place, 'function', scope, reader);
  }
  // A field of an unknown row, or a function call in field notation.
  const part = mixed([origin, ...(isField ? [unknownOrigin] : [])]);
  reader.decides(part, 'derived');
  return part;
}

/** Returns the name in an unqualified ColumnRef; undefined for any other expression. */
export function plainName(expression: unknown): string | undefined {
  const column = child(expression, 'ColumnRef');
  const parts = strings(column?.fields);
  return column !== undefined && !isStar(column) && parts.length === 1 ? text(parts[0]) : undefined;
}
