/** What crosses between the extension host and the parameter form. */
import type { EnteredValue, ParameterField } from '../core/src/parameters/parameter-field.ts';

export interface ParameterFormState {
  readonly kind: 'parameters';
  /** Changes when the fields are to be drawn anew; what is being typed meanwhile is not touched otherwise. */
  readonly revision: number;
  readonly fields: readonly ParameterField[];
  /** Names of the query's value sets. */
  readonly valueSets: readonly string[];
  /** The set that the fields were filled from. */
  readonly valueSet?: string | undefined;
  /** How many statements the values are for, where it is more than one. */
  readonly statementCount?: number | undefined;
}

/** What the form may ask for besides running. */
export type FormRequest =
  | { readonly kind: 'useSet'; readonly name: string }
  | { readonly kind: 'saveSet'; readonly values: readonly EnteredValue[] }
  | { readonly kind: 'forget'; readonly values: readonly EnteredValue[] }
  /** What is typed so far, so that it is still there when the panel was hidden. */
  | { readonly kind: 'draft'; readonly values: readonly EnteredValue[] };
