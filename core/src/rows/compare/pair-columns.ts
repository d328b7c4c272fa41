/** Pairs the columns of two results by name; duplicate names are paired in order. */
import type { ColumnKind } from '../column-kind.ts';
import type { StoreColumn } from '../rows.ts';
import type { ColumnPair, ColumnPairs } from './diff.ts';

export interface KindColumn extends StoreColumn {
  readonly kind: ColumnKind;
}

/** Returns the pairs in the column order of the later side. */
export function pairColumns(before: readonly KindColumn[], after: readonly KindColumn[]): ColumnPairs {
  const free = new Map<string, number[]>();
  for (const [index, { name }] of before.entries()) free.set(name, [...(free.get(name) ?? []), index]);
  const pairs: ColumnPair[] = [];
  const onlyAfter: string[] = [];
  for (const [index, column] of after.entries()) {
    const at = free.get(column.name)?.shift();
    const partner = at === undefined ? undefined : before[at];
    if (at === undefined || partner === undefined) onlyAfter.push(column.name);
    else pairs.push({ ...typeOf(partner, column), name: column.name, before: at, after: index });
  }
  const left = new Set([...free.values()].flat());
  return {
    pairs,
    onlyAfter,
    onlyBefore: before.filter((_, index) => left.has(index)).map(({ name }) => name),
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
