/** Restores a record's query document, with its model and parameter declarations, and its parameter values. */
import type { ParameterValue } from '#api/contract/execute.ts';
import { listItem } from '#base/values/split-list.ts';
import type { RememberedValue } from '../parameters/memory.ts';
import type { Evidence } from './evidence.ts';

export function statementText({ model, parameters }: Evidence, statement: string): string {
  return [
    `-- @model ${model}`,
    ...parameters.map(({ name, type }) => `-- @param ${name} ${type}`),
    '',
    statement,
    '',
  ].join('\n');
}

/**
 * Returns the bound values, not the typed ones: `today` would now mean a different day. Secrets are omitted, so the
 * form asks for them.
 */
export function valuesOf({ parameters }: Evidence): Readonly<Record<string, RememberedValue>> {
  return Object.fromEntries(
    parameters.flatMap((parameter) =>
      'secret' in parameter ? [] : [[parameter.name, rememberedValue(parameter.value)] as const],
    ),
  );
}

function rememberedValue(value: ParameterValue): RememberedValue {
  if (value === null) return { text: '', isNull: true };
  const text = Array.isArray(value)
    ? value.includes(null)
      ? JSON.stringify(value)
      : value.map((item) => listItem(String(item))).join('\n')
    : String(value);
  return { text, isNull: false, isEmpty: text === '' };
}
