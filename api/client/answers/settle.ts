/**
 * Normalizes equivalent forms to those of the contract: null or empty optional members, and numbers such as 1.0 or 3e2.
 * Applied only to values that do not match as received.
 */
import { ExactNumber } from '../json.ts';

/** The subset of JSON Schema used here. */
interface Shape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly default?: unknown;
  readonly minLength?: unknown;
}

/** Returns a normalized copy if needed; the caller validates it. */
export function settle(shape: Shape, value: unknown): unknown {
  if (value instanceof ExactNumber)
    return shape.type === 'number' || shape.type === 'integer' ? value.toNumber() : value;
  if (Array.isArray(value)) {
    const { items } = shape;
    return items === undefined ? value : value.map((item: unknown) => settle(items, item));
  }
  if (typeof value !== 'object' || value === null || shape.properties === undefined) return value;
  const { properties, required = [] } = shape;
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own === undefined) return [[name, member] as const];
    return isLeftOut(own, member) && (!required.includes(name) || own.default !== undefined)
      ? []
      : [[name, settle(own, member)] as const];
  });
  const present = new Set(members.map(([name]) => name));
  const implied = required.flatMap((name) => {
    const standard = properties[name]?.default;
    return present.has(name) || standard === undefined ? [] : [[name, standard] as const];
  });
  return Object.fromEntries([...members, ...implied]);
}

/**
 * Returns whether a member counts as omitted: null, or an empty string where the contract forbids it. A shape without a
 * type accepts anything, even null.
 */
function isLeftOut({ type, minLength }: Shape, member: unknown): boolean {
  if (member === null) return type !== undefined;
  return member === '' && typeof minLength === 'number' && minLength > 0;
}
