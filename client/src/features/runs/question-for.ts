/** Collects the parameters that a run requires, with the facts known about them. */
import type { Logger } from '#base/logger.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { parameterFields } from '#core/parameters/form.ts';
import { loadKnownValues } from '#core/parameters/known-values.ts';
import type { ParameterMemory } from '#core/parameters/memory.ts';
import type { ParameterField } from '#core/parameters/parameter-field.ts';
import { ParameterQuestion } from './parameters/parameter-question.ts';
import { memoryKeyOf, type Prepared, type PrepareDependencies } from './sending/prepared-run.ts';

/** Returns the form fields for one statement, or for several statements that share parameters. */
export async function questionFor(
  deps: Pick<PrepareDependencies, 'session' | 'describe'> & {
    readonly memory: ParameterMemory;
    readonly log: Logger;
  },
  several: readonly Prepared[],
): Promise<ParameterQuestion> {
  const [first] = several;
  const placeholders = several.flatMap(({ statement }) => statement.placeholders);
  const key =
    first === undefined
      ? { connection: undefined, query: '', isVolatile: true }
      : memoryKeyOf(deps, first.document);
  const known = placeholders.length === 0 ? undefined : await loadKnownValues();
  const fields = new Map<string, ParameterField>();
  for (const { statement, declarationsText } of several) {
    const sources = {
      declarations: parameterDeclarations(declarationsText),
      recent: (name: string) => deps.memory.recent(key, name),
      choices: ({ table, column }: { readonly table: string; readonly column: string }) =>
        known?.get(`${table}.${column}`) ?? [],
    };
    for (const field of parameterFields(statement, sources)) {
      const before = fields.get(field.name);
      // If several statements share a parameter, keep the use that reveals the most about it.
      if (before === undefined || before.typeFrom === 'nothing') fields.set(field.name, field);
    }
  }
  return new ParameterQuestion({
    fields: [...fields.values()],
    memory: deps.memory,
    key,
    log: deps.log,
    ...(several.length > 1 ? { statementCount: several.length } : {}),
  });
}
