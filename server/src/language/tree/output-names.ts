/**
 * Determines the name that PostgreSQL's FigureColname gives to a result column without an alias: the outermost named
 * part of the expression wins.
 */
import { child, isNode, list, strings, text, type Node } from './parse-tree.ts';

/** PostgreSQL's name for a column that has no other name. */
const nameless = '?column?';

/** Expressions whose name does not depend on their content. */
const fixedNames: Readonly<Record<string, string>> = {
  GroupingFunc: 'grouping',
  MergeSupportFunc: 'merge_action',
  A_ArrayExpr: 'array',
  RowExpr: 'row',
  CoalesceExpr: 'coalesce',
  XmlSerialize: 'xmlserialize',
  JsonParseExpr: 'json',
  JsonScalarExpr: 'json_scalar',
  JsonSerializeExpr: 'json_serialize',
  JsonObjectConstructor: 'json_object',
  JsonArrayConstructor: 'json_array',
  JsonArrayQueryConstructor: 'json_array',
  JsonObjectAgg: 'json_objectagg',
  JsonArrayAgg: 'json_arrayagg',
};

/** Expressions named after the value of a field, such as `IS_GREATEST`. */
const namedByField: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  MinMaxExpr: ['op', { IS_GREATEST: 'greatest', IS_LEAST: 'least' }],
  XmlExpr: [
    'op',
    {
      IS_XMLCONCAT: 'xmlconcat',
      IS_XMLELEMENT: 'xmlelement',
      IS_XMLFOREST: 'xmlforest',
      IS_XMLPARSE: 'xmlparse',
      IS_XMLPI: 'xmlpi',
      IS_XMLROOT: 'xmlroot',
      IS_DOCUMENT: nameless,
    },
  ],
  JsonFuncExpr: [
    'op',
    { JSON_EXISTS_OP: 'json_exists', JSON_QUERY_OP: 'json_query', JSON_VALUE_OP: 'json_value' },
  ],
  SQLValueFunction: [
    'op',
    Object.fromEntries(
      `current_date current_time current_timestamp localtime localtimestamp current_role current_user user
       session_user current_catalog current_schema`
        .split(/\s+/)
        .flatMap((name) => [
          [`SVFOP_${name.toUpperCase()}`, name],
          [`SVFOP_${name.toUpperCase()}_N`, name],
        ]),
    ),
  ],
};

const namelessNodes = new Set('BoolExpr NullTest BooleanTest ParamRef JsonIsPredicate'.split(' '));

/** Returns undefined if the name is unknown. */
export function outputName(expression: unknown): string | undefined {
  return nameOf(expression)?.name;
}

interface Named {
  readonly name: string;
  /** Whether the name is weak, as for a cast or CASE: a stronger name inside the expression takes precedence. */
  readonly isWeak?: true;
}

function nameOf(expression: unknown): Named | undefined {
  const [kind, node] = isNode(expression) ? (Object.entries(expression)[0] ?? []) : [];
  if (kind === undefined || !isNode(node)) return undefined;
  const fixed = fixedNames[kind];
  if (fixed !== undefined) return { name: fixed };
  const byField = namedByField[kind];
  if (byField !== undefined) {
    const [field, names] = byField;
    const name = names[text(node[field])];
    return name === undefined ? undefined : { name };
  }
  return namelessNodes.has(kind) ? { name: nameless } : nameOfNode(kind, node);
}

function nameOfNode(kind: string, node: Node): Named | undefined {
  switch (kind) {
    case 'A_Const':
      // PostgreSQL 18 names true and false `?column?`; earlier versions name them `bool`.
      return 'boolval' in node ? undefined : { name: nameless };
    case 'ColumnRef':
      return named(strings(node.fields).findLast((name) => name !== ''));
    case 'A_Indirection':
      return named(strings(node.indirection).findLast((name) => name !== '')) ?? nameOf(node.arg);
    case 'FuncCall':
      return named(strings(node.funcname).at(-1));
    case 'A_Expr':
      return { name: node.kind === 'AEXPR_NULLIF' ? 'nullif' : nameless };
    case 'CollateClause':
      return nameOf(node.arg);
    case 'TypeCast':
      return orWeak(nameOf(node.arg), strings(child(node, 'typeName')?.names).at(-1));
    case 'CaseExpr':
      return 'defresult' in node ? orWeak(nameOf(node.defresult), 'case') : { name: 'case', isWeak: true };
    case 'SubLink':
      return nameOfSubquery(node);
    default:
      return undefined;
  }
}

const named = (name: string | undefined): Named | undefined => (name === undefined ? undefined : { name });

function orWeak(inner: Named | undefined, name: string | undefined): Named | undefined {
  const isStrong = inner !== undefined && inner.isWeak === undefined && inner.name !== nameless;
  return inner === undefined || name === undefined ? undefined : isStrong ? inner : { name, isWeak: true };
}

function nameOfSubquery(node: Node): Named | undefined {
  switch (node.subLinkType) {
    case 'EXISTS_SUBLINK':
      return { name: 'exists' };
    case 'ARRAY_SUBLINK':
      return { name: 'array' };
    case 'EXPR_SUBLINK':
      return nameOfOnlyColumn(child(child(node, 'subselect'), 'SelectStmt'));
    default:
      return { name: nameless };
  }
}

function nameOfOnlyColumn(select: Node | undefined): Named | undefined {
  if (select === undefined || child(select, 'larg') !== undefined)
    return select === undefined ? undefined : nameOfOnlyColumn(child(select, 'larg'));
  if (list(select.valuesLists).length > 0) return { name: 'column1' };
  const target = child(list(select.targetList)[0], 'ResTarget');
  const value = target?.val;
  const isStar = list(child(value, 'ColumnRef')?.fields).some(
    (field) => child(field, 'A_Star') !== undefined,
  );
  return typeof target?.name === 'string' ? { name: target.name } : isStar ? undefined : nameOf(value);
}
