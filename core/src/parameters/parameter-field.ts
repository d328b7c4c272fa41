/** One parameter as a form field, and its input. */

export type ParameterControl = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'list';

export interface ParameterField {
  readonly name: string;
  readonly description?: string | undefined;
  /** PostgreSQL's name of the type: as declared, else of the compared column, else `text`. */
  readonly type: string;
  /** Source of the type. */
  readonly typeFrom: 'declared' | 'compared' | 'use' | 'nothing';
  /** The compared column, as `table.column`. */
  readonly comparedWith?: string | undefined;
  readonly control: ParameterControl;
  /** Suggested values. */
  readonly choices: readonly string[];
  /** Whether only these values are accepted. */
  readonly isClosed: boolean;
  /** Whether to hide the value and keep it out of memory and history. */
  readonly isSecret: boolean;
  /** Sent if the field is empty; undefined: a value is required. */
  readonly defaultText?: string | undefined;
  /** Whether empty text or an empty list is possible, chosen with a tick. */
  readonly mayBeEmpty: boolean;
  readonly text: string;
  readonly isNull: boolean;
  /** Empty text or an empty list is intended. */
  readonly isEmpty: boolean;
  /** Earlier values, the newest first. */
  readonly recent: readonly string[];
  /** The problem with the value, shown beside the field. */
  readonly problem?: string | undefined;
}

/** A person's input for one parameter. */
export interface EnteredValue {
  readonly name: string;
  readonly text: string;
  readonly isNull: boolean;
  readonly isEmpty: boolean;
}
