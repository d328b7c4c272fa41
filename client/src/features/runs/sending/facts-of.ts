/** Collects the facts about a run for evidence and comparisons. */
import type { ParameterValue } from '#api/contract/execute.ts';
import type { ParameterField } from '#core/parameters/parameter-field.ts';
import type { RunFacts } from '#core/runs/run-facts.ts';
import { offsetWithin } from '#core/runs/source-positions.ts';
import type { Prepared } from './prepared-run.ts';

export function factsOf(run: {
  readonly prepared: Prepared;
  readonly service: string;
  readonly startedAt: number;
  readonly fields: readonly ParameterField[];
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}): RunFacts {
  const { model, savedQuery, declarationsText: text, statement } = run.prepared;
  return {
    startedAt: run.startedAt,
    service: run.service,
    model,
    savedQuery,
    text,
    statement: {
      text: statement.text,
      offset: offsetWithin(text, { line: 0, character: 0 }, statement.range.start),
    },
    parameters: run.fields.map(({ name, type, isSecret, text: entered, isNull, isEmpty }) =>
      isSecret
        ? { name, type, isSecret }
        : {
            name,
            type,
            isSecret,
            ...(isNull || isEmpty || entered === '' ? {} : { entered }),
            value: (Object.hasOwn(run.parameters, name) ? run.parameters[name] : undefined) ?? null,
          },
    ),
  };
}
