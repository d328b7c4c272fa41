/** The origin of an expression's value: public, or a column whose values are masked. */

export interface MaskedOrigin {
  /** Prefix of the token that replaces a value, such as `email` or `phone`; `value` if the kind is unknown. */
  readonly kind: string;
  /** Display name of the column; undefined if unknown. */
  readonly column?: string;
  /** Whether the value is exactly the column's value. Only then does its token identify the value. */
  readonly isExact: boolean;
}

/** Undefined if no part of the value is sensitive. */
export type Origin = MaskedOrigin | undefined;

export const unknownOrigin: MaskedOrigin = { kind: 'value', isExact: false };

/** Returns the origin of a value computed from several others. */
export function mixed(origins: readonly Origin[]): Origin {
  const masked = origins.filter((origin) => origin !== undefined);
  const [first] = masked;
  if (first === undefined) return undefined;
  const kind = masked.every((other) => other.kind === first.kind) ? first.kind : 'value';
  return { ...named(first), kind, isExact: false };
}

/**
 * Returns the origin of a value that is one of several, unchanged. It is exact only if all origins are alike.
 * Otherwise, text chosen by an agent would become a token alongside column tokens, and equal tokens would reveal which
 * value equals that text.
 */
export function oneOf(origins: readonly Origin[]): Origin {
  const [first] = origins;
  const isSame = origins.every((other) => other?.kind === first?.kind && other?.isExact === first?.isExact);
  return isSame ? first : mixed(origins);
}

function named({ column }: MaskedOrigin): Pick<MaskedOrigin, 'column'> {
  return column === undefined ? {} : { column };
}
