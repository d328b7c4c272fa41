/** PostgreSQL's aggregate functions (manual, "Aggregate Functions"). No other function has one of these names. */
import { child, strings, walk, type Node } from './parse-tree.ts';

const names = new Set(
  (
    'any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every ' +
    'json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique ' +
    'json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict ' +
    'jsonb_object_agg_unique jsonb_object_agg_unique_strict max min mode percentile_cont percentile_disc ' +
    'range_agg range_intersect_agg regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx ' +
    'regr_sxy regr_syy stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance xmlagg'
  ).split(' '),
);

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
