/** What the value of an expression comes from: open values, or a column whose values are not shown. */

export interface MaskedOrigin {
  /** What stands before the token in place of a value: `email`, `phone`; `value` where nothing says what it is. */
  readonly kind: string;
  /** The column, in words for whoever asks; undefined where it is not known. */
  readonly column?: string;
  /** Whether it is the column's value as it is, and nothing else can be: only then its token means the value. */
  readonly isExact: boolean;
}

/** Undefined: nothing of it is sensitive. */
export type Origin = MaskedOrigin | undefined;

/** Nobody knows what is in it. */
export const unknownOrigin: MaskedOrigin = { kind: 'value', isExact: false };

/** Of a value that is made of others. */
export function mixed(origins: readonly Origin[]): Origin {
  const masked = origins.filter((origin) => origin !== undefined);
  const [first] = masked;
  if (first === undefined) return undefined;
  const kind = masked.every((other) => other.kind === first.kind) ? first.kind : 'value';
  return { ...named(first), kind, isExact: false };
}

/**
 * Of a value that is one of others as it is. A token of a text that the asker wrote, beside tokens of a column, would
 * tell which of them is that text: so it is exact only where all of them are, of one kind.
 */
export function oneOf(origins: readonly Origin[]): Origin {
  const [first] = origins;
  const isSame = origins.every((other) => other?.kind === first?.kind && other?.isExact === first?.isExact);
  return isSame ? first : mixed(origins);
}

function named({ column }: MaskedOrigin): Pick<MaskedOrigin, 'column'> {
  return column === undefined ? {} : { column };
}
