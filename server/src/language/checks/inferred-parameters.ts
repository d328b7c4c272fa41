/** What a statement tells of its parameters: the type of each, by casts and by the columns they are compared with. */
import type { ParameterInfo } from '../../protocol.ts';
import type { AnalysedStatement } from './analyser.ts';
import { namesOf } from './statement-names.ts';
import type { NameContext } from '../names/name-context.ts';

/** Each name once, in order of its first use. What the text says of a type counts more than the column that it is compared with. */
export function parametersOf(statement: AnalysedStatement, names: NameContext): readonly ParameterInfo[] {
  const { start, placeholders } = statement;
  const uses = namesOf(statement, names)?.parameters ?? [];
  return [...new Set(placeholders.map(({ name }) => name))].map((name) => {
    const places = new Set(placeholders.filter((use) => use.name === name).map((use) => use.start - start));
    const own = uses.filter((use) => places.has(use.start));
    const typed = own.filter(({ type }) => type !== undefined);
    const { type } = typed.find((use) => use.comparedWith === undefined) ?? typed[0] ?? {};
    const { comparedWith } = own.find((use) => use.comparedWith !== undefined) ?? {};
    return {
      name,
      isList: own.some(({ isList }) => isList),
      ...(type === undefined ? {} : { type }),
      ...(comparedWith === undefined ? {} : { comparedWith }),
    };
  });
}

/** The types of all statements' parameters, by where the statement begins; `text[]` for a list. */
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
