/**
 * The relations that a query's FROM makes visible, how joins merge their columns, and what a name means among them
 * (parse_relation.c). Shared by the resolution of names and by typing, whose columns hold different facts.
 */
import { hasNameless, onlyPositionOf, positionOf, type NamedColumn } from './columns-by-name.ts';
import { Star } from './star.ts';

/** `Table` holds facts about the table that a relation stands for. */
export interface Relation<Column extends NamedColumn, Table = never> {
  /** Undefined for a subquery without an alias, and for the merged columns of a join. */
  readonly name: string | undefined;
  /** The schema that can qualify the name of a table without an alias. */
  readonly schema?: string | undefined;
  /** The name of the table behind an alias. */
  readonly aliasOf?: string;
  /** The table, if its columns keep their names. */
  readonly table?: Table;
  /** Undefined if unknown. */
  readonly columns: readonly Column[] | undefined;
  /** Whether it is a table of a model: it has system columns, and its key may determine its other columns. */
  readonly isTable: boolean;
  /** Names of columns that require qualification because a join merged them. */
  readonly merged: ReadonlySet<string>;
  /** Whether all columns require qualification, as those of the alias in `JOIN ... USING (x) AS alias`. */
  readonly isOnlyQualified: boolean;
  /** The item of FROM in the parse tree. */
  readonly item?: unknown;
  /** The offset of a table's name in the statement. */
  readonly start?: number;
  /** Whether LATERAL sees it but cannot use it, as the left side of a RIGHT or FULL JOIN. */
  readonly isBarred?: boolean;
  /** Set for a function in FROM that returns scalars: its row is its single column. */
  readonly isScalar?: true;
}

/** The result of reading part of FROM: its relations, and the columns of `*`. */
export interface Joined<Column extends NamedColumn, Table = never> {
  readonly relations: readonly Relation<Column, Table>[];
  readonly star: Star<Column>;
}

type AnyRelation = Relation<NamedColumn, unknown>;

const none: ReadonlySet<string> = new Set();

export const relation = <Column extends NamedColumn, Table = never>(
  name: string | undefined,
  columns: readonly Column[] | undefined,
  more: Partial<Relation<Column, Table>> = {},
): Relation<Column, Table> => ({
  ...{ name, columns, isTable: false, merged: none, isOnlyQualified: false },
  ...more,
});

export const single = <Column extends NamedColumn, Table>(
  own: Relation<Column, Table>,
): Joined<Column, Table> => ({
  relations: [own],
  star: Star.of(own.columns),
});

/** Renames the first columns; later ones keep their names. */
export const renamed = <Column extends NamedColumn>(
  columns: readonly Column[],
  names: readonly string[],
): readonly Column[] => columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));

export interface Join<Column extends NamedColumn> {
  readonly isNatural: boolean;
  readonly using: readonly string[];
  /** The alias for the merged columns only: `USING (x) AS alias`. */
  readonly usingAlias?: string | undefined;
  /** Returns the column that stands for those of both sides; undefined if there is none. */
  readonly merge: (name: string, one: Column | undefined, other: Column | undefined) => Column | undefined;
  /** Lists the columns of `*`; undefined if they are unknown or too many. */
  readonly list: (star: Star<Column>) => readonly Column[] | undefined;
}

/** Joins two sides. The columns of USING and NATURAL come first and appear once. */
export function joined<Column extends NamedColumn, Table>(
  left: Joined<Column, Table>,
  right: Joined<Column, Table>,
  { isNatural, using, usingAlias, merge, list }: Join<Column>,
): Joined<Column, Table> {
  const stars = [left.star, right.star];
  if (!isNatural && using.length === 0)
    return { relations: [...left.relations, ...right.relations], star: Star.together(stars) };
  const names = isNatural ? commonNames(list(left.star), right.star) : using;
  if (names === undefined) {
    // Any column of the right side may be merged.
    const others = right.relations.map((own) =>
      hiding(own, own.columns?.flatMap(({ name = [] }) => name) ?? []),
    );
    return { relations: [...left.relations, ...others], star: Star.of(undefined) };
  }
  const columns = names.flatMap((name) => merge(name, left.star.find(name), right.star.find(name)) ?? []);
  const once = new Set<string | undefined>(names);
  const isLeft = ({ name, columns: own }: Relation<Column, Table>): boolean =>
    name !== undefined || own === undefined || own.some((column) => !once.has(column.name));
  return {
    relations: [
      ...[...left.relations, ...right.relations].map((own) => hiding(own, names)).filter(isLeft),
      relation(undefined, columns),
      ...(usingAlias === undefined ? [] : [relation(usingAlias, columns, { isOnlyQualified: true })]),
    ],
    star: Star.merging(columns, stars),
  };
}

const hiding = <Column extends NamedColumn, Table>(
  own: Relation<Column, Table>,
  names: readonly string[],
): Relation<Column, Table> =>
  names.every((name) => own.merged.has(name)) ? own : { ...own, merged: new Set([...own.merged, ...names]) };

/** Returns the names that both sides have, in the order of the left side. */
function commonNames<Column extends NamedColumn>(
  ones: readonly Column[] | undefined,
  others: Star<Column>,
): readonly string[] | undefined {
  if (ones === undefined || !others.isKnown) return undefined;
  const both = ones.flatMap(({ name }) =>
    name !== undefined && others.find(name) !== undefined ? [name] : [],
  );
  return [...new Set(both)];
}

/** Returns the relation that a qualifier names. */
export const relationNamed = <Each extends AnyRelation>(
  relations: readonly Each[],
  name: string,
  schema: string | undefined,
): Each | undefined =>
  relations.find((own) => own.name === name && (schema === undefined || own.schema === schema));

export interface Place<Each extends AnyRelation> {
  readonly relation: Each;
  readonly index: number;
}

/** What a bare name means among the relations of one query. */
export interface Among<Each extends AnyRelation> {
  /** The columns with the name; if there are several, it is ambiguous. */
  readonly places: readonly Place<Each>[];
  /** The first column with the name among those that a join hides. */
  readonly hidden: Place<Each> | undefined;
  /** Whether it may also be an unknown column. */
  readonly isOpen: boolean;
}

export function among<Each extends AnyRelation>(relations: readonly Each[], name: string): Among<Each> {
  const index = indexOf(relations);
  const found = (index?.places.get(name) ?? (index === undefined ? placesIn(relations, name) : [])).flatMap(
    ([at, column]): readonly Place<Each>[] => {
      const own = relations[at];
      return own === undefined ? [] : [{ relation: own, index: column }];
    },
  );
  const isHidden = ({ relation: { merged } }: Place<Each>): boolean => merged.has(name);
  return {
    places: found.filter((place) => !isHidden(place)),
    hidden: found.find(isHidden),
    isOpen: (index?.open ?? relations).some((own) => mayHave(own, name)),
  };
}

/** Returns whether an unknown column of the relation may have the name. */
const mayHave = ({ columns, isOnlyQualified }: AnyRelation, name: string): boolean =>
  !isOnlyQualified && (columns === undefined || (hasNameless(columns) && positionOf(columns, name) < 0));

/** The positions of a relation and of its column. */
type Position = readonly [number, number];

function placesIn(relations: readonly AnyRelation[], name: string): readonly Position[] {
  const places: Position[] = [];
  for (const [at, { columns = [], isOnlyQualified }] of relations.entries()) {
    const only = isOnlyQualified ? -1 : onlyPositionOf(columns, name);
    if (only === 'several')
      columns.forEach((column, index) => column.name === name && places.push([at, index]));
    else if (only >= 0) places.push([at, only]);
  }
  return places;
}

interface Index {
  readonly length: number;
  readonly places: Map<string, Position[]>;
  /** The relations that may have unknown columns. */
  readonly open: readonly AnyRelation[];
}

/** Up to this number, searching relations is faster than indexing them. */
const fewMax = 8;
/** FROM's relations grow while it is read, so an index is valid only while their number stays the same. */
const indexes = new WeakMap<readonly AnyRelation[], number | Index>();

/** Returns undefined for few relations, and on the first call, which is often the only one. */
function indexOf(relations: readonly AnyRelation[]): Index | undefined {
  const { length } = relations;
  if (length <= fewMax) return undefined;
  const known = indexes.get(relations);
  if (typeof known === 'object' && known.length === length) return known;
  const index = known === length ? indexed(relations) : undefined;
  indexes.set(relations, index ?? length);
  return index;
}

function indexed(relations: readonly AnyRelation[]): Index {
  const places = new Map<string, Position[]>();
  for (const [at, { columns = [], isOnlyQualified }] of relations.entries()) {
    if (isOnlyQualified) continue;
    for (const [index, { name }] of columns.entries()) {
      if (name === undefined) continue;
      const own = places.get(name);
      if (own === undefined) places.set(name, [[at, index]]);
      else own.push([at, index]);
    }
  }
  const open = relations.filter(({ columns }) => columns === undefined || hasNameless(columns));
  return { length: relations.length, places, open };
}
