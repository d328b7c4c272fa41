/** Reports declared parameters whose type conflicts with a compared column. */
import { t } from '#base/texts.ts';
import { findColumn, type Catalogue } from '#server/language/names/catalogue.ts';
import type { ParameterUse } from '#server/language/names/over-tree/bound-names.ts';
import type { CatalogueColumn } from '#server/protocol.ts';
import { finding, type Finding } from '../finding.ts';
import { areComparable, familyOf } from '../inspections/types.ts';
import type { DeclaredParameter } from './parameters.ts';

export interface ParameterPlaces {
  /** All positions are offsets in the text. */
  readonly start: number;
  readonly placeholders: readonly { readonly name: string; readonly start: number; readonly end: number }[];
}

export function parameterConflicts(
  { start: base, placeholders }: ParameterPlaces,
  uses: readonly ParameterUse[],
  catalogue: Catalogue,
  declared: readonly DeclaredParameter[],
): readonly Finding[] {
  const types = new Map(declared.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type]])));
  const typed = new Map(placeholders.filter(({ name }) => types.has(name)).map((each) => [each.start, each]));
  if (typed.size === 0) return [];
  // A cast in the text takes precedence.
  const isCast = new Set(
    uses.flatMap(({ start, type, comparedWith }) =>
      type !== undefined && comparedWith === undefined ? start : [],
    ),
  );
  return uses.flatMap(({ start, isList, isArray, comparedWith }) => {
    const placeholder = typed.get(base + start);
    const column = comparedWith && findColumn(catalogue, comparedWith);
    const type = types.get(placeholder?.name ?? '');
    if (placeholder === undefined || column === undefined || type === undefined || isCast.has(start))
      return [];
    const problem = /\]\s*$/.test(column.type)
      ? undefined
      : conflictOf(placeholder.name, type, column, { isList, isArray });
    return problem === undefined
      ? []
      : [finding('PARAMETER_TYPE', problem, placeholder.start, placeholder.end)];
  });
}

function conflictOf(
  name: string,
  type: string,
  column: CatalogueColumn,
  { isList, isArray }: Pick<ParameterUse, 'isList' | 'isArray'>,
): string | undefined {
  const element = type.replace(/\[\]$/, '');
  if (!areComparable(familyOf(element), familyOf(column.type))) {
    return t(
      '"{0}" is declared as {1}, but "{2}" is {3}. Change the declaration, or cast one of them.',
      name,
      type,
      column.name,
      column.type,
    );
  }
  if (isArray && element === type)
    return t('ANY and ALL take a list, but "{0}" is declared as {1}. Declare it as {1}[].', name, type);
  // A list in IN (...) may hold one value or several.
  return !isList && element !== type
    ? t(
        '"{0}" is declared as {1}, a list, but "{2}" contains a single value. Write = ANY (:{0}), or declare {3}.',
        name,
        type,
        column.name,
        element,
      )
    : undefined;
}
