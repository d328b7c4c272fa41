/** Messages between the extension host and the parameter form. */
import type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';

export interface ParameterFormState {
  readonly kind: 'parameters';
  /** Changes when the fields must be redrawn; otherwise, current input is kept. */
  readonly revision: number;
  readonly fields: readonly ParameterField[];
  /** Names of the query's value sets. */
  readonly valueSets: readonly string[];
  /** The value set that filled the fields. */
  readonly valueSet?: string | undefined;
  /** Number of statements that use these values, if more than one. */
  readonly statementCount?: number | undefined;
}

/** Form requests other than running the query. */
export type FormRequest =
  | { readonly kind: 'useSet'; readonly name: string }
  | { readonly kind: 'saveSet'; readonly values: readonly EnteredValue[] }
  | { readonly kind: 'forget'; readonly values: readonly EnteredValue[] }
  /** Stores the current input, so that it survives hiding the panel. */
  | { readonly kind: 'draft'; readonly values: readonly EnteredValue[] };
