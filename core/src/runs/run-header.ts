/** What was run, where, and for whom it is named. */
export interface RunHeader {
  /** `rows`: read from a source that is no query, so the panel does not speak of one. Default `query`. */
  readonly origin?: 'query' | 'rows' | undefined;
  /** The name of the saved query, or the document's file name. */
  readonly title: string;
  /** The saved version that was run; undefined for a text that is not saved. */
  readonly version?: number | undefined;
  /** Which of several runs of the same query this is: the name of a value set, or which statement. */
  readonly part?: string | undefined;
  /** Whether the text differed from the saved version when it was run. */
  readonly isModified?: boolean | undefined;
  readonly connection?: string | undefined;
  readonly label?: string | undefined;
  readonly environment?: string | undefined;
  /** One of the colours that connections are told by; text says the same. */
  readonly colour?: string | undefined;
  readonly isProtected?: boolean | undefined;
  readonly model?: string | undefined;
  /** As they were typed; those that are secret have no text. */
  readonly parameters: readonly {
    readonly name: string;
    readonly text: string;
    readonly isNull: boolean;
    readonly isEmpty?: boolean | undefined;
    readonly isSecret?: boolean | undefined;
  }[];
  /** What else is worth knowing at a glance, as chips. */
  readonly facts?: readonly { readonly label: string; readonly text: string }[] | undefined;
  /** What can be done next with the whole of it, as buttons beside the title. */
  readonly steps?: readonly { readonly title: string }[] | undefined;
  /** Whether a part of the document was run: its lines, 1-based. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}
