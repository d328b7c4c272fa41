/**
 * Suggests likely JOIN conditions: declared references and `role_id = id` first, those of the table joined last before
 * those of the first, then equal key names and parts of table names, which are only a guess.
 */
import type { CatalogueColumn, CatalogueTable } from '#server/protocol.ts';
import { declaredReferences } from '../names/declared-references.ts';

export interface JoinSide {
  readonly alias: string;
  readonly table: CatalogueTable;
  readonly model: string;
}

interface SideColumn {
  readonly alias: string;
  readonly column: string;
  /** Whether the column is an array, so that its items are compared. */
  readonly isList?: boolean;
}

export interface JoinCondition {
  readonly left: SideColumn;
  readonly right: SideColumn;
  /** Whether only the names match, and the model declares no reference. */
  readonly isGuess?: true;
}

/** Returns conditions between the joined table and each earlier one, likeliest first. */
export function joinConditions(joined: JoinSide, before: readonly JoinSide[]): readonly JoinCondition[] {
  const others = before.toReversed();
  const turned = <Condition extends JoinCondition>(condition: Condition): Condition => ({
    ...condition,
    left: condition.right,
    right: condition.left,
  });
  const known = others.flatMap((other) => [
    ...[...declared(other, joined), ...declared(joined, other).map(turned)]
      .sort((a, b) => a.rank - b.rank)
      .map(({ left, right }) => ({ left, right })),
    ...references(other, joined, stems),
    ...references(joined, other, stems).map(turned),
  ]);
  const guessed = [
    ...others.flatMap((other) => shared(other, joined)),
    ...others.flatMap((other) => [
      ...references(other, joined, laterParts),
      ...references(joined, other, laterParts).map(turned),
    ]),
  ];
  const found: readonly JoinCondition[] = [
    ...known,
    ...guessed.map((each) => ({ ...each, isGuess: true as const })),
  ];
  const keys = found.map(({ left, right }) =>
    [left.alias, left.column, right.alias, right.column].join('\0'),
  );
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

/** Returns whether a model declares a reference between the tables, in either direction. */
export const areRelated = (one: JoinSide, other: JoinSide): boolean =>
  declared(one, other).length > 0 || declared(other, one).length > 0;

/** Returns the references from one table to the other that its model declares. */
function declared(from: JoinSide, to: JoinSide): readonly (JoinCondition & { readonly rank: number })[] {
  const place = { model: to.model, table: to.table.name };
  return declaredReferences(from.table.columns ?? [], from.model, place).map(
    ({ name, column, isList, rank }) => ({
      rank,
      left: { alias: from.alias, column: name, ...(isList ? { isList } : {}) },
      right: { alias: to.alias, column },
    }),
  );
}

/** Returns the table's name and its singular form, for example `persons` and `person`. */
function stems(table: string): readonly string[] {
  const lower = table.toLowerCase();
  const singular = lower.endsWith('ies')
    ? `${lower.slice(0, -3)}y`
    : lower.replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, '');
  return [lower, singular];
}

/** Returns the singular form without the words that qualify it: `role` of `account_roles`. */
function laterParts(table: string): readonly string[] {
  const parts = (stems(table)[1] ?? '').split('_');
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join('_'));
}

/** Matches references by name with the other table's key: `person_id` with `persons.id`. */
function references(
  from: JoinSide,
  to: JoinSide,
  stemsOf: (table: string) => readonly string[],
): readonly JoinCondition[] {
  const key = to.table.columns?.find(({ name }) => name.toLowerCase() === 'id');
  if (key === undefined) return [];
  const wanted = new Set(stemsOf(to.table.name).flatMap((stem) => [`${stem}_id`, `${stem}id`]));
  return (from.table.columns ?? [])
    .filter(({ name }) => wanted.has(name.toLowerCase()))
    .map(({ name }) => ({
      left: { alias: from.alias, column: name },
      right: { alias: to.alias, column: key.name },
    }));
}

/** Matches keys that have the same name on both sides, such as `person_id`. The tables' own IDs never match. */
function shared(left: JoinSide, right: JoinSide): readonly JoinCondition[] {
  const others = new Map((right.table.columns ?? []).map((column) => [column.name, column]));
  const isOwn = (column: CatalogueColumn | undefined): boolean =>
    column !== undefined && (column.isOwnId === true || /^(global_)?id$/i.test(column.name));
  return (left.table.columns ?? [])
    .filter((column) => {
      const other = others.get(column.name);
      return (
        other !== undefined && /.(_id|_key|_code|Id)$/.test(column.name) && !(isOwn(column) && isOwn(other))
      );
    })
    .map(({ name }) => ({
      left: { alias: left.alias, column: name },
      right: { alias: right.alias, column: name },
    }));
}
