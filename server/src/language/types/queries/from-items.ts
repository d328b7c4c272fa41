/** Types FROM items and their columns (parse_clause.c). */
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
import { readTypeName } from '../catalogue/type-names.ts';
import { calledType, operandOf } from '../expressions/expressions.ts';
import { unify, wantBoolean } from '../resolution/conversions.ts';
import { unknown, type Column, type Columns, type Level, type Relation, type Session } from '../typing.ts';
import { renamed } from './column-aliases.ts';
import { nullableColumns, Star } from './star.ts';

export interface FromPlace {
  readonly session: Session;
  /** The query that contains this FROM. */
  readonly level: Level;
  readonly outside: Level | undefined;
}

/** The relations in order, and the columns of `*`. */
export interface Joined {
  readonly relations: readonly Relation[];
  readonly star: Star;
}

const none: ReadonlySet<string> = new Set();

const relation = (name: string | undefined, columns: Columns, more: Partial<Relation> = {}): Relation => ({
  name,
  columns,
  isTable: false,
  merged: none,
  isOnlyQualified: false,
  isNameless: false,
  ...more,
});

const single = (own: Relation): Joined => ({ relations: [own], star: Star.of(own.columns) });

/** Applies the column aliases of an item. */
const aliased = (session: Session, columns: Columns, node: Node): Columns => {
  const alias = child(node, 'alias');
  const names = strings(alias?.colnames);
  if (names.length === 0) return columns;
  return renamed(session, columns, {
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
  const [kind, node] = isNode(item) ? (Object.entries(item)[0] ?? []) : [];
  if (kind === undefined || !isNode(node)) {
    return single(relation(undefined, undefined));
  }
  const alias = child(node, 'alias')?.aliasname;
  const name = typeof alias === 'string' ? alias : undefined;
  switch (kind) {
    case 'RangeVar':
      return single(table(place, node, name));
    case 'RangeTableSample':
      return fromItem(place, node.relation);
    case 'RangeSubselect': {
      const select = child(child(node, 'subquery'), 'SelectStmt');
      const parent = node.lateral === true ? place.level : place.outside;
      const columns =
        select === undefined ? undefined : place.session.query(select, parent, place.level.tables);
      return single(
        relation(name, aliased(place.session, columns, node), name === undefined ? { isNameless: true } : {}),
      );
    }
    case 'JoinExpr':
      return join(place, node, name);
    case 'RangeFunction':
      return single(functions(place, node, name));
    case 'RangeTableFunc':
      return single(relation(name ?? 'xmltable', aliased(place.session, xmlTable(place, node), node)));
    case 'JsonTable':
      operandOf(place.session, place.level, child(node, 'context_item')?.raw_expr);
      return single(relation(name ?? 'json_table', aliased(place.session, jsonTable(place, node), node)));
    default:
      return single(relation(name, undefined));
  }
}

function table({ session, level }: FromPlace, node: Node, alias: string | undefined): Relation {
  const name = text(node.relname);
  const schema = typeof node.schemaname === 'string' ? node.schemaname : undefined;
  const common = schema === undefined ? level.tables.find((own) => own.name === name) : undefined;
  const columns = common === undefined ? session.columnsOf(schema, name) : common.columns;
  return relation(alias ?? name, aliased(session, columns, node), {
    isTable: common === undefined,
    ...(alias === undefined ? { schema } : {}),
  });
}

function join(place: FromPlace, node: Node, alias: string | undefined): Joined {
  const { level, session } = place;
  const before = level.relations;
  const left = fromItem(place, node.larg);
  // On the right side, LATERAL can use the left side.
  level.relations = [...before, ...left.relations];
  const right = fromItem(place, node.rarg);
  level.relations = before;
  const kind = text(node.jointype);
  const ones = kind === 'JOIN_RIGHT' || kind === 'JOIN_FULL' ? nullable(left) : left;
  const others = kind === 'JOIN_LEFT' || kind === 'JOIN_FULL' ? nullable(right) : right;
  const both = merged(session, node, ones, others);
  if ('quals' in node) {
    level.relations = both.relations;
    const clause = level.clause;
    level.clause = 'JOIN conditions';
    wantBoolean(session, operandOf(place.session, level, node.quals), 'JOIN/ON');
    level.clause = clause;
    level.relations = before;
  }
  return alias === undefined ? both : single(relation(alias, aliased(session, listed(session, both), node)));
}

function listed(session: Session, { star }: Joined): Columns {
  const columns = star.columns();
  session.columnCount += columns?.length ?? 0;
  return columns;
}

/** Marks the columns on one side of an outer join as nullable. */
function nullable({ relations, star }: Joined): Joined {
  return {
    relations: relations.map((own) => {
      const columns = nullableColumns(own.columns);
      return columns === own.columns ? own : { ...own, columns };
    }),
    star: star.nullable(),
  };
}

/** Merges the columns of USING and NATURAL, which come first and appear once. */
function merged(session: Session, node: Node, left: Joined, right: Joined): Joined {
  const isNatural = node.isNatural === true;
  const plain: Joined = {
    relations: [...left.relations, ...right.relations],
    star: Star.together([left.star, right.star]),
  };
  const using = strings(node.usingClause);
  if (!isNatural && using.length === 0) {
    return plain;
  }
  const { star: ones } = left;
  const { star: others } = right;
  if (!ones.isKnown || !others.isKnown) {
    // The merged columns are unknown, so an unqualified name is unknown too.
    return {
      relations: plain.relations.map((own) => ({ ...own, columns: undefined })),
      star: Star.of(undefined),
    };
  }
  const names = isNatural ? commonNames(listed(session, left), others) : using;
  const kind = text(node.jointype);
  const columns = names.map((name): Column => {
    const one = ones.find(name);
    const other = others.find(name);
    if (one === undefined || other === undefined) return { ...unknown, name };
    const { type, origins } = unify(
      session,
      [one, other].map((typed) => ({ node: undefined, typed })),
      undefined,
    );
    // An inner join returns the column that needs no conversion.
    const isOther =
      kind === 'JOIN_RIGHT' || (kind === 'JOIN_INNER' && one.type !== type && other.type === type);
    const kept = isOther ? other : one;
    if (kind === 'JOIN_FULL') return { type, origins, name };
    const [column] = kept.origins;
    return {
      type,
      origins,
      name,
      ...(column === undefined ? {} : { mergedFrom: column }),
      ...(kept.nullable === false ? { nullable: false } : {}),
    };
  });
  const once = new Set<string | undefined>(names);
  const hidden = plain.relations.map((own) =>
    names.every((name) => own.merged.has(name))
      ? own
      : { ...own, merged: new Set([...own.merged, ...names]) },
  );
  const usingAlias = child(node, 'join_using_alias')?.aliasname;
  return {
    relations: [
      ...hidden.filter((own) => !own.isNameless || own.columns?.some(({ name }) => !once.has(name)) === true),
      relation(undefined, columns, { isNameless: true }),
      ...(typeof usingAlias === 'string' ? [relation(usingAlias, columns, { isOnlyQualified: true })] : []),
    ],
    star: Star.merging(columns, [ones, others]),
  };
}

/** Returns the names that both sides have, in the order of the left side. */
const commonNames = (ones: Columns, others: Star): readonly string[] => [
  ...new Set(
    (ones ?? []).flatMap(({ name }) => (name !== undefined && others.find(name) !== undefined ? [name] : [])),
  ),
];

function functions(place: FromPlace, node: Node, alias: string | undefined): Relation {
  const calls = list(node.functions).map((entry) => list(child(entry, 'List')?.items));
  const outside: Level = { ...place.level, clause: 'FROM' };
  const columns: Column[] = [];
  let isWhole = true;
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
    if (defined.length > 0) {
      for (const each of defined) {
        const definition = child(each, 'ColumnDef');
        const { type } = readTypeName(place.session.catalogue, child(definition, 'typeName'));
        columns.push({ type, origins: [], name: text(definition?.colname) });
      }
    } else if (found === undefined) {
      isWhole = false;
    } else {
      for (const column of found) columns.push(column);
    }
  }
  if (node.ordinality === true) {
    columns.push({ type: 'int8', origins: [], name: 'ordinality', nullable: false });
  }
  const isScalar = isWhole && columns.length === 1;
  return relation(
    alias ?? first,
    isWhole ? aliased(place.session, columns, node) : undefined,
    isScalar ? { isScalar: true } : {},
  );
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
  const called = calledType(place.session, level, own);
  if (called.columns !== undefined) {
    return called.columns;
  }
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

/** Functions that return a single column for all argument types. */
const scalar = new Set([
  'generate_series',
  'generate_subscripts',
  'string_to_table',
  'regexp_split_to_table',
]);

function xmlTable({ session, level }: FromPlace, node: Node): Columns {
  operandOf(session, level, node.docexpr);
  return list(node.columns).map((entry) => {
    const column = child(entry, 'RangeTableFuncCol');
    const type =
      column?.for_ordinality === true
        ? 'int4'
        : readTypeName(session.catalogue, child(column, 'typeName')).type;
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
            : readTypeName(session.catalogue, child(column, 'typeName')).type;
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
      const own = at.relations.find(({ name, isNameless }) => name === wanted && !isNameless);
      if (own !== undefined) return own.columns;
    }
    return undefined;
  }
  return level.star();
}
