/** Checks that values can be sorted and compared: ORDER BY, GROUP BY, DISTINCT, UNION and windows. */
import { t } from '#base/texts.ts';
import { strings, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import type { Session } from '../typing.ts';

/** Types that cannot be ordered, alone or as array elements. */
const unordered: ReadonlySet<TypeName> = new Set(
  `json jsonpath xml point lseg line box path polygon circle cid xid aclitem pg_snapshot txid_snapshot refcursor
   gtsvector unknown_order`.split(/\s+/),
);
/** The members of PostgreSQL's btree families that sort, in ORDER BY ... USING. */
const sorting: ReadonlySet<string> = new Set(['<', '>', '~<~', '~>~', '*<', '*>']);

/** Checks the operator of ORDER BY ... USING. Operators of no known name may be anybody's. */
export function wantSorting(session: Session, sort: Node | undefined): void {
  const names = strings(sort?.useOp);
  const operator = names.at(-1) ?? '';
  if (names.length === 0 || sorting.has(operator) || session.catalogue.operators(operator).length === 0)
    return;
  session.report({
    code: 'INVALID_CLAUSE',
    message: `operator ${operator} is not a valid ordering operator. ${t('Write {0}.', t('{0} or {1}', 'ASC', 'DESC'))}`,
    at: sort?.node,
  });
}

/** Types in the list above that can nevertheless be compared for equality. */
const equal: ReadonlySet<TypeName> = new Set(['cid', 'xid', 'aclitem']);

const needed = {
  ordering: 'an ordering operator',
  equality: 'an equality operator',
  comparison: 'a comparison function',
} as const;

export function orderable(
  session: Session,
  node: unknown,
  type: TypeName | undefined,
  kind: keyof typeof needed,
): void {
  const element = type === undefined ? undefined : (session.coercion.element(type) ?? type);
  if (type === undefined || element === undefined || !unordered.has(element)) return;
  if (kind === 'equality' && equal.has(element)) return;
  const remedy = t('Cast it to {0}.', element === 'json' ? 'jsonb' : 'text');
  session.report({
    code: 'TYPE_MISMATCH',
    message: `could not identify ${needed[kind]} for type ${session.coercion.shown(type)}. ${remedy}`,
    at: node,
  });
}
