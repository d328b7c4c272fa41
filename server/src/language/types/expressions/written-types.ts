/** Reads the types that a query writes, and checks their modifiers: `varchar(20)`, `numeric(10, 2)`. */
import { t } from '#base/texts.ts';
import { constantOf, list, number, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import { readTypeName, type ReadType } from '../catalogue/type-names.ts';
import type { Session } from '../typing.ts';

export function writtenType(session: Session, node: Node | undefined): ReadType {
  const read = readTypeName(session.catalogue, node);
  if (read.hasModifier && node !== undefined && read.name !== undefined && read.type !== undefined) {
    const fault = modifierFault(read.name, list(node.typmods).map(modifierOf));
    if (fault !== undefined)
      session.report({
        code: 'INVALID_CLAUSE',
        message: fault,
        at: undefined,
        location: number(node.location),
      });
  }
  return read;
}

export function modifierOf(modifier: unknown): number | undefined {
  const constant = constantOf(modifier);
  return constant?.kind === 'number' ? Number(constant.value) : undefined;
}

/** The longest strings of characters and bits. */
const lengths: Readonly<Record<TypeName, readonly [shown: string, max: number]>> = {
  varchar: ['varchar', 10_485_760],
  bpchar: ['char', 10_485_760],
  bit: ['bit', 83_886_080],
  varbit: ['varbit', 83_886_080],
};
const moments = /^(?:timestamp|time)(?:tz)?$/;

function modifierFault(type: TypeName, values: readonly (number | undefined)[]): string | undefined {
  const [first, second] = values;
  const own = lengths[type];
  if (type === 'interval') return undefined;
  if (type === 'numeric') {
    const isPrecision = first === undefined || (first >= 1 && first <= 1_000);
    const isScale = second === undefined || Math.abs(second) <= 1_000;
    if (values.length > 2) return 'invalid NUMERIC type modifier.';
    if (!isPrecision) return `NUMERIC precision ${first} must be between 1 and 1000.`;
    return isScale ? undefined : `NUMERIC scale ${second} must be between -1000 and 1000.`;
  }
  if (own === undefined && !moments.test(type))
    return `type modifier is not allowed for type "${type}". ${t('Leave out the parentheses.')}`;
  if (values.length !== 1) return 'invalid type modifier.';
  if (own === undefined || first === undefined) return undefined;
  const [shown, max] = own;
  if (first < 1) return `length for type ${shown} must be at least 1.`;
  return first > max ? `length for type ${shown} cannot exceed ${max}.` : undefined;
}
