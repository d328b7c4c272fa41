/** Between the server and the worker that formats. */
export interface FormatRequest {
  readonly text: string;
  readonly tabWidth: number;
  readonly useTabs: boolean;
}

/** Without text the formatter could not read its input. */
export interface FormatAnswer {
  readonly text?: string;
}
