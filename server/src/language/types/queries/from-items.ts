/** Types FROM items and their columns (parse_clause.c). */
import { t } from '#base/texts.ts';
import {
  joined,
  relation,
  relationNamed,
  single,
  type Joined as JoinedOf,
} from '#server/language/names/relations/relations.ts';
import type { Star } from '#server/language/names/relations/star.ts';
import {
  child,
  isNode,
  list,
  number,
  strings,
  text,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { calledType, operandOf } from '../expressions/expressions.ts';
import { checkContext, checkJsonTable } from '../expressions/json-clauses.ts';
import { writtenType } from '../expressions/written-types.ts';
import { misplaced } from '../resolution/call-places.ts';
import { isPolymorphic } from '../resolution/coercion.ts';
import { unify, wantBoolean, wantType } from '../resolution/conversions.ts';
import { unknown, type Column, type Columns, type Level, type Relation, type Session } from '../typing.ts';
import { aliased } from './column-aliases.ts';
import { checkMerged, checkUsing } from './merged-columns.ts';
import { checkSample } from './table-samples.ts';

export interface FromPlace {
  readonly session: Session;
  /** The query that contains this FROM. */
  readonly level: Level;
  readonly outside: Level | undefined;
}

type Joined = JoinedOf<Column>;

/** Applies the column aliases of an item. */
const withAlias = (session: Session, columns: Columns, node: Node): Columns => {
  const alias = child(node, 'alias');
  const names = strings(alias?.colnames);
  if (names.length === 0) return columns;
  return aliased(session, columns, {
    what: `${'larg' in node ? 'join expression' : 'table'} "${text(alias?.aliasname)}"`,
    names,
    at: node,
    ...tableLocation(node),
  });
};

/** Returns the position of the item's first table, since joins have no position. */
function tableLocation(node: Node): { readonly location?: number } {
  if (typeof node.location === 'number') return { location: node.location };
  let location: number | undefined;
  walk(node, (name, inner) => {
    if (name === 'RangeVar') location ??= number(inner.location);
    return location === undefined;
  });
  return location === undefined ? {} : { location };
}

export function fromItem(place: FromPlace, item: unknown): Joined {
  const joined = readItem(place, item);
  const [only, ...others] = joined.relations;
  return only === undefined || others.length > 0 || only.item !== undefined
    ? joined
    : { ...joined, relations: [{ ...only, item }] };
}

function readItem(place: FromPlace, item: unknown): Joined {
  const [kind, node] = isNode(item) ? (Object.entries(item)[0] ?? []) : [];
  if (kind === undefined || !isNode(node)) return single(relation(undefined, undefined));
  const alias = child(node, 'alias')?.aliasname;
  const name = typeof alias === 'string' ? alias : undefined;
  switch (kind) {
    case 'RangeVar':
      return single(table(place, node, name));
    case 'RangeTableSample': {
      const sampled = fromItem(place, node.relation);
      checkSample(place, node, sampled.relations);
      return sampled;
    }
    case 'RangeSubselect': {
      const select = child(child(node, 'subquery'), 'SelectStmt');
      const parent = node.lateral === true ? place.level : place.outside;
      const columns =
        select === undefined ? undefined : place.session.query(select, parent, place.level.tables);
      return single(relation(name, withAlias(place.session, columns, node)));
    }
    case 'JoinExpr':
      return join(place, node, name);
    case 'RangeFunction':
      return single(functions(place, node, name));
    case 'RangeTableFunc':
      return single(relation(name ?? 'xmltable', withAlias(place.session, xmlTable(place, node), node)));
    case 'JsonTable':
      checkContext(
        place.session,
        operandOf(place.session, place.level, child(node, 'context_item')?.raw_expr),
      );
      checkJsonTable(place.session, node);
      return single(relation(name ?? 'json_table', withAlias(place.session, jsonTable(place, node), node)));
    default:
      return single(relation(name, undefined));
  }
}

function table({ session, level }: FromPlace, node: Node, alias: string | undefined): Relation {
  const name = text(node.relname);
  const schema = typeof node.schemaname === 'string' ? node.schemaname : undefined;
  const common = schema === undefined ? level.tables.find(name) : undefined;
  const columns = common === undefined ? session.columnsOf(schema, name) : common.columns;
  if (common?.isOpen === true) level.readsItself = true;
  return relation(alias ?? name, withAlias(session, columns, node), {
    isTable: common === undefined,
    ...(alias !== undefined || common !== undefined ? {} : { schema: schema ?? (columns && session.model) }),
  });
}

function join(place: FromPlace, node: Node, alias: string | undefined): Joined {
  const { level, session } = place;
  const before = level.relations;
  const left = fromItem(place, node.larg);
  const kind = text(node.jointype);
  // On the right side, LATERAL can use the left side, unless the join adds rows without one.
  const isBarred = kind === 'JOIN_RIGHT' || kind === 'JOIN_FULL';
  const seen = isBarred ? left.relations.map((own) => ({ ...own, isBarred })) : left.relations;
  level.relations = [...before, ...seen];
  const right = fromItem(place, node.rarg);
  level.relations = before;
  const ones = isBarred ? nullable(left) : left;
  const others = kind === 'JOIN_LEFT' || kind === 'JOIN_FULL' ? nullable(right) : right;
  const usingAlias = child(node, 'join_using_alias')?.aliasname;
  checkUsing(session, node);
  const both = joined(ones, others, {
    isNatural: node.isNatural === true,
    using: strings(node.usingClause),
    ...(typeof usingAlias === 'string' ? { usingAlias } : {}),
    merge: (column, one, other) => {
      checkMerged(session, node, { name: column, sides: [left.star, right.star], columns: [one, other] });
      return merged(session, kind, column, one, other);
    },
    list: (star) => listed(session, star),
  });
  if (alias !== undefined) checkNames(session, both.relations);
  if ('quals' in node) {
    level.relations = both.relations;
    const clause = level.clause;
    level.clause = 'JOIN conditions';
    wantBoolean(session, operandOf(place.session, level, node.quals), 'JOIN/ON');
    level.clause = clause;
    level.relations = before;
  }
  return alias === undefined
    ? both
    : single(relation(alias, withAlias(session, listed(session, both.star), node)));
}

/** Each name stands once in a FROM, except for tables of different schemas. */
export function checkNames(session: Session, relations: readonly Relation[]): void {
  const seen = new Map<string, Relation>();
  for (const own of relations) {
    if (own.name === undefined) continue;
    const other = seen.get(own.name);
    seen.set(own.name, own);
    if (other === undefined || (own.isTable && other.isTable && own.schema !== other.schema)) continue;
    session.report({
      code: 'INVALID_CLAUSE',
      message: `table name "${own.name}" specified more than once. ${t('Give one of them another name with AS.')}`,
      at: own.item ?? other.item,
    });
  }
}

function listed(session: Session, star: Star<Column>): Columns {
  const columns = star.columns();
  session.columnCount += columns?.length ?? 0;
  return columns;
}

/** Marks the columns on one side of an outer join as nullable. */
const nullable = ({ relations, star }: Joined): Joined => ({
  relations: relations.map((own) => {
    const columns = own.columns && nullableColumns(own.columns);
    return columns === own.columns ? own : { ...own, columns };
  }),
  star: star.changed(nullableColumn),
});

const nullableColumn = (column: Column): Column =>
  column.nullable === true ? column : { ...column, nullable: true };

const nullableLists = new WeakMap<readonly Column[], readonly Column[]>();

/** Returns the same list if it has already been marked. */
function nullableColumns(columns: readonly Column[]): readonly Column[] {
  let own = nullableLists.get(columns);
  if (own === undefined) {
    own = columns.map(nullableColumn);
    nullableLists.set(columns, own);
    nullableLists.set(own, own);
  }
  return own;
}

/** Returns the column of USING or NATURAL that stands for those of both sides. */
function merged(
  session: Session,
  kind: string,
  name: string,
  one: Column | undefined,
  other: Column | undefined,
): Column {
  if (one === undefined || other === undefined) return { ...unknown, name };
  const sides = [one, other].map((typed) => ({ node: undefined, typed }));
  const { type, origins } = unify(session, sides, undefined);
  if (kind === 'JOIN_FULL') return { type, origins, name };
  // An inner join returns the column that needs no conversion.
  const isOther =
    kind === 'JOIN_RIGHT' || (kind === 'JOIN_INNER' && one.type !== type && other.type === type);
  const kept = isOther ? other : one;
  const [column] = kept.origins;
  return {
    type,
    origins,
    name,
    ...(column === undefined ? {} : { mergedFrom: column }),
    ...(kept.nullable === false ? { nullable: false } : {}),
  };
}

function functions(place: FromPlace, node: Node, alias: string | undefined): Relation {
  const calls = list(node.functions).map((entry) => list(child(entry, 'List')?.items));
  const outside: Level = { ...place.level, clause: 'FROM' };
  const columns: Column[] = [];
  let isWhole = true;
  // A function with a list of columns returns records.
  let isScalar = true;
  let first: string | undefined;
  for (const [call, definitions] of calls) {
    const own = child(call, 'FuncCall');
    const name =
      strings(own?.funcname).at(-1) ??
      (own === undefined ? Object.keys(isNode(call) ? call : {})[0] : undefined);
    first ??= name;
    const defined = [...list(child(definitions, 'List')?.items), ...list(node.coldeflist)];
    const found = own === undefined ? undefined : ofCall(place, outside, { own, calls: calls.length, alias });
    if (own === undefined) operandOf(place.session, outside, call);
    else checkDefinitions(place.session, own, defined, found);
    if (defined.length > 0) {
      isScalar = false;
      for (const each of defined) {
        const definition = child(each, 'ColumnDef');
        const { type } = writtenType(place.session, child(definition, 'typeName'));
        columns.push({ type, origins: [], name: text(definition?.colname) });
      }
    } else if (found === undefined) {
      isWhole = false;
    } else {
      for (const column of found) columns.push(column);
    }
  }
  if (node.ordinality === true && list(node.coldeflist).length > 0) {
    place.session.report({
      code: 'INVALID_CLAUSE',
      message: `WITH ORDINALITY cannot be used with a column definition list. ${t('Write {0}.', 'ROWS FROM (... AS (...)) WITH ORDINALITY')}`,
      at: calls[0]?.[0],
    });
  }
  if (node.ordinality === true)
    columns.push({ type: 'int8', origins: [], name: 'ordinality', nullable: false });
  return relation(
    alias ?? first,
    isWhole ? withAlias(place.session, columns, node) : undefined,
    isScalar && isWhole && columns.length === 1 ? { isScalar: true } : {},
  );
}

/** A function that returns rows of any shape needs the definitions of its columns, and no other function takes them. */
function checkDefinitions(
  session: Session,
  call: Node,
  defined: readonly unknown[],
  found: readonly Column[] | undefined,
): void {
  const names = strings(call.funcname);
  const name = names.at(-1) ?? '';
  const facts = names.length === 1 || names[0] === 'pg_catalog' ? session.catalogue.functions(name) : [];
  // Arrays of rows, and functions that users or extensions added, may return rows of any shape.
  if (facts.length === 0 || session.catalogue.isExtensionFunction(name)) return;
  const say = (message: string): void => {
    session.report({
      code: 'INVALID_CLAUSE',
      message,
      at: { FuncCall: call },
      location: number(call.location),
    });
  };
  const isScalar = found?.length === 1 && found[0]?.type !== undefined && found[0].type !== 'record';
  const isAny = ({ result, outputs }: (typeof facts)[number]): boolean =>
    result === 'record' && outputs.length === 0;
  const mayBeAny = (fact: (typeof facts)[number]): boolean =>
    isAny(fact) || (isPolymorphic(fact.result) && !isScalar);
  if (defined.length === 0) {
    if (facts.every(isAny))
      say(
        `a column definition list is required for functions returning "record". ${t('Write {0}.', 'AS name (column_name text, ...)')}`,
      );
    return;
  }
  if (!facts.some(mayBeAny)) {
    const isRedundant = facts.every(({ outputs }) => outputs.length > 0);
    say(
      isRedundant
        ? `a column definition list is redundant for a function with OUT parameters. ${t('Leave out the types.')}`
        : `a column definition list is only allowed for functions returning "record". ${t('Leave out the types.')}`,
    );
    return;
  }
  const columns = defined.map((each) => text(child(each, 'ColumnDef')?.colname));
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice !== undefined) say(`column name "${twice}" specified more than once.`);
}

function ofCall(
  place: FromPlace,
  level: Level,
  { own, calls, alias }: { readonly own: Node; readonly calls: number; readonly alias: string | undefined },
): readonly Column[] | undefined {
  const names = strings(own.funcname);
  const name = names.at(-1) ?? '';
  const args = list(own.args);
  if (name === 'unnest' && names.length === 1 && args.length > 1) {
    // Equivalent to one call per array, side by side.
    return args.flatMap(
      (arg) =>
        ofCall(place, level, { own: { ...own, args: [arg] }, calls: 2, alias }) ?? [
          { ...unknown, name: 'unnest' },
        ],
    );
  }
  const sets = level.sets;
  const called = calledType(place.session, level, own);
  const isSet = isOwnSet(place.session, own);
  if (level.sets - sets > (isSet ? 1 : 0))
    misplaced(place.session, own, 'set-returning functions must appear at top level of FROM.');
  if (called.columns !== undefined) return called.columns;
  if (called.type === undefined || called.type === 'record' || called.type === 'void') {
    return called.type === 'record' && name === 'unnest'
      ? undefined
      : called.type === undefined && names.length === 1 && scalar.has(name)
        ? [{ ...called, name: called.outputName ?? (calls === 1 ? (alias ?? name) : name) }]
        : undefined;
  }
  const column = called.outputName ?? (calls === 1 && alias !== undefined ? alias : name);
  const { type, origins, nullable } = called;
  return [{ type, origins, name: column, ...(nullable === undefined ? {} : { nullable }) }];
}

function isOwnSet({ catalogue }: Session, call: Node): boolean {
  const names = strings(call.funcname);
  return catalogue.functions(names.at(-1) ?? '').some(({ givesSet }) => givesSet);
}

/** Functions that return a single column for all argument types. */
const scalar = new Set([
  'generate_series',
  'generate_subscripts',
  'string_to_table',
  'regexp_split_to_table',
]);

function xmlTable({ session, level }: FromPlace, node: Node): Columns {
  wantType(session, operandOf(session, level, node.docexpr), { type: 'xml', what: 'XMLTABLE' });
  return list(node.columns).map((entry) => {
    const column = child(entry, 'RangeTableFuncCol');
    const type =
      column?.for_ordinality === true ? 'int4' : writtenType(session, child(column, 'typeName')).type;
    return { type, origins: [], name: text(column?.colname) };
  });
}

function jsonTable({ session }: FromPlace, node: Node): Columns {
  const read = (own: Node): Column[] => {
    const entries = list(own.columns).map((entry) => child(entry, 'JsonTableColumn') ?? {});
    const plain = entries.filter(({ coltype }) => coltype !== 'JTC_NESTED');
    return [
      ...plain.map((column): Column => {
        const type =
          column.coltype === 'JTC_FOR_ORDINALITY'
            ? 'int4'
            : writtenType(session, child(column, 'typeName')).type;
        return { type, origins: [], name: text(column.name) };
      }),
      ...entries.filter(({ coltype }) => coltype === 'JTC_NESTED').flatMap(read),
    ];
  };
  return read(node);
}

/** Returns the columns of `*` or `t.*` in a query. */
export function starOf(level: Level, qualifier: readonly string[]): Columns {
  const wanted = qualifier.at(-1);
  if (wanted !== undefined) {
    for (let at: Level | undefined = level; at !== undefined; at = at.parent) {
      const own = relationNamed(at.relations, wanted, qualifier.at(-2));
      if (own !== undefined) return own.columns;
    }
    return undefined;
  }
  return level.star();
}
