/** Finds columns by name, quickly in long lists too. The lists must not change. */
import type { Column } from './typing.ts';

interface Positions {
  readonly first: ReadonlyMap<string, number>;
  readonly repeated: ReadonlySet<string>;
  readonly hasNameless: boolean;
}

/** A short list is searched faster than it is indexed. */
const shortMax = 8;
const indexes = new WeakMap<readonly Column[], Positions>();

/** -1 if no column has the name; `several` if more than one has. */
export function onlyPositionOf(columns: readonly Column[], name: string): number | 'several' {
  const first = positionOf(columns, name);
  if (first < 0) return first;
  const isRepeated =
    columns.length <= shortMax
      ? columns.findLastIndex((column) => column.name === name) !== first
      : positionsOf(columns).repeated.has(name);
  return isRepeated ? 'several' : first;
}

/** The first column of that name; -1 if there is none. */
export function positionOf(columns: readonly Column[], name: string): number {
  return columns.length <= shortMax
    ? columns.findIndex((column) => column.name === name)
    : (positionsOf(columns).first.get(name) ?? -1);
}

/** Whether a column's name is unknown. */
export function hasNameless(columns: readonly Column[]): boolean {
  return columns.length <= shortMax
    ? columns.some(({ name }) => name === undefined)
    : positionsOf(columns).hasNameless;
}

function positionsOf(columns: readonly Column[]): Positions {
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
