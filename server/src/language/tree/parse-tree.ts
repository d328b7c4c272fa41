/** Helpers for reading PostgreSQL's parse tree (libpg-query's JSON) without trusting its shape. */

import { isObject } from '#base/values/is-object.ts';

export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node => isObject(value);

export function child(value: unknown, key: string): Node | undefined {
  const inner = isNode(value) ? value[key] : undefined;
  return isNode(inner) ? inner : undefined;
}

/**
 * Returns the type and content of a node, which is an object with its type as the only key; undefined for anything
 * else.
 */
export function named(value: unknown): { readonly kind: string; readonly body: Node } | undefined {
  if (!isNode(value)) return undefined;
  // Avoids Object.entries for speed, since typing calls this for every expression.
  for (const kind in value) {
    const body = value[kind];
    return isNode(body) ? { kind, body } : undefined;
  }
  return undefined;
}

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Returns the number, or 0 if missing, since protobuf's JSON omits zeros. */
export const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
export const strings = (value: unknown): readonly string[] =>
  list(value).map((entry) => text(child(entry, 'String')?.sval));

/** Visits every node with its type, outermost first. The visitor returns whether to descend. */
export function walk(value: unknown, visit: (name: string, node: Node) => boolean): void {
  if (Array.isArray(value)) {
    for (const entry of value) walk(entry, visit);
  } else if (isNode(value)) {
    // Avoids Object.entries for speed, since the inspections spend most of their time here.
    for (const name in value) {
      const inner = value[name];
      if (typeof inner === 'object' && inner !== null) {
        const isNamed = isNodeName(name) && isNode(inner);
        if (!isNamed || visit(name, inner)) walk(inner, visit);
      }
    }
  }
}

/** Node types start with an uppercase letter, field names do not. */
export const isNodeName = (name: string): boolean => name.charCodeAt(0) < lowerCaseA;
const lowerCaseA = 97;

/** Expressions with a location. A missing location is 0. */
const located = new Set(
  'ColumnRef A_Const FuncCall A_Expr TypeCast BoolExpr SubLink NullTest BooleanTest CaseExpr ParamRef'.split(
    ' ',
  ),
);

/** Also includes expressions whose range in a finding depends on their parts. */
export const everyLocated: ReadonlySet<string> = new Set([
  ...located,
  ...'CoalesceExpr MinMaxExpr A_ArrayExpr RowExpr SQLValueFunction GroupingFunc XmlExpr'.split(' '),
]);

/** Start and end of an expression, as UTF-8 byte offsets of words. */
export interface Extent {
  readonly first: number;
  readonly last: number;
  /** Number of parts in the dotted name that starts at `last`. */
  readonly lastParts: number;
}

/** Returns the range from the first to the last node with a location; undefined if there is none. */
export function extentOf(expression: unknown, names: ReadonlySet<string> = located): Extent | undefined {
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  let lastParts = 1;
  walk(expression, (name, node) => {
    const location = names.has(name) ? number(node.location) : -1;
    if (location >= 0) {
      first = Math.min(first, location);
      if (location >= last) {
        last = location;
        lastParts = name === 'ColumnRef' ? list(node.fields).length : 1;
      }
    }
    return true;
  });
  return last < 0 ? undefined : { first, last, lastParts };
}

export type Constant =
  | { readonly kind: 'string'; readonly value: string; readonly location: number }
  | { readonly kind: 'number'; readonly value: string; readonly location: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly location: number }
  | { readonly kind: 'null'; readonly location: number }
  | { readonly kind: 'placeholder'; readonly location: number };

/**
 * Returns undefined unless the expression is a constant or a placeholder, which replacePlaceholders() writes as a
 * fraction with only zero digits.
 */
export function constantOf(expression: unknown): Constant | undefined {
  const node = child(expression, 'A_Const');
  if (node === undefined) {
    const parameter = child(expression, 'ParamRef');
    return parameter === undefined
      ? undefined
      : { kind: 'placeholder', location: number(parameter.location) };
  }
  const location = number(node.location);
  if (node.isnull === true) return { kind: 'null', location };
  const string = child(node, 'sval');
  if (string !== undefined) return { kind: 'string', value: text(string.sval), location };
  const boolean = child(node, 'boolval');
  if (boolean !== undefined) return { kind: 'boolean', value: boolean.boolval === true, location };
  const fraction = child(node, 'fval');
  if (fraction !== undefined) {
    const value = text(fraction.fval);
    return /^\.0+$/.test(value) ? { kind: 'placeholder', location } : { kind: 'number', value, location };
  }
  const integer = child(node, 'ival');
  return integer === undefined
    ? undefined
    : { kind: 'number', value: String(number(integer.ival)), location };
}

/** Whether a value of a parameter is in an expression, at any depth. */
export function hasPlaceholder(expression: unknown): boolean {
  let isFound = false;
  walk([expression], (kind, node) => {
    isFound ||=
      kind === 'ParamRef' || (kind === 'A_Const' && constantOf({ A_Const: node })?.kind === 'placeholder');
    return !isFound;
  });
  return isFound;
}

export interface ColumnName {
  /** The parts of the name after case folding; a trailing `*` means all columns. */
  readonly parts: readonly string[];
  readonly location: number;
}

export function columnOf(expression: unknown): ColumnName | undefined {
  const node = child(expression, 'ColumnRef');
  return node === undefined ? undefined : readColumn(node);
}

export function readColumn(node: Node): ColumnName {
  const parts = list(node.fields).map((field) =>
    child(field, 'A_Star') === undefined ? text(child(field, 'String')?.sval) : '*',
  );
  return { parts, location: number(node.location) };
}

/**
 * Returns every column mentioned in an expression.
 * @param deep whether to include its subqueries
 */
export function columnsIn(expression: unknown, deep: boolean): readonly ColumnName[] {
  const columns: ColumnName[] = [];
  walk(expression, (name, node) => {
    if (name === 'ColumnRef') columns.push(readColumn(node));
    return deep || name !== 'SelectStmt';
  });
  return columns;
}

/** Returns the conditions that AND combines. */
export function conjunctsOf(condition: unknown): readonly unknown[] {
  const boolean = child(condition, 'BoolExpr');
  if (condition === undefined) return [];
  return boolean?.boolop === 'AND_EXPR' ? list(boolean.args).flatMap(conjunctsOf) : [condition];
}

/** A binary operation such as `a = b`. */
export interface Operation {
  readonly operator: string;
  readonly left: unknown;
  readonly right: unknown;
  readonly location: number;
}

export function operationOf(node: Node, kind = 'AEXPR_OP'): Operation | undefined {
  const names = strings(node.name);
  return node.kind === kind && names.length === 1
    ? { operator: names[0] ?? '', left: node.lexpr, right: node.rexpr, location: number(node.location) }
    : undefined;
}
