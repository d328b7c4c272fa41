/** The names of the columns of a query, and what they come from. */
import { outputName } from '#server/language/tree/output-names.ts';
import { child, list, strings, text } from '#server/language/tree/parse-tree.ts';
import { columnOf } from './column-sources.ts';
import { type Holds, type Lookup, lookupIn, type Part, remembered, type Scope } from './parts.ts';

export const starOf = (target: unknown): readonly unknown[] | undefined => {
  const fields = list(child(child(child(target, 'ResTarget'), 'val'), 'ColumnRef')?.fields);
  return child(fields.at(-1), 'A_Star') === undefined ? undefined : fields;
};

export const nameOf = (target: unknown): string => {
  const { name, val } = child(target, 'ResTarget') ?? {};
  return text(name) || (outputName(val) ?? '');
};

/** The columns of a query's rows. */
export function outputsOf(targets: readonly unknown[], scope: Scope): Lookup {
  return remembered((column) => {
    const own = targets.filter((target) => starOf(target) === undefined && nameOf(target) === column);
    if (own.length > 0)
      return own.length > 1 ? '' : (columnOf(child(own[0], 'ResTarget')?.val, scope)?.source ?? '');
    const found = targets.flatMap((target) => {
      const fields = starOf(target);
      const relation = strings(fields).at(-2);
      const parts = scope.parts.filter(({ name }) => relation === undefined || name === relation);
      return fields === undefined ? [] : (lookupIn(parts)(column) ?? []);
    });
    return found.includes('') ? '' : found[0];
  });
}

/** The names of a query's columns, in order; undefined if they are unknown. */
export function namesOfOutputs(
  targets: readonly unknown[],
  parts: readonly Part[],
  isMerged: boolean,
): readonly string[] | undefined {
  const names: string[] = [];
  for (const target of targets) {
    const fields = starOf(target);
    const relation = strings(fields).at(-2);
    const indirection = list(child(child(child(target, 'ResTarget'), 'val'), 'A_Indirection')?.indirection);
    const own =
      fields === undefined
        ? child(indirection.at(-1), 'A_Star') === undefined
          ? [nameOf(target)]
          : undefined
        : relation !== undefined
          ? namesOfAll(parts.filter(({ name }) => name === relation))
          : isMerged
            ? undefined
            : namesOfAll(parts);
    if (own === undefined || names.length + own.length > outputsMax) return undefined;
    for (const name of own) names.push(name);
  }
  return names;
}

/** PostgreSQL's limit. */
const outputsMax = 1_664;

export function namesOfAll(parts: readonly Part[]): readonly string[] | undefined {
  const all = parts.flatMap(({ names }) => (names === undefined ? [] : [names]));
  const isKnown = parts.length > 0 && all.length === parts.length;
  return isKnown ? all.flat() : undefined;
}

/** New names apply by place. */
export function renamed(part: Part, given: readonly string[]): Part {
  if (given.length === 0) return part;
  const { names: before } = part;
  const names = before?.map((name, place) => given[place] ?? name);
  const lookup: Lookup = (column) => {
    if (before === undefined || names === undefined) return '';
    const place = names.indexOf(column);
    return place < 0 ? undefined : (part.lookup(before[place] ?? '') ?? '');
  };
  const holds: Holds = (column) => {
    if (before === undefined || names === undefined) return part.uses;
    const place = names.indexOf(column);
    return place < 0 ? undefined : (part.holds(before[place] ?? '') ?? part.uses);
  };
  return { ...part, names, lookup, holds };
}
