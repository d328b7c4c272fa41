/**
 * Finds columns by name efficiently, even in long lists. The lists must be immutable, since their indexes are cached.
 */

export interface NamedColumn {
  /** Undefined if unknown. */
  readonly name: string | undefined;
}

interface Positions {
  readonly first: ReadonlyMap<string, number>;
  readonly repeated: ReadonlySet<string>;
  readonly hasNameless: boolean;
}

/** Up to this length, searching a list is faster than indexing it. */
const shortMax = 8;
const indexes = new WeakMap<readonly NamedColumn[], Positions>();

/** Returns -1 if no column has the name, or `several` if more than one does. */
export function onlyPositionOf(columns: readonly NamedColumn[], name: string): number | 'several' {
  const first = positionOf(columns, name);
  if (first < 0) return first;
  const isRepeated =
    columns.length <= shortMax
      ? columns.findLastIndex((column) => column.name === name) !== first
      : positionsOf(columns).repeated.has(name);
  return isRepeated ? 'several' : first;
}

/** Returns the position of the first column with the name, or -1. */
export function positionOf(columns: readonly NamedColumn[], name: string): number {
  return columns.length <= shortMax
    ? columns.findIndex((column) => column.name === name)
    : (positionsOf(columns).first.get(name) ?? -1);
}

/** Returns whether any column's name is unknown. */
export function hasNameless(columns: readonly NamedColumn[]): boolean {
  return columns.length <= shortMax
    ? columns.some(({ name }) => name === undefined)
    : positionsOf(columns).hasNameless;
}

function positionsOf(columns: readonly NamedColumn[]): Positions {
  const known = indexes.get(columns);
  if (known !== undefined) return known;
  const first = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, { name }] of columns.entries()) {
    if (name === undefined) continue;
    if (first.has(name)) repeated.add(name);
    else first.set(name, at);
  }
  const positions = { first, repeated, hasNameless: columns.some(({ name }) => name === undefined) };
  indexes.set(columns, positions);
  return positions;
}
