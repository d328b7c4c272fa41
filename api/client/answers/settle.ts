/**
 * Makes what another service may write out of the same facts fit the contract: a member that is null or empty where it
 * may be left out, a number such as 1.0 or 3e2, a text that is not shown where it is empty. Looked at only after a value
 * did not fit as it came.
 */
import { ExactNumber } from '../json.ts';

/** What of a JSON Schema matters here. */
interface Shape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly default?: unknown;
  readonly minLength?: unknown;
}

/** A copy where something had to be settled; whether it fits then is for the caller to check. */
export function settle(shape: Shape, value: unknown): unknown {
  if (value instanceof ExactNumber) {
    return shape.type === 'number' || shape.type === 'integer' ? value.toNumber() : value;
  }
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

/** Null, or an empty text where the contract wants some. A shape without a type takes anything, null too. */
function isLeftOut({ type, minLength }: Shape, member: unknown): boolean {
  if (member === null) return type !== undefined;
  return member === '' && typeof minLength === 'number' && minLength > 0;
}
