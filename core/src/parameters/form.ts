/** Builds the fields of the parameter form, and parses the input. */
import type { ParameterValue } from '#api/contract/execute.ts';
import { parseValue, type Problem } from '#base/values/parse-value.ts';
import {
  controlOf,
  declaredChoices,
  isListType,
  isSecretType,
  mayBeEmpty,
} from '#base/values/value-types.ts';
import { inDeclaredOrder } from '#server/language/checks/parameters/parameters.ts';
import type { StatementInfo } from '#server/protocol.ts';
import { isListPlace, type ParameterDeclaration } from './declarations.ts';
import type { RememberedValue } from './memory.ts';
import type { EnteredValue, ParameterField } from './parameter-field.ts';

/** The parts of a statement that the form needs. */
export type Parameters = Pick<StatementInfo, 'placeholders' | 'text'> &
  Partial<Pick<StatementInfo, 'parameters'>>;

export interface FieldSources {
  readonly declarations: ReadonlyMap<string, ParameterDeclaration>;
  readonly recent: (name: string) => readonly RememberedValue[];
  /** Returns the known values of a column, offered as suggestions. */
  readonly choices?:
    | ((column: { readonly table: string; readonly column: string }) => readonly string[])
    | undefined;
}

/** Returns one field per parameter name: the declared ones in that order, then the others in order of first use. */
export function parameterFields(statement: Parameters, sources: FieldSources): ParameterField[] {
  const used = statement.placeholders.map((placeholder) => placeholder.name);
  return inDeclaredOrder(sources.declarations.keys(), used).map((name) => fieldOf(name, statement, sources));
}

function fieldOf(
  name: string,
  statement: Parameters,
  { declarations, recent, choices }: FieldSources,
): ParameterField {
  const declaration = declarations.get(name);
  const info = statement.parameters?.find((one) => one.name === name);
  const isList = info?.isList === true || isUsedAsList(statement.text, name);
  const used = info?.type ?? 'text';
  const type = declaration?.type ?? (isList && !isListType(used) ? `${used}[]` : used);
  const isSecret = isSecretType(type);
  const column = info?.comparedWith;
  const closed = declaredChoices(type);
  const known = isSecret ? [] : recent(name);
  const [last] = known;
  const control = controlOf(type);
  return {
    name,
    description: declaration?.description,
    type,
    typeFrom:
      declaration !== undefined
        ? 'declared'
        : info?.type === undefined
          ? 'nothing'
          : column === undefined
            ? 'use'
            : 'compared',
    ...(column === undefined ? {} : { comparedWith: `${column.table}.${column.column}` }),
    control,
    choices: closed ?? (column === undefined ? [] : (choices?.(column) ?? [])),
    isClosed: closed !== undefined,
    isSecret,
    ...(declaration?.defaultText === undefined ? {} : { defaultText: declaration.defaultText }),
    ...(declaration?.problem === undefined ? {} : { defaultProblem: declaration.problem }),
    mayBeEmpty: mayBeEmpty(type),
    text: last?.text ?? declaration?.defaultText ?? (control === 'boolean' ? 'true' : ''),
    isNull: last?.isNull ?? false,
    isEmpty: last?.isEmpty ?? false,
    recent: [...new Set(known.filter((one) => !one.isNull && one.text !== '').map((one) => one.text))],
  };
}

/** Each check scans the text before the use, so only this many uses of a parameter are checked. */
const usesMax = 100;

function isUsedAsList(text: string, name: string): boolean {
  const written = `:${name}`;
  let uses = 0;
  for (let at = text.indexOf(written); at >= 0 && uses < usesMax; at = text.indexOf(written, at + 1)) {
    const end = at + written.length;
    if (text[at - 1] === ':' || /[\w$]/.test(text[end] ?? '')) continue;
    if (isListPlace(text.slice(0, at), text.slice(end))) return true;
    uses += 1;
  }
  return false;
}

/** Fills the fields from a value set or the history. Fields without a stored value keep their current one. */
export function fillFields(
  fields: readonly ParameterField[],
  values: Readonly<Record<string, RememberedValue>>,
): ParameterField[] {
  return fields.map((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value === undefined) return field;
    const { text, isNull, isEmpty = false } = value;
    return { ...field, text, isNull, isEmpty, problem: undefined };
  });
}

export type FormOutcome =
  | {
      readonly kind: 'valid';
      readonly parameters: Record<string, ParameterValue>;
      readonly fields: readonly ParameterField[];
    }
  /** The fields, with the problem of each invalid one. */
  | { readonly kind: 'invalid'; readonly fields: readonly ParameterField[] };

export interface ReadOptions {
  readonly now: Date;
  readonly words: (problem: Problem) => string;
}

export function readForm(
  fields: readonly ParameterField[],
  entered: readonly EnteredValue[],
  options: ReadOptions,
): FormOutcome {
  // Collected as entries, because assigning to a member named `__proto__` stores nothing.
  const parameters: (readonly [string, ParameterValue])[] = [];
  const read = fields.map((field): ParameterField => {
    const filled = withInput(field, entered);
    const outcome = valueOf(filled, options.now);
    if (outcome.problem !== undefined)
      return { ...filled, problem: options.words(outcome.problem), wasWrong: true };
    parameters.push([field.name, outcome.value]);
    return filled;
  });
  const isValid = read.every((field) => field.problem === undefined);
  return isValid
    ? { kind: 'valid', parameters: Object.fromEntries(parameters), fields: read }
    : { kind: 'invalid', fields: read };
}

/**
 * Takes over input that is still being typed. A field that was wrong is checked, so that no problem outlives its value;
 * the others are checked once the form is submitted.
 */
export function draftForm(
  fields: readonly ParameterField[],
  entered: readonly EnteredValue[],
  options: ReadOptions,
): ParameterField[] {
  return fields.map((field) => {
    const filled = withInput(field, entered);
    const problem = field.wasWrong === true ? valueOf(filled, options.now).problem : undefined;
    return problem === undefined ? filled : { ...filled, problem: options.words(problem) };
  });
}

function withInput(field: ParameterField, entered: readonly EnteredValue[]): ParameterField {
  const { text, isNull, isEmpty } = entered.find((one) => one.name === field.name) ?? field;
  return { ...field, text, isNull, isEmpty, problem: undefined };
}

type Value =
  | { readonly value: ParameterValue; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/**
 * Requires NULL and empty values to be explicit. A missing value becomes the default, or a problem if there is none.
 */
function valueOf(field: ParameterField, now: Date): Value {
  const isList = field.control === 'list';
  if (field.isNull) return { value: null };
  if (field.isEmpty && field.mayBeEmpty) return { value: isList ? [] : '' };
  // Blank input is a value only for text parameters.
  const isMissing = field.mayBeEmpty && !isList ? field.text === '' : field.text.trim() === '';
  const text = isMissing ? field.defaultText : field.text;
  if (text === undefined) {
    if (field.defaultProblem !== undefined)
      return { problem: { kind: 'unclear-default', finding: field.defaultProblem } };
    return { problem: { kind: isList ? 'no-items' : field.mayBeEmpty ? 'empty-text' : 'empty' } };
  }
  const parsed = parseValue(field.type, text, now);
  if (parsed.problem !== undefined) return { problem: parsed.problem };
  const isNothing = Array.isArray(parsed.value) && parsed.value.length === 0;
  return isNothing ? { problem: { kind: 'no-items' } } : { value: parsed.value };
}
