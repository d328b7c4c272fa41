/**
 * The custom messages between editor and language server, besides LSP itself. This is the only module of the
 * server that the client imports; it holds no behaviour. Positions are LSP's: 0-based lines and UTF-16 units.
 */
import type { Diagnostic, Range, TextDocumentIdentifier } from 'vscode-languageserver-types';

/** The language id of query documents. */
export const languageId = 'identity-sql';

/** What the checks say about whether a statement only reads. */
export type ReadOnlyVerdict =
  /** Proven to be one SELECT without any writing part. */
  | 'read-only'
  /** Proven to be something else. */
  | 'not-read-only'
  /** Does not parse, so nothing is proven. */
  | 'syntax-error'
  /** The parser gave up (time, memory, size): nothing is proven. */
  | 'unverified';

/** One `:name` in a statement. */
export interface PlaceholderUse {
  readonly name: string;
  readonly range: Range;
}

export interface StatementInfo {
  /** From the first to the last token of the statement, without the semicolon. */
  readonly range: Range;
  /** The text of that range, verbatim. */
  readonly text: string;
  readonly verdict: ReadOnlyVerdict;
  /** Every placeholder in order of appearance; a name appears as often as it is used. */
  readonly placeholders: readonly PlaceholderUse[];
  /** The error-severity findings inside the statement. */
  readonly errors: readonly Diagnostic[];
}

export interface StatementsParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Only statements that touch this range; a non-empty range is checked as a text of its own (a selection). */
  readonly range?: Range;
}

export interface StatementsResult {
  /** The version of the document the answer is for. */
  readonly version: number;
  /** The model named by a `-- @model` directive, if there is one. */
  readonly modelDirective?: string;
  readonly statements: readonly StatementInfo[];
}

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly description?: string;
}

export interface CatalogueTable {
  readonly name: string;
  readonly description?: string;
  /** Undefined while unknown, which is not the same as having none. */
  readonly columns?: readonly CatalogueColumn[];
}

export interface CatalogueModel {
  readonly name: string;
  readonly description?: string;
  /** Undefined while unknown, which is not the same as having none. */
  readonly tables?: readonly CatalogueTable[];
}

export interface CatalogueParams {
  /** The name of the connection whose models these are; left out for documents that belong to no connection. */
  readonly connection?: string;
  /** Undefined while not loaded: then no name is reported as unknown. */
  readonly models?: readonly CatalogueModel[];
}

export interface DocumentModelParams {
  readonly uri: string;
  /** The model a document is for where its text does not say; undefined for the default. */
  readonly model?: string;
  /** The name of the connection whose models count for the document; see CatalogueParams. */
  readonly connection?: string;
}

/** Client to server, a request: StatementsParams in, StatementsResult or null out. */
export const StatementsRequest = { method: 'identityQueries/statements' } as const;

/**
 * Client to server, a notification with CatalogueParams: the models of one connection, with what is known of their
 * tables. Every open document is checked again.
 */
export const CatalogueNotification = { method: 'identityQueries/catalogue' } as const;

/** Client to server, a notification with DocumentModelParams: the model and the connection of one document. */
export const DocumentModelNotification = { method: 'identityQueries/documentModel' } as const;

/** A command of the client: copies the report that is its argument. Offered where `initializationOptions` say so. */
export const reportFalsePositiveCommand = 'identityQueries.language.reportFalsePositive';
