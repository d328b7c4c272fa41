/**
 * The custom messages between editor and language server, in addition to LSP. The only module of the
 * server that the client imports; it contains no behaviour. Positions are LSP's: 0-based lines and UTF-16 units.
 */
import type { Diagnostic, Position, Range, TextDocumentIdentifier } from 'vscode-languageserver-types';

/** The language ID of query documents. */
export const languageId = 'identity-sql';

/** The scheme of saved queries in the editor. Schemes of read-only texts start with it and a hyphen. */
export const savedQueryScheme = 'identity-query';

/** The checks' verdict on whether a statement is read-only. */
export type ReadOnlyVerdict =
  /** Proven to be one SELECT without writing parts that calls only side-effect-free functions. */
  | 'read-only'
  /** One SELECT that calls a function with side effects. */
  | 'side-effects'
  /** One SELECT that calls an unknown function, and none with known side effects. */
  | 'unknown-function'
  /** Proven to be something other than a read-only SELECT. */
  | 'not-read-only'
  /** Does not parse, so nothing is proven. */
  | 'syntax-error'
  /** The parser gave up (time, memory, size): nothing is proven. */
  | 'unverified';

/** A function, operator or other part with side effects, or with unknown ones. */
export interface CalledPart {
  readonly kind: 'function' | 'operator' | 'type' | 'sampling' | 'view';
  /** As written in the text, with its schema. */
  readonly name: string;
  /** Its side effect, as the end of a sentence; undefined if unknown. */
  readonly does?: string;
}

/** One `:name` in a statement. */
export interface PlaceholderUse {
  readonly name: string;
  readonly range: Range;
}

/** A column of a model's table. */
export interface ColumnName {
  readonly model: string;
  readonly table: string;
  readonly column: string;
}

/** One parameter of a statement with its inferred type. Excludes the document's own `-- @param` lines. */
export interface ParameterInfo {
  readonly name: string;
  /**
   * The type of one value, in the words of `-- @param` (`timestamptz`, `integer`, `uuid`; the catalogue's own word for
   * a type without one). From a cast in the text, else from the compared column if the catalogue knows it, else from
   * syntax that accepts only one type (LIKE, LIMIT, AND). Undefined if none of these apply.
   */
  readonly type?: string;
  /** Whether it takes several values: `IN (:a)`, `= ANY (:a)`, a cast to an array, a column of an array type. */
  readonly isList: boolean;
  /** The compared column, even if the catalogue does not know its type. */
  readonly comparedWith?: ColumnName;
}

export interface StatementInfo {
  /** From the first to the last token of the statement, without the semicolon. */
  readonly range: Range;
  /** The text of that range, verbatim. */
  readonly text: string;
  readonly verdict: ReadOnlyVerdict;
  /** The called functions and other parts that decided the verdict. */
  readonly calls?: readonly CalledPart[];
  /** Every placeholder in order of appearance; a name appears as often as it is used. */
  readonly placeholders: readonly PlaceholderUse[];
  /** Each parameter once, in order of its first use. */
  readonly parameters: readonly ParameterInfo[];
  /** The result columns as PostgreSQL will report them, as far as they are known before the run. */
  readonly columns?: readonly ExpectedColumn[];
  /** The error-severity findings inside the statement. */
  readonly errors: readonly Diagnostic[];
}

/** A result column before the run; undefined parts are unknown. */
export interface ExpectedColumn {
  readonly name?: string;
  readonly type?: string;
}

export interface StatementsParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Only statements that touch this range; a non-empty range (a selection) is checked as its own text. */
  readonly range?: Range;
}

export interface StatementsResult {
  /** The document version that the response describes. */
  readonly version: number;
  /** The model named by a `-- @model` directive, if any. */
  readonly modelDirective?: string;
  readonly statements: readonly StatementInfo[];
}

/** A text that need not be open in an editor. */
export interface TextParams {
  readonly sql: string;
  /** Its model if the text names none; undefined for the default. */
  readonly model?: string;
  /** The name of its connection; see CatalogueParams. */
  readonly connection?: string;
}

/** A table that a statement reads, other than CTEs. */
export interface TableReference {
  readonly model: string;
  readonly table: string;
  /**
   * Columns read from the table, through aliases, CTEs and subqueries, without duplicates. Includes columns that the
   * catalogue lacks, if the text assigns them to this table. `*` counts as every known column.
   */
  readonly columns: readonly string[];
  /** Whether a `*` reads all columns of the table, including unknown ones. */
  readonly usesAllColumns: boolean;
}

export interface StatementReferences {
  readonly range: Range;
  readonly tables: readonly TableReference[];
  /**
   * Whether the grammar's tree was read. Otherwise (a syntax error, another dialect, no query) the tables
   * come from the tokens, and no columns are known.
   */
  readonly isComplete: boolean;
  /** The result columns with their origins; undefined if unknown. */
  readonly outputs?: readonly OutputReference[];
}

export interface OutputReference {
  /** Undefined if it depends on PostgreSQL's version. */
  readonly name?: string;
  /** Table columns that its values derive from; columns that only select rows do not count. */
  readonly origins: readonly ColumnName[];
}

/** A position in an open document. */
export interface ColumnsAtParams {
  readonly textDocument: TextDocumentIdentifier;
  readonly position: Position;
}

export interface ColumnsAtResult {
  /** Table columns that the smallest expression there derives from. */
  readonly columns: readonly ColumnName[];
}

export interface ReferencesResult {
  /** The model named by a `-- @model` directive, if any. */
  readonly modelDirective?: string;
  readonly statements: readonly StatementReferences[];
}

export interface CheckParams extends TextParams {
  /** Whether it is one saved query (the default), or a file of several statements. */
  readonly isSavedQuery?: boolean;
}

export interface CheckResult {
  /** All findings that the editor would show, with the person's severities and without suppressed ones. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly description?: string;
  /** Whether it is the row's own ID, which never equals an ID of another table. */
  readonly isOwnId?: boolean;
  /** Columns of the same model that it refers to; for an array, those that its items refer to. */
  readonly refersTo?: readonly ColumnTarget[];
  /** Known values; others may exist. */
  readonly values?: readonly string[];
}

/** A column of a table of the same model. */
export interface ColumnTarget {
  readonly table: string;
  readonly column: string;
  /** Among several candidates, the lowest is the likeliest. */
  readonly rank: number;
}

export interface CatalogueTable {
  readonly name: string;
  readonly description?: string;
  /** Undefined if unknown, which differs from having none. */
  readonly columns?: readonly CatalogueColumn[];
}

export interface CatalogueModel {
  readonly name: string;
  readonly description?: string;
  /** Undefined if unknown, which differs from having none. */
  readonly tables?: readonly CatalogueTable[];
  /** The tables come from a specification that the service has not confirmed, so they never prove an error. */
  readonly isAssumed?: boolean;
}

export interface CatalogueParams {
  /** The name of the models' connection; omitted for documents without a connection. */
  readonly connection?: string;
  /** Undefined until loaded: then no name is reported as unknown. */
  readonly models?: readonly CatalogueModel[];
}

export interface DocumentModelParams {
  readonly uri: string;
  /** The document's model if its text names none; undefined for the default. */
  readonly model?: string;
  /** The name of the connection whose models apply to the document; see CatalogueParams. */
  readonly connection?: string;
}

/** Client to server, a request: StatementsParams in, StatementsResult or null out. */
export const StatementsRequest = { method: 'identityQueries/statements' } as const;

/**
 * Client to server, a request: TextParams in, ReferencesResult out (null if cancelled or failed), by the current
 * catalogue. For finding the uses of a table; cheap for a text that was requested before or is open.
 */
export const ReferencesRequest = { method: 'identityQueries/references' } as const;

/**
 * Client to server, a request: ColumnsAtParams in, ColumnsAtResult or null out. For finding other readers of a column.
 */
export const ColumnsAtRequest = { method: 'identityQueries/columnsAt' } as const;

/** Client to server, a request: CheckParams in, CheckResult or null out. Checks a text without opening it. */
export const CheckRequest = { method: 'identityQueries/check' } as const;

/**
 * Client to server, a notification with CatalogueParams: the models of one connection, with the known facts of their
 * tables. The server rechecks every open document.
 */
export const CatalogueNotification = { method: 'identityQueries/catalogue' } as const;

/** Client to server, a notification with DocumentModelParams: the model and the connection of one document. */
export const DocumentModelNotification = { method: 'identityQueries/documentModel' } as const;

/** A command of the client: copies the report in its argument. Offered only if `initializationOptions` enable it. */
export const reportFalsePositiveCommand = 'identityQueries.language.reportFalsePositive';

/** A command of the client: explains the code in its argument. Used only if `initializationOptions` provide it. */
export const explainFindingCommand = 'identityQueries.language.explainFinding';

/** Client commands of the code lenses. */
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
   * The text to save if the document holds several statements: the directives that apply to this one, and the
   * statement,
   * to be joined by line ends. Omitted if it is the whole document.
   */
  readonly parts?: readonly Range[];
}

/** The arguments of the command that edits parameters: a document, and the start of the statement. */
export type EditParametersArguments = readonly [uri: string, position: Position];
