/** Infers the types of a statement's parameters from casts and compared columns. */
import type { ParameterInfo } from '../../../protocol.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { namesOf } from '../statement-names.ts';
import { parameterTypeOf } from '../../names/parameter-types.ts';
import { parameterTypes } from './parameters.ts';
import type { NameContext } from '../../names/name-context.ts';

/** One per name, in order of first use. A cast outranks a compared column. */
export function parametersOf(statement: AnalysedStatement, names: NameContext): readonly ParameterInfo[] {
  const { start, placeholders } = statement;
  const uses = namesOf(statement, names)?.parameters ?? [];
  return [...new Set(placeholders.map(({ name }) => name))].map((name) => {
    const places = new Set(placeholders.filter((use) => use.name === name).map((use) => use.start - start));
    const own = uses.filter((use) => places.has(use.start));
    const typed = own.filter(({ type }) => type !== undefined);
    const { type = typeByUse(statement, places) } =
      typed.find((use) => use.comparedWith === undefined) ?? typed[0] ?? {};
    const { comparedWith } = own.find((use) => use.comparedWith !== undefined) ?? {};
    return {
      name,
      isList: own.some(({ isList }) => isList),
      ...(type === undefined ? {} : { type }),
      ...(comparedWith === undefined ? {} : { comparedWith }),
    };
  });
}

/** Type inferred from the surrounding expressions: a function argument, an operand, or a CASE branch. */
function typeByUse({ types }: AnalysedStatement, places: ReadonlySet<number>): string | undefined {
  const used = types?.parameters.find(({ start }) => places.has(start));
  const found = used === undefined ? undefined : parameterTypeOf(used.type);
  return found === undefined || found.isList || !parameterTypes.includes(found.type) ? undefined : found.type;
}

/** The parameter types of all statements, by statement start; `text[]` for a list. */
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
