/** The origin of an expression's value: public values, or a column whose values are hidden. */

export interface MaskedOrigin {
  /** Prefix of the token in place of a value: `email`, `phone`; `value` if the kind is unknown. */
  readonly kind: string;
  /** The column, in words; undefined if unknown. */
  readonly column?: string;
  /** Whether it is exactly the column's value: only then the token identifies the value. */
  readonly isExact: boolean;
}

/** Undefined: no part is sensitive. */
export type Origin = MaskedOrigin | undefined;

/** Unknown content. */
export const unknownOrigin: MaskedOrigin = { kind: 'value', isExact: false };

/** A value computed from others. */
export function mixed(origins: readonly Origin[]): Origin {
  const masked = origins.filter((origin) => origin !== undefined);
  const [first] = masked;
  if (first === undefined) return undefined;
  const kind = masked.every((other) => other.kind === first.kind) ? first.kind : 'value';
  return { ...named(first), kind, isExact: false };
}

/**
 * One of several values, unchanged. Beside column tokens, a token of the asker's own text would reveal which of them
 * equals that text: so it is exact only if all have the same kind.
 */
export function oneOf(origins: readonly Origin[]): Origin {
  const [first] = origins;
  const isSame = origins.every((other) => other?.kind === first?.kind && other?.isExact === first?.isExact);
  return isSame ? first : mixed(origins);
}

function named({ column }: MaskedOrigin): Pick<MaskedOrigin, 'column'> {
  return column === undefined ? {} : { column };
}
