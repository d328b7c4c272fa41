/** Finds PostgreSQL's aggregate functions in a tree. */
import { aggregateNames } from './function-names.ts';
import { child, strings, walk, type Node } from './parse-tree.ts';

const names = new Set(aggregateNames.split(/\s+/));

/** Returns whether the lowercase name is that of an aggregate function. */
export const isAggregateName = (name: string): boolean => names.has(name);

/** Returns the function's name without its schema; empty if the schema is not PostgreSQL's own. */
export function functionName(call: Node): string {
  const parts = strings(call.funcname);
  const isPlain = parts.length === 1 || (parts.length === 2 && parts[0] === 'pg_catalog');
  return isPlain ? (parts.at(-1) ?? '') : '';
}

/** An aggregate used as a window function keeps all rows, so it is excluded. */
export function isAggregate(call: Node): boolean {
  return (
    !('over' in call) &&
    (names.has(functionName(call)) || call.agg_within_group === true || 'agg_filter' in call)
  );
}

/** The aggregates that have a syntax of their own instead of a call. */
const ownSyntax = new Set(['JsonObjectAgg', 'JsonArrayAgg']);

/** Returns whether a node that is no call is an aggregate, and not a window function. */
export const isJsonAggregate = (kind: string, node: Node): boolean =>
  ownSyntax.has(kind) && !('over' in (child(node, 'constructor') ?? {}));

/** Returns the aggregates in an expression, excluding its subqueries. */
export function aggregatesIn(expression: unknown): readonly Node[] {
  const calls: Node[] = [];
  walk(expression, (name, node) => {
    if ((name === 'FuncCall' && isAggregate(node)) || isJsonAggregate(name, node)) {
      calls.push(node);
      return false;
    }
    return name !== 'SelectStmt';
  });
  return calls;
}
