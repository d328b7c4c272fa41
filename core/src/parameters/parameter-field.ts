/** One parameter as a form field, and the user's input for it. */
import type { ParameterControl } from '#base/values/value-types.ts';

export interface ParameterField {
  readonly name: string;
  readonly description?: string | undefined;
  /** PostgreSQL's name for the type: declared, inferred from a comparison or other use, or `text`. */
  readonly type: string;
  /** The source of the type. */
  readonly typeFrom: 'declared' | 'compared' | 'use' | 'nothing';
  /** The compared column, as `table.column`. */
  readonly comparedWith?: string | undefined;
  readonly control: ParameterControl;
  readonly choices: readonly string[];
  /** Whether only the suggested values are accepted. */
  readonly isClosed: boolean;
  /** Whether to hide the value and keep it out of memory and history. */
  readonly isSecret: boolean;
  /** Used if the field is empty. Undefined if a value is required. */
  readonly defaultText?: string | undefined;
  /** Why the default must not be used, so that a value is required. */
  readonly defaultProblem?: string | undefined;
  /** Whether a checkbox offers an empty string or list. */
  readonly mayBeEmpty: boolean;
  readonly text: string;
  readonly isNull: boolean;
  /** Whether an empty string or list is intended. */
  readonly isEmpty: boolean;
  /** Earlier values, newest first. */
  readonly recent: readonly string[];
  /** The problem with the value, shown next to the field. */
  readonly problem?: string | undefined;
  /** Whether a problem was found before, so that every change is checked. */
  readonly wasWrong?: boolean | undefined;
}

/** The user's input for one parameter. */
export interface EnteredValue {
  readonly name: string;
  readonly text: string;
  readonly isNull: boolean;
  readonly isEmpty: boolean;
}
