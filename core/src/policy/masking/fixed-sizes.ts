/** What PostgreSQL's expressions are, as far as the size of a value goes: that of some is fixed, and small. */
import { child, list, named, strings, type Node } from '#server/language/tree/parse-tree.ts';

export const words = (all: string): ReadonlySet<string> => new Set(all.split(/\s+/));

/** They lead to a part of a value. */
export const pathOperators = /^(?:->|->>|#>|#>>)$/;

export const callName = (call: unknown): string => strings(child(call, 'FuncCall')?.funcname).at(-1) ?? '';

/** Whether an inner query is a value, rather than a test. */
export const isInnerValue = /^(?:EXPR|ARRAY)_SUBLINK$/;

export const tests = words('= <> != < > <= >= ~ ~* !~ !~* @> <@ ?');

/** Whether it is true or false, whatever it compares. */
export const isTest = ({ kind, name, lexpr }: Node): boolean =>
  kind === 'AEXPR_OP'
    ? lexpr !== undefined && tests.has(strings(name).at(-1) ?? '')
    : kind !== 'AEXPR_NULLIF';

export const fixedTypes = words(
  'bool int2 int4 int8 float4 float8 date time timetz timestamp timestamptz interval uuid',
);

export function isOfFixedType(type: unknown): boolean {
  const { names, arrayBounds } = named({ type })?.body ?? {};
  return fixedTypes.has(strings(names).at(-1) ?? '') && list(arrayBounds).length === 0;
}

/** Functions whose results are of a fixed size. */
export const fixedFunctions = words(`
  count bool_and bool_or every row_number rank dense_rank percent_rank cume_dist ntile
  now age date_part date_trunc date_bin extract to_date to_timestamp make_date make_timestamp make_interval
  width_bucket random gen_random_uuid md5 length char_length character_length octet_length position strpos starts_with
  ascii num_nulls num_nonnulls array_length cardinality array_position json_typeof jsonb_typeof
  json_array_length jsonb_array_length`);

/** Whether a value has a fixed size, whatever it is made from. */
export function isOfFixedSize(kind: string, node: Node): boolean {
  switch (kind) {
    case 'BoolExpr':
    case 'NullTest':
    case 'BooleanTest':
      return true;
    case 'A_Expr':
      return isTest(node);
    case 'SubLink':
      return !isInnerValue.test(String(node.subLinkType));
    case 'TypeCast':
      return isOfFixedType(node.typeName);
    case 'FuncCall':
      return fixedFunctions.has(callName({ FuncCall: node }));
    default:
      return false;
  }
}
