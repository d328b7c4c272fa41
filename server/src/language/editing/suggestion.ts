/** What completion offers. */

export type SuggestionKind =
  | 'column'
  | 'table'
  | 'model'
  | 'alias'
  | 'common-table'
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
  /** The inserted text: quoted if necessary. */
  readonly insertText: string;
  readonly detail?: string;
  readonly documentation?: string;
  /** Lower ranks come first. */
  readonly rank: number;
  /** Order within one rank; items without it come last. */
  readonly order?: number;
  /** The text that the input is compared with; by default the label. */
  readonly filterText?: string;
  /** The inserted text with places to fill in (`$1`), for editors that support snippets. */
  readonly snippet?: string;
}
