/**
 * `--param name=value`: values are typed and validated as in the editor's form, and bound as parameters, never pasted
 * into the text.
 */
import { Option } from 'commander';
import type { ParameterValue } from '#api/contract/execute.ts';
import type { Problem } from '#base/values/parse-value.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { parameterFields, readForm } from '#core/parameters/form.ts';
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';
import { problemWords } from '#core/parameters/problem-messages.ts';
import type { StatementInfo } from '#server/protocol.ts';
import { CliError } from '../context.ts';

/** Creates the option `--param name=value`, which may be repeated. */
export function parameterOption(description = 'the value of a parameter; repeat it for more'): Option {
  return new Option('--param <name=value>', description).argParser(collectParameter).default([], 'none');
}

/** @throws CliError if the entry is not `name=value`. */
function collectParameter(entry: string, before: readonly string[]): string[] {
  if (!/^:?[\p{L}_][\p{L}\p{N}_$]*=/u.test(entry))
    throw new CliError(`"${entry}" is not a parameter. Write --param name=value.`);
  return [...before, entry];
}

/** @param entries `name=value`. @throws CliError for duplicates. */
export function enteredParameters(entries: readonly string[]): readonly EnteredValue[] {
  const entered = new Map<string, EnteredValue>();
  for (const entry of entries) {
    const at = entry.indexOf('=');
    const name = entry.slice(0, at).replace(/^:/, '');
    const value = entry.slice(at + 1);
    if (entered.has(name)) throw new CliError(`The parameter "${name}" is given twice.`);
    entered.set(name, { name, text: value, isNull: false, isEmpty: value === '' });
  }
  return [...entered.values()];
}

export interface BoundParameters {
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly fields: readonly ParameterField[];
}

/** The form's words, without the boxes that a terminal does not have. */
function wordsHere(problem: Problem): string {
  switch (problem.kind) {
    case 'empty':
    case 'empty-text':
      return 'Write a value after =, or use --null.';
    case 'no-items':
      return 'Write at least one item. Nothing after = is an empty list, and --null is NULL.';
    default:
      return problemWords(problem);
  }
}

/**
 * @param entries `name=value`; `--null` names NULL parameters. List items are separated by commas.
 * @throws CliError that names every missing, unknown or invalid parameter.
 */
export function bindParameters(
  statement: StatementInfo,
  text: string,
  given: {
    readonly entries: readonly (string | EnteredValue)[];
    readonly nulls: readonly string[];
    readonly now: Date;
  },
): BoundParameters {
  const fields = parameterFields(statement, {
    declarations: parameterDeclarations(text),
    recent: () => [],
  });
  const written = given.entries.filter((entry) => typeof entry === 'string');
  const values = given.entries.filter((entry) => typeof entry !== 'string');
  const entered = new Map([...values, ...enteredParameters(written)].map((one) => [one.name, one]));
  for (const named of given.nulls) {
    const name = named.replace(/^:/, '');
    if (entered.get(name)?.isNull === false)
      throw new CliError(`The parameter "${name}" has both --param and --null. Leave one out.`);
    entered.set(name, { name, text: '', isNull: true, isEmpty: false });
  }
  const known = new Set(fields.map(({ name }) => name));
  const unknown = [...entered.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new CliError(
      `The query has no parameter ${unknown.map((name) => `"${name}"`).join(', ')}.`,
      known.size === 0 ? ['It has no parameters.'] : [`It has: ${[...known].join(', ')}`],
    );
  const asked = fields.map((field) => ({ ...field, text: '', isNull: false, isEmpty: false }));
  const outcome = readForm(asked, [...entered.values()], { now: given.now, words: wordsHere });
  if (outcome.kind === 'valid') return outcome;
  const problems = outcome.fields.flatMap(({ name, type, problem, defaultProblem }) => {
    if (problem === undefined) return [];
    if (entered.has(name)) return [`  ${name} (${type}): ${problem}`];
    const missing = `  --param ${name}=...   (${type}, or --null ${name})`;
    return defaultProblem === undefined ? [missing] : [missing, `      ${defaultProblem}`];
  });
  const isMissing = outcome.fields.some(({ name, problem }) => problem !== undefined && !entered.has(name));
  throw new CliError(
    isMissing ? 'Some parameters have no value. Add:' : 'Some parameters have invalid values:',
    problems,
  );
}
