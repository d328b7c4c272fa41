/** The columns that GROUP BY names directly. */
import type { Column, Meant, Origin, Relation } from '../typing.ts';

type Place = Pick<Meant, 'relation' | 'index'>;

export class GroupedColumns {
  /** The columns by relation and position. */
  readonly #own = new Map<string | Relation, Map<number, Place>>();
  /** The columns that a join merged, by name. */
  readonly #merged = new Map<string, Place[]>();

  constructor(columns: readonly Place[]) {
    for (const place of columns) {
      const { relation, index } = place;
      const own = this.#own.get(keyOf(relation)) ?? new Map<number, Place>();
      this.#own.set(keyOf(relation), own);
      if (own.has(index)) continue;
      own.set(index, place);
      const name = relation.name === undefined ? relation.columns?.[index]?.name : undefined;
      if (name !== undefined) this.#merged.set(name, [...(this.#merged.get(name) ?? []), place]);
    }
  }

  has({ relation, index }: Place): boolean {
    if (this.#own.get(keyOf(relation))?.has(index) === true) return true;
    const column = relation.columns?.[index];
    return this.#mergedAs(column?.name).some((place) => isMergedFrom(place, relation, column));
  }

  /** Returns the relation's model columns that are grouped directly or as part of a merged column. */
  originsIn(relation: Relation): readonly Origin[] {
    const own = this.#own.get(keyOf(relation))?.values() ?? [];
    return [
      ...[...own].flatMap(({ relation: { columns }, index }) => columns?.[index]?.origins[0] ?? []),
      ...(relation.columns ?? []).flatMap((column) =>
        this.#mergedAs(column.name).some((place) => standsFor(columnAt(place), column))
          ? (column.origins[0] ?? [])
          : [],
      ),
    ];
  }

  #mergedAs(name: string | undefined): readonly Place[] {
    return (name === undefined ? undefined : this.#merged.get(name)) ?? [];
  }
}

/** Returns the name if there is one, since a join creates a new object for each side. */
const keyOf = (relation: Relation): string | Relation => relation.name ?? relation;

const columnAt = ({ relation, index }: Place): Column | undefined => relation.columns?.[index];

const standsFor = (merged: Column | undefined, column: Column): boolean =>
  merged?.mergedFrom !== undefined && column.origins[0] === merged.mergedFrom && column.type === merged.type;

/**
 * Returns whether grouping by a merged column also groups the given one, which holds unless USING converts its type.
 */
function isMergedFrom(place: Place, relation: Relation, column: Column | undefined): boolean {
  const result = columnAt(place);
  return (
    result?.name !== undefined &&
    result.name === column?.name &&
    relation.merged.has(result.name) &&
    (result.type === undefined || column.type === undefined || result.type === column.type)
  );
}
