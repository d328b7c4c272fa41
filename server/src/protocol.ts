/**
 * The custom messages between editor and language server, besides LSP itself. This is the only module of the
 * server that the client imports; it holds no behaviour. Positions are LSP's: 0-based lines and UTF-16 units.
 */
import type { Diagnostic, Position, Range, TextDocumentIdentifier } from 'vscode-languageserver-types';

/** The language id of query documents. */
export const languageId = 'identity-sql';

/** What the checks say about whether a statement only reads. */
export type ReadOnlyVerdict =
  /** Proven to be one SELECT without any writing part, which calls nothing but functions that only compute. */
  | 'read-only'
  /** One SELECT that calls a function which does more than compute. */
  | 'side-effects'
  /** One SELECT that calls a function of which nobody knows what it does, and none that is known to do more. */
  | 'unknown-function'
  /** Proven to be something else. */
  | 'not-read-only'
  /** Does not parse, so nothing is proven. */
  | 'syntax-error'
  /** The parser gave up (time, memory, size): nothing is proven. */
  | 'unverified';

/** A function, operator or the like that does more than compute, or of which nobody knows what it does. */
export interface CalledPart {
  readonly kind: 'function' | 'operator' | 'type' | 'sampling' | 'view';
  /** As the text has it, with its schema. */
  readonly name: string;
  /** What it does besides computing, as the end of a sentence; undefined where nobody knows. */
  readonly does?: string;
}

/** One `:name` in a statement. */
export interface PlaceholderUse {
  readonly name: string;
  readonly range: Range;
}

/** A column of a table of a model. */
export interface ColumnName {
  readonly model: string;
  readonly table: string;
  readonly column: string;
}

/** One parameter of a statement, with what its uses tell of it. The document's own `-- @param` lines are not in here. */
export interface ParameterInfo {
  readonly name: string;
  /**
   * The type of one value, in the words of `-- @param` (`timestamptz`, `integer`, `uuid`; the catalogue's own word for
   * a type that has none). By a cast in the text, else by the column it is compared with, where the catalogue knows
   * that column, else by what only takes one type (LIKE, LIMIT, AND). Undefined where nothing tells.
   */
  readonly type?: string;
  /** Whether it takes several values: `IN (:a)`, `= ANY (:a)`, a cast to an array, a column of an array type. */
  readonly isList: boolean;
  /** The column it is compared with, also while the catalogue does not know the column's type. */
  readonly comparedWith?: ColumnName;
}

export interface StatementInfo {
  /** From the first to the last token of the statement, without the semicolon. */
  readonly range: Range;
  /** The text of that range, verbatim. */
  readonly text: string;
  readonly verdict: ReadOnlyVerdict;
  /** What stands between the statement and `read-only` where the verdict is about what it calls. */
  readonly calls?: readonly CalledPart[];
  /** Every placeholder in order of appearance; a name appears as often as it is used. */
  readonly placeholders: readonly PlaceholderUse[];
  /** Each parameter once, in order of its first use. */
  readonly parameters: readonly ParameterInfo[];
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

/** A text that need not be open in an editor. */
export interface TextParams {
  readonly sql: string;
  /** The model it is for where it does not say itself; undefined for the default. */
  readonly model?: string;
  /** The name of the connection whose models count; see CatalogueParams. */
  readonly connection?: string;
}

/** A table that a statement reads, common tables not among them. */
export interface TableReference {
  readonly model: string;
  readonly table: string;
  /**
   * Columns it reads of the table, through aliases, common tables and subqueries, each once. Also those that the
   * catalogue does not have, where the text says that they are this table's. `*` counts as every column known.
   */
  readonly columns: readonly string[];
  /** Whether a `*` reads whatever columns the table has. */
  readonly usesAllColumns: boolean;
}

export interface StatementReferences {
  readonly range: Range;
  readonly tables: readonly TableReference[];
  /**
   * Whether this was read from the grammar's tree. Otherwise (a syntax error, another dialect, no query) the tables
   * are those that the words name, and no columns are known.
   */
  readonly isComplete: boolean;
}

export interface ReferencesResult {
  /** The model named by a `-- @model` directive, if there is one. */
  readonly modelDirective?: string;
  readonly statements: readonly StatementReferences[];
}

export interface CheckParams extends TextParams {
  /** Whether it is one saved query (the default), or a file of several statements. */
  readonly isSavedQuery?: boolean;
}

export interface CheckResult {
  /** All that the editor would show for the text, with the person's severities; suppressed findings left out. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly description?: string;
  /** Whether it is the id of the row itself, so that it equals no id of another table's rows. */
  readonly isOwnId?: boolean;
  /** Columns of the same model whose values it holds; of an array, each of its items. */
  readonly refersTo?: readonly ColumnTarget[];
  /** Values that are known; there may be others. */
  readonly values?: readonly string[];
}

/** A column of a table of the same model. */
export interface ColumnTarget {
  readonly table: string;
  readonly column: string;
  /** Of several that would do, the lowest is meant most. */
  readonly rank: number;
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
  /** The tables are those of a specification, which the service has not confirmed: they help, and prove nothing. */
  readonly isAssumed?: boolean;
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
 * Client to server, a request: TextParams in, ReferencesResult out (null if it was
 * cancelled or failed), by the catalogue as it is then. For "where is this
 * table used"; cheap for a text that was asked before or is open.
 */
export const ReferencesRequest = { method: 'identityQueries/references' } as const;

/** Client to server, a request: CheckParams in, CheckResult or null out. Checks a text without opening it. */
export const CheckRequest = { method: 'identityQueries/check' } as const;

/**
 * Client to server, a notification with CatalogueParams: the models of one connection, with what is known of their
 * tables. Every open document is checked again.
 */
export const CatalogueNotification = { method: 'identityQueries/catalogue' } as const;

/** Client to server, a notification with DocumentModelParams: the model and the connection of one document. */
export const DocumentModelNotification = { method: 'identityQueries/documentModel' } as const;

/** A command of the client: copies the report that is its argument. Offered where `initializationOptions` say so. */
export const reportFalsePositiveCommand = 'identityQueries.language.reportFalsePositive';

/** A command of the client: shows what its argument, a code, means. Named where `initializationOptions` say so. */
export const explainFindingCommand = 'identityQueries.language.explainFinding';

/** Commands of the client that the code lenses name. */
export const runCommand = 'identityQueries.query.run';
export const saveAsNewCommand = 'identityQueries.savedQuery.saveAsNew';
export const editParametersCommand = 'identityQueries.parameters.edit';
/** The editor's own Save. */
export const saveDocumentCommand = 'workbench.action.files.save';

/** The argument of Run and of Save as New: a statement of a document. */
export interface StatementArgument {
  readonly uri: string;
  readonly range: Range;
  /**
   * What to save where the document holds several statements: the directives that count for this one, and itself.
   * Joined by line ends they are its text. Left out where it is the whole document.
   */
  readonly parts?: readonly Range[];
}

/** The arguments of the command that edits parameters: a document, and where the statement begins. */
export type EditParametersArguments = readonly [uri: string, position: Position];
