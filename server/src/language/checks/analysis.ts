/** Types for check results. */
import type { CalledPart, ReadOnlyVerdict } from '#server/protocol.ts';
import type { Catalogue } from '../names/catalogue.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import type { Dialect } from '../text/dialects.ts';
import { modelDirective, type Directive } from '../text/directives.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import type { Placeholder } from '../text/placeholders.ts';
import type { Query } from '../tree/query-model.ts';
import type { StatementTypes, TypeContext } from '../types/type-statement.ts';
import type { Finding, SeveritySettings } from './finding.ts';

export interface AnalysedStatement {
  readonly start: number;
  readonly end: number;
  readonly verdict: ReadOnlyVerdict;
  /** The functions, operators and other parts that determined the verdict. */
  readonly calls?: readonly CalledPart[];
  readonly placeholders: readonly Placeholder[];
  readonly findings: readonly Finding[];
  /** The statement's query model; undefined if there is none, for example because the statement is not a query. */
  readonly query?: Query;
  /** The resolved names; undefined if no models are known. */
  readonly bound?: BoundNames;
  /** The types of the statement's columns and placeholders; undefined if they could not be determined. */
  readonly types?: StatementTypes;
  /** The context needed to type the statement's expressions later. */
  readonly typeContext?: TypeContext;
  /** True if the first pass skipped names and inspections. */
  readonly isPartial?: boolean;
  /** True if the statement was not checked because the text exceeds a limit. */
  readonly isUnchecked?: true;
}

export interface Analysis {
  readonly lexed: LexedText;
  readonly statements: readonly AnalysedStatement[];
  readonly directives: readonly Directive[];
  /** Findings about the statements and the whole text, sorted by position. */
  readonly findings: readonly Finding[];
  /** True if the first pass skipped anything. */
  readonly isPartial?: boolean;
}

export interface AnalysisOptions {
  /** A saved query must be one statement of limited length; a file may contain several. */
  readonly isSavedQuery: boolean;
  /** The known models. If undefined, no name is reported as unknown. */
  readonly catalogue?: Catalogue;
  /** The query's model, used if the text has no model directive. */
  readonly model?: string;
  readonly severities?: SeveritySettings;
  /** Skip the second pass over large statements to respond immediately; a full check must follow. */
  readonly isFirstLook?: boolean;
  /** Undefined for PostgreSQL. */
  readonly dialect?: Dialect | undefined;
}

/** Checks for other dialects, which have their own parsers. */
export interface OtherDialects {
  /** Like `Analyser.analyse`. */
  analyse(
    text: string,
    dialect: Dialect,
    options: AnalysisOptions,
    isCancelled: () => boolean,
  ): Promise<Analysis | undefined>;
}

/** The model of a query without a model directive (specification, SavedQuery). */
export const defaultModel = 'platform_identity';
/** Maximum length of a query's text, in characters (specification, "Limits"). */
export const queryLengthMax = 100_000;

export function modelNamedBy(analysis: Analysis): string | undefined {
  return modelDirective(analysis.directives)?.argument;
}
