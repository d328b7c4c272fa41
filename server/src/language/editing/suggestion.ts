/** An item that completion offers. */

export type SuggestionKind =
  | 'column'
  | 'table'
  | 'model'
  | 'alias'
  | 'common-table'
  | 'window'
  | 'function'
  | 'parameter'
  | 'keyword'
  | 'type'
  | 'directive'
  | 'condition'
  | 'value';

export interface Suggestion {
  readonly label: string;
  readonly kind: SuggestionKind;
  /** The text to insert, quoted if necessary. */
  readonly insertText: string;
  /** The alias that `insertText` writes before a column, since the bare name would be unclear. */
  readonly qualifier?: string;
  readonly detail?: string;
  /** The type of a column, or of the column that has the value. */
  readonly type?: string;
  /** The type that a function returns; shown instead of its signature where space is short. */
  readonly result?: string;
  readonly documentation?: string;
  /** Lower ranks come first. */
  readonly rank: number;
  /** Order within the same rank; items without one come last. */
  readonly order?: number;
  /** The text to match the input against; defaults to the label. */
  readonly filterText?: string;
  /** The text to insert with tab stops (`$1`), for editors that support snippets. */
  readonly snippet?: string;
}
