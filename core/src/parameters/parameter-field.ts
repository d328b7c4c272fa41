/** One parameter as it is asked for, and what was entered for it. */

export type ParameterControl = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'list';

export interface ParameterField {
  readonly name: string;
  readonly description?: string | undefined;
  /** PostgreSQL's name of the type: as declared, else of the compared column, else `text`. */
  readonly type: string;
  /** Where the type comes from. */
  readonly typeFrom: 'declared' | 'compared' | 'use' | 'nothing';
  /** The compared column, as `table.column`. */
  readonly comparedWith?: string | undefined;
  readonly control: ParameterControl;
  /** Values that are offered. */
  readonly choices: readonly string[];
  /** Whether no other value is accepted. */
  readonly isClosed: boolean;
  /** Whether the value is not to be shown, remembered or written to the history. */
  readonly isSecret: boolean;
  /** What is sent when the field is left empty; undefined: a value is required. */
  readonly defaultText?: string | undefined;
  /** Whether the empty text or the empty list can be meant, and is said with a tick. */
  readonly mayBeEmpty: boolean;
  readonly text: string;
  readonly isNull: boolean;
  /** The empty text or the empty list is meant. */
  readonly isEmpty: boolean;
  /** Earlier values, the newest first. */
  readonly recent: readonly string[];
  /** What is wrong with the value, beside the field. */
  readonly problem?: string | undefined;
}

/** What a person said of one parameter. */
export interface EnteredValue {
  readonly name: string;
  readonly text: string;
  readonly isNull: boolean;
  readonly isEmpty: boolean;
}
