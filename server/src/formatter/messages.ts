/** Messages between the server and the formatting worker. */
import type { Dialect } from '../language/text/dialects.ts';

export type KeywordCase = 'preserve' | 'upper' | 'lower';

/** Formatting choices of the person. */
export interface FormatStyle {
  readonly keywordCase: KeywordCase;
  /** Maximum length in characters of bracketed content on one line. */
  readonly width: number;
}

export interface FormatRequest {
  readonly text: string;
  readonly tabWidth: number;
  readonly useTabs: boolean;
  readonly style?: FormatStyle | undefined;
  /** Undefined for PostgreSQL. */
  readonly dialect?: Dialect | undefined;
}

/** Without its text, the formatter could not parse its input. */
export interface FormatAnswer {
  readonly text?: string;
}
