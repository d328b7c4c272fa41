/** Checks that values can be sorted and compared: ORDER BY, GROUP BY, DISTINCT, UNION and windows. */
import { t } from '#base/texts.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import type { Session } from '../typing.ts';

/** Types that cannot be ordered, alone or as array elements. */
const unordered: ReadonlySet<TypeName> = new Set(
  `json jsonpath xml point lseg line box path polygon circle cid xid aclitem pg_snapshot txid_snapshot refcursor
   gtsvector unknown_order`.split(/\s+/),
);
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
