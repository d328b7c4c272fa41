/** The fields of the parameter form, and what came back from it. */
import type { ParameterValue } from '../../../../../api/contract/execute.ts';
import type { StatementInfo } from '../../../../../server/src/protocol.ts';
import type { ParameterField } from '../../results/index.ts';
import { isListPlace, type ParameterDeclaration } from './declarations.ts';
import type { RememberedValue } from './memory.ts';
import { controlOf, parseValue, type Problem } from './parse-value.ts';

export interface Entered {
  readonly name: string;
  readonly text: string;
  readonly isNull: boolean;
}

/** One field for each name, in the order of their first use. */
export function parameterFields(
  statement: Pick<StatementInfo, 'placeholders' | 'text'>,
  declarations: ReadonlyMap<string, ParameterDeclaration>,
  recent: (name: string) => readonly RememberedValue[],
): ParameterField[] {
  const names = [...new Set(statement.placeholders.map((placeholder) => placeholder.name))];
  return names.map((name) => {
    const declaration = declarations.get(name);
    const type = declaration?.type ?? (isUsedAsList(statement.text, name) ? 'text[]' : 'text');
    const known = recent(name);
    const [last] = known;
    const control = controlOf(type);
    return {
      name,
      description: declaration?.description,
      type,
      isDeclared: declaration !== undefined,
      control,
      text: last?.text ?? declaration?.defaultText ?? (control === 'boolean' ? 'true' : ''),
      isNull: last?.isNull ?? false,
      recent: [...new Set(known.filter((one) => !one.isNull).map((one) => one.text))],
    };
  });
}

function isUsedAsList(text: string, name: string): boolean {
  for (const match of text.matchAll(new RegExp(`(?<!:):${name.replaceAll('$', '\\$')}(?![\\w$])`, 'gu'))) {
    if (isListPlace(text.slice(0, match.index), text.slice(match.index + match[0].length))) return true;
  }
  return false;
}

export type FormOutcome =
  | {
      readonly kind: 'valid';
      readonly parameters: Record<string, ParameterValue>;
      readonly fields: readonly ParameterField[];
    }
  /** The fields again, each with what is wrong beside it. */
  | { readonly kind: 'invalid'; readonly fields: readonly ParameterField[] };

export function readForm(
  fields: readonly ParameterField[],
  entered: readonly Entered[],
  options: { readonly now: Date; readonly words: (problem: Problem) => string },
): FormOutcome {
  const parameters: Record<string, ParameterValue> = {};
  const read = fields.map((field): ParameterField => {
    const answer = entered.find((one) => one.name === field.name) ?? {
      text: field.text,
      isNull: field.isNull,
    };
    const filled: ParameterField = { ...field, text: answer.text, isNull: answer.isNull, problem: undefined };
    if (answer.isNull) {
      parameters[field.name] = null;
      return filled;
    }
    const parsed = parseValue(field.type, answer.text, options.now);
    if (parsed.problem === undefined) {
      parameters[field.name] = parsed.value;
      return filled;
    }
    return { ...filled, problem: options.words(parsed.problem) };
  });
  const isValid = read.every((field) => field.problem === undefined);
  return isValid ? { kind: 'valid', parameters, fields: read } : { kind: 'invalid', fields: read };
}
