/** Between the server and the worker that formats. */
import type { Dialect } from '../language/text/dialects.ts';

export interface FormatRequest {
  readonly text: string;
  readonly tabWidth: number;
  readonly useTabs: boolean;
  /** Undefined for PostgreSQL. */
  readonly dialect?: Dialect | undefined;
}

/** Without text the formatter could not read its input. */
export interface FormatAnswer {
  readonly text?: string;
}
