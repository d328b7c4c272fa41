/** Pairs the columns of two results by name; duplicate names are paired in order. */
import type { ColumnKind } from '../column-kind.ts';
import type { StoreColumn } from '../rows.ts';
import type { ColumnPair, ColumnPairs } from './diff.ts';

export interface KindColumn extends StoreColumn {
  readonly kind: ColumnKind;
}

/** Returns the pairs in the column order of the later side. */
export function pairColumns(before: readonly KindColumn[], after: readonly KindColumn[]): ColumnPairs {
  const free = Map.groupBy(before.keys(), (index) => before[index]?.name);
  /** Number of columns of each name that have their partner. */
  const taken = new Map<string, number>();
  const pairs: ColumnPair[] = [];
  const onlyAfter: string[] = [];
  for (const [index, column] of after.entries()) {
    const place = taken.get(column.name) ?? 0;
    const at = free.get(column.name)?.[place];
    taken.set(column.name, place + 1);
    const partner = at === undefined ? undefined : before[at];
    if (at === undefined || partner === undefined) onlyAfter.push(column.name);
    else pairs.push({ ...typeOf(partner, column), name: column.name, before: at, after: index });
  }
  const paired = new Set(pairs.map(({ before: at }) => at));
  return {
    pairs,
    onlyAfter,
    onlyBefore: before.filter((_, index) => !paired.has(index)).map(({ name }) => name),
  };
}

/**
 * Returns the common type of two columns. Files have no types, so the other side's type applies. Two files have the
 * kinds of their values. Columns with conflicting types are compared as text.
 */
function typeOf(before: KindColumn, after: KindColumn): Pick<ColumnPair, 'type' | 'kind' | 'description'> {
  const named = isNamed(after) || !isNamed(before) ? after : before;
  const areBothNamed = isNamed(before) && isNamed(after);
  const areBothUnnamed = !isNamed(before) && !isNamed(after);
  const isOneKind = before.kind === after.kind || (!areBothNamed && !areBothUnnamed);
  const kind = isOneKind ? named.kind : 'text';
  return { type: named.type, kind, description: after.description ?? before.description };
}

function isNamed({ type }: StoreColumn): boolean {
  return type !== '' && type !== 'unknown';
}
