/** The results of checking a text. */
import type { CalledPart, ReadOnlyVerdict } from '../../protocol.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import type { Catalogue } from '../names/catalogue.ts';
import type { Dialect } from '../text/dialects.ts';
import { modelDirective, type Directive } from '../text/directives.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import type { Query } from '../tree/query-model.ts';
import type { StatementTypes, TypeContext } from '../types/type-statement.ts';
import type { Finding, SeveritySettings } from './finding.ts';

export interface Placeholder {
  readonly name: string;
  /** UTF-16 offsets, including the colon. */
  readonly start: number;
  readonly end: number;
}

export interface AnalysedStatement {
  readonly start: number;
  readonly end: number;
  readonly verdict: ReadOnlyVerdict;
  /** The called functions, operators and other parts that decided the verdict. */
  readonly calls?: readonly CalledPart[];
  readonly placeholders: readonly Placeholder[];
  readonly findings: readonly Finding[];
  /** Its resolved names; undefined if unread, for example because it is not a query. */
  readonly query?: Query;
  /** Its names resolved against the models; undefined while none are known. */
  readonly bound?: BoundNames;
  /** The types of its columns and placeholders; undefined if unread. */
  readonly types?: StatementTypes;
  /** The typing context, for later questions. */
  readonly typeContext?: TypeContext;
  /** Whether a first look skipped its names and inspections. */
  readonly isPartial?: boolean;
  /** Whether it was skipped because the text exceeds a limit. */
  readonly isUnchecked?: true;
}

export interface Analysis {
  readonly lexed: LexedText;
  readonly statements: readonly AnalysedStatement[];
  readonly directives: readonly Directive[];
  /** Findings of the statements and of the whole text, by position. */
  readonly findings: readonly Finding[];
  /** Whether the first look skipped something. */
  readonly isPartial?: boolean;
}

export interface AnalysisOptions {
  /** A saved query is one statement of limited length; a file may hold several. */
  readonly isSavedQuery: boolean;
  /** The known models; undefined while none are known, and then no name is reported as unknown. */
  readonly catalogue?: Catalogue;
  /** The query's model if its text names none. */
  readonly model?: string;
  readonly severities?: SeveritySettings;
  /** Skip the second look at large statements: for an immediate response, followed by the full one. */
  readonly isFirstLook?: boolean;
  /** Undefined for PostgreSQL. */
  readonly dialect?: Dialect | undefined;
}

/** Checks for other dialects, which need their own parser. */
export interface OtherDialects {
  /** Like `Analyser.analyse`. */
  analyse(
    text: string,
    dialect: Dialect,
    options: AnalysisOptions,
    isCancelled: () => boolean,
  ): Promise<Analysis | undefined>;
}

/** The model of a query that names none (specification, SavedQuery). */
export const defaultModel = 'platform_identity';
/** Characters of a query's text (specification, "Limits"). */
export const queryLengthMax = 100_000;

/** The model in the text's directive. */
export function modelNamedBy(analysis: Analysis): string | undefined {
  return modelDirective(analysis.directives)?.argument;
}
