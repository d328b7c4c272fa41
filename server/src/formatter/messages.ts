/** Messages between the server and the formatting worker. */
import type { Dialect } from '../language/text/dialects.ts';

export type KeywordCase = 'preserve' | 'upper' | 'lower';

/** The user's formatting settings. */
export interface FormatStyle {
  readonly keywordCase: KeywordCase;
  /** Maximum length, in characters, of a bracketed expression kept on one line. */
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

/** If `text` is missing, the formatter could not parse its input. */
export interface FormatAnswer {
  readonly text?: string;
}
