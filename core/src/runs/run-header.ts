/** Labels of a run: its query, connection and document. */
export interface RunHeader {
  /** `rows` if the source is not a query, so that the panel does not mention one. Default `query`. */
  readonly origin?: 'query' | 'rows' | undefined;
  /** The name of the saved query, the control, or the file. */
  readonly title: string;
  /** The part of the title that names the rows which these rows summarize. It gives way to the rest. */
  readonly summarized?: string | undefined;
  /** The saved version that ran; undefined if the query was never saved. */
  readonly version?: number | undefined;
  /** Distinguishes runs of the same query by their value set or statement. */
  readonly part?: string | undefined;
  /** Whether the query had unsaved changes when it was run. */
  readonly isModified?: boolean | undefined;
  readonly connection?: string | undefined;
  /** The connection that the query belongs to, if another one ran it. */
  readonly home?: string | undefined;
  readonly label?: string | undefined;
  readonly environment?: string | undefined;
  /** One of the connection colors; text always conveys the same information. */
  readonly colour?: string | undefined;
  readonly isProtected?: boolean | undefined;
  readonly model?: string | undefined;
  /** Values as typed, without the text of secrets. */
  readonly parameters: readonly {
    readonly name: string;
    readonly text: string;
    readonly isNull: boolean;
    readonly isEmpty?: boolean | undefined;
    readonly isSecret?: boolean | undefined;
  }[];
  /** Additional facts, shown as chips. */
  readonly facts?: readonly { readonly label: string; readonly text: string }[] | undefined;
  /** Suggested next steps, shown as buttons next to the title. */
  readonly steps?: readonly { readonly title: string }[] | undefined;
  /** Index of the column that a chart draws, if the rows are a summary. */
  readonly measure?: number | undefined;
  /** Whether the values of that column add up, unlike averages. */
  readonly isMeasureSum?: boolean | undefined;
  /** The column by which these rows are pivoted; `isSum` means that its values' columns add up to the total. */
  readonly pivot?: { readonly name: string; readonly isSum: boolean } | undefined;
  /** The lines that were run, 1-based; undefined if the whole document was run. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}
