/** Labels of a run: query, connection and document. */
export interface RunHeader {
  /** `rows`: the source is not a query, so the panel does not mention one. Default `query`. */
  readonly origin?: 'query' | 'rows' | undefined;
  /** The name of the saved query, of the control, or of the document's file. */
  readonly title: string;
  /** The saved version that ran; undefined for an unsaved text. */
  readonly version?: number | undefined;
  /** Distinguishes runs of the same query: the name of a value set, or the statement. */
  readonly part?: string | undefined;
  /** Whether the text differed from the saved version when it was run. */
  readonly isModified?: boolean | undefined;
  readonly connection?: string | undefined;
  readonly label?: string | undefined;
  readonly environment?: string | undefined;
  /** One of the connection colours; text conveys the same information. */
  readonly colour?: string | undefined;
  readonly isProtected?: boolean | undefined;
  readonly model?: string | undefined;
  /** As typed; secrets have no text. */
  readonly parameters: readonly {
    readonly name: string;
    readonly text: string;
    readonly isNull: boolean;
    readonly isEmpty?: boolean | undefined;
    readonly isSecret?: boolean | undefined;
  }[];
  /** Other facts worth showing, as chips. */
  readonly facts?: readonly { readonly label: string; readonly text: string }[] | undefined;
  /** Possible next steps, as buttons beside the title. */
  readonly steps?: readonly { readonly title: string }[] | undefined;
  /** If the rows are a summary, the column that a chart draws. */
  readonly measure?: number | undefined;
  /** Whether a part of the document was run: its lines, 1-based. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}
