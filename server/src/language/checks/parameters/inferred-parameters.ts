/** Infers the types of a statement's parameters from casts and compared columns. */
import type { NameContext } from '#server/language/names/name-context.ts';
import { parameterTypeOf } from '#server/language/names/parameter-types.ts';
import type { ParameterInfo } from '#server/protocol.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { namesOf } from '../statement-names.ts';
import { parameterTypes } from './parameters.ts';

/**
 * Returns one entry per parameter, in order of first use. A cast takes precedence over other uses. A parameter whose
 * uses expect incompatible types has no type.
 */
export function parametersOf(statement: AnalysedStatement, names: NameContext): readonly ParameterInfo[] {
  const { start, placeholders, types } = statement;
  const nameAt = new Map(placeholders.map((use) => [use.start - start, use.name]));
  const nameOf = (use: { readonly start: number }): string | undefined => nameAt.get(use.start);
  // Looked up by name: a text may have thousands of parameters.
  const uses = Map.groupBy(namesOf(statement, names)?.parameters ?? [], nameOf);
  const typedUses = Map.groupBy(types?.parameters ?? [], nameOf);
  return [...new Set(nameAt.values())].map((name) => {
    const own = uses.get(name) ?? [];
    const cast = own.filter((use) => use.type !== undefined && use.comparedWith === undefined);
    const typed = cast.length > 0 ? cast : own;
    const named = typed.flatMap(({ type }) => type ?? []);
    const type = commonType(cast.length > 0 ? named : [...named, ...typesByUse(typedUses.get(name) ?? [])]);
    const { comparedWith } = own.find((use) => use.comparedWith !== undefined) ?? {};
    return {
      name,
      isList: own.some(({ isList }) => isList),
      ...(type === undefined ? {} : { type }),
      ...(comparedWith === undefined ? {} : { comparedWith }),
    };
  });
}

/** Returns the types inferred from surrounding expressions, such as function arguments, operands and CASE branches. */
function typesByUse(uses: NonNullable<AnalysedStatement['types']>['parameters']): readonly string[] {
  return uses.flatMap(({ type }) => {
    const found = parameterTypeOf(type);
    return found === undefined || found.isList || !parameterTypes.includes(found.type) ? [] : found.type;
  });
}

/** In each list, every type can hold all values of the types before it. */
const widening: readonly (readonly string[])[] = [
  ['smallint', 'integer', 'bigint', 'numeric', 'real', 'float8'],
  ['date', 'timestamp', 'timestamptz'],
];

/**
 * Returns the type that all uses accept. Undefined if there is none, since PostgreSQL then interprets the value
 * separately for each use.
 */
function commonType(types: readonly string[]): string | undefined {
  const [first, ...others] = new Set(types);
  return others.reduce<string | undefined>((common, type) => {
    const order = widening.find((own) => common !== undefined && own.includes(common) && own.includes(type));
    return order === undefined
      ? undefined
      : order[Math.max(order.indexOf(common ?? ''), order.indexOf(type))];
  }, first);
}

/** Returns a function that looks up an inferred type by statement start and parameter name; a list is `text[]`. */
export function inferredTypes(
  statements: readonly AnalysedStatement[],
  names: NameContext,
): (statementStart: number, name: string) => string | undefined {
  const types = new Map(
    statements.flatMap((statement) =>
      parametersOf(statement, names).flatMap(({ name, type, isList }) =>
        type === undefined ? [] : [[`${statement.start} ${name}`, isList ? `${type}[]` : type] as const],
      ),
    ),
  );
  return (start, name) => types.get(`${start} ${name}`);
}
