/** `--delete NAME`, `--restore NAME` and `--replace NAME@VERSION`: decisions about individual queries. */
import { typedText } from '#base/advice.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { nameOf, type Choices, type Plan } from '#core/sync/plan/plan.ts';
import { advice } from '../advice.ts';
import { CliError } from '../context.ts';

export interface ChoiceOptions {
  readonly delete?: readonly string[];
  readonly restore?: readonly string[];
  readonly replace?: readonly string[];
}

/** Collects repeated options. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** @throws CliError */
export function choicesFrom(options: ChoiceOptions): Choices {
  const deletes = new Map<string, number | undefined>();
  for (const text of options.delete ?? []) {
    const { name, version } = split(text);
    deletes.set(nameKeyOf(text), undefined);
    if (version !== undefined) deletes.set(nameKeyOf(name), version);
  }
  const replaces = new Map<string, number>();
  for (const text of options.replace ?? []) {
    const { name, version } = split(text);
    if (version === undefined)
      throw new CliError(`"${text}" names no version. Write --replace "NAME@VERSION", as plan shows it.`);
    replaces.set(nameKeyOf(name), version);
  }
  return { deletes, replaces, restores: new Set((options.restore ?? []).map(nameKeyOf)) };
}

/** Rejects decisions that match no query, which are probably typos. @throws CliError */
export function requireUsed({ items }: Plan, options: ChoiceOptions): void {
  const names = new Set(items.map((item) => nameKeyOf(nameOf(item))));
  const isKnown = (text: string) => names.has(nameKeyOf(text)) || names.has(nameKeyOf(split(text).name));
  const given = [...(options.delete ?? []), ...(options.restore ?? []), ...(options.replace ?? [])];
  const unknown = given.find((text) => !isKnown(text));
  if (unknown !== undefined)
    throw new CliError(
      `There is nothing to decide about "${unknown}". List the decisions: ${typedText(advice.showPlan())}`,
    );
}

function split(text: string): { readonly name: string; readonly version: number | undefined } {
  const [, name, version] = /^(.*)@(\d{1,15})$/s.exec(text) ?? [];
  return name === undefined ? { name: text, version: undefined } : { name, version: Number(version) };
}
