/**
 * Custom messages between the editor and the language server, in addition to LSP. This is the only module of the server
 * that the client imports; it contains only types and constants. Positions are LSP's: 0-based lines and UTF-16 offsets.
 */
import type { Diagnostic, Position, Range, TextDocumentIdentifier } from 'vscode-languageserver-types';

/** The language ID of query documents. */
export const languageId = 'identity-sql';

/** The URI scheme of saved queries in the editor. The schemes of read-only documents start with it and a hyphen. */
export const savedQueryScheme = 'identity-query';

/** The checks' verdict on whether a statement is read-only. */
export type ReadOnlyVerdict =
  /** Proven to be a single SELECT that writes nothing and calls only functions without side effects. */
  | 'read-only'
  /** A single SELECT that calls a function with side effects. */
  | 'side-effects'
  /** A single SELECT that calls an unknown function, but none with known side effects. */
  | 'unknown-function'
  /** Proven to be something other than a read-only SELECT. */
  | 'not-read-only'
  /** Does not parse, so nothing is proven. */
  | 'syntax-error'
  /** The parser gave up (time, memory or size), so nothing is proven. */
  | 'unverified';

/** A called function, operator or other part with known side effects or unknown effects. */
export interface CalledPart {
  readonly kind: 'function' | 'operator' | 'type' | 'sampling' | 'view';
  /** The name as written in the text, with its schema. */
  readonly name: string;
  /** The side effect, worded as the end of a sentence; undefined if unknown. */
  readonly does?: string;
  /** What PostgreSQL has instead of this function of another database. */
  readonly instead?: string;
  /** Whether this was written as a column, which the table lacks: PostgreSQL would call a function of its name. */
  readonly isColumn?: true;
  /** Whether a type is only that of `NULL::type`. */
  readonly isOfNull?: true;
  /** How often it is written as `(alias).name`, if it is written in no other way: it may be a column. */
  readonly rowFields?: number;
}

/** A use of `:name` in a statement. */
export interface PlaceholderUse {
  readonly name: string;
  readonly range: Range;
}

export interface ColumnName {
  readonly model: string;
  readonly table: string;
  readonly column: string;
}

/** A parameter of a statement and its inferred type. The document's `-- @param` lines are not considered. */
export interface ParameterInfo {
  readonly name: string;
  /**
   * The type of a single value, as written in `-- @param` (`timestamptz`, `integer`, `uuid`), or the catalog's own name
   * for a type that `-- @param` cannot name. Inferred from a cast in the text if there is one; otherwise, from the
   * compared column if the catalog contains its type; otherwise, from syntax that accepts only one type (LIKE, LIMIT,
   * AND). Undefined if none of these apply.
   */
  readonly type?: string;
  /**
   * Whether the parameter takes several values: `IN (:a)`, `= ANY (:a)`, a cast to an array, or a column of an array
   * type.
   */
  readonly isList: boolean;
  /** The compared column, even if the catalog does not contain its type. */
  readonly comparedWith?: ColumnName;
}

export interface StatementInfo {
  /** The range from the first to the last token of the statement, without the semicolon. */
  readonly range: Range;
  /** The verbatim text of the range. */
  readonly text: string;
  readonly verdict: ReadOnlyVerdict;
  /** The functions and other parts that determined the verdict. */
  readonly calls?: readonly CalledPart[];
  /** Every use of a placeholder, in order of appearance. */
  readonly placeholders: readonly PlaceholderUse[];
  /** The parameters without duplicates, in order of first use. */
  readonly parameters: readonly ParameterInfo[];
  /** The result columns, as far as they are known before the run, with PostgreSQL's names and types. */
  readonly columns?: readonly ExpectedColumn[];
  /** The findings of error severity in the statement. */
  readonly errors: readonly Diagnostic[];
}

/** An expected result column; missing properties are unknown. */
export interface ExpectedColumn {
  readonly name?: string;
  readonly type?: string;
}

export interface StatementsParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Return only statements that touch this range. A non-empty range (a selection) is checked separately. */
  readonly range?: Range;
}

export interface StatementsResult {
  /** The document version that the response describes. */
  readonly version: number;
  /** The model named by a `-- @model` directive, if any. */
  readonly modelDirective?: string;
  readonly statements: readonly StatementInfo[];
}

/** Text that need not be open in an editor. */
export interface TextParams {
  readonly sql: string;
  /** The text's model if it has no model directive; undefined for the default. */
  readonly model?: string;
  /** The name of the text's connection; see CatalogueParams. */
  readonly connection?: string;
}

/** A model's table that a statement reads. */
export interface TableReference {
  readonly model: string;
  readonly table: string;
  /**
   * Columns read from the table, directly or through aliases, CTEs and subqueries, without duplicates. Includes columns
   * that the catalog lacks, if the text assigns them to this table. `*` counts as all known columns.
   */
  readonly columns: readonly string[];
  /** Whether a `*` reads all columns of the table, including unknown ones. */
  readonly usesAllColumns: boolean;
}

export interface StatementReferences {
  readonly range: Range;
  readonly tables: readonly TableReference[];
  /**
   * Whether the statement was parsed. Otherwise (a syntax error, another dialect, or not a query), the tables come from
   * the tokens, and no columns are known.
   */
  readonly isComplete: boolean;
  /** The result columns with their origins; undefined if unknown. */
  readonly outputs?: readonly OutputReference[];
}

export interface OutputReference {
  /** Undefined if the name depends on PostgreSQL's version. */
  readonly name?: string;
  /** Table columns that the values derive from, excluding columns that only select rows. */
  readonly origins: readonly ColumnName[];
}

/** A position in an open document. */
export interface ColumnsAtParams {
  readonly textDocument: TextDocumentIdentifier;
  readonly position: Position;
}

export interface ColumnsAtResult {
  /** The table columns that the smallest expression at the position derives from. */
  readonly columns: readonly ColumnName[];
}

export interface ReferencesResult {
  /** The model named by a `-- @model` directive, if any. */
  readonly modelDirective?: string;
  readonly statements: readonly StatementReferences[];
}

export interface CheckParams extends TextParams {
  /** Whether the text is a single saved query (the default) or a file with several statements. */
  readonly isSavedQuery?: boolean;
}

export interface CheckResult {
  /** All findings that the editor would show, with the user's severities and without suppressed findings. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly description?: string;
  /** Whether the column is the row's own ID, which never equals an ID in another table. */
  readonly isOwnId?: boolean;
  /** The columns that this column refers to or, for an array, that its items refer to. */
  readonly refersTo?: readonly ColumnTarget[];
  /** Known values; there may be others. */
  readonly values?: readonly string[];
  /** What the values say of a person, as the service classes them; `none` if it lists the column without a class. */
  readonly class?: string;
}

export interface ColumnTarget {
  /** The model of the table; by default that of the referring column. */
  readonly model?: string;
  readonly table: string;
  readonly column: string;
  /** Ranks the candidates: the lowest is the likeliest. */
  readonly rank: number;
}

export interface CatalogueTable {
  readonly name: string;
  readonly description?: string;
  /** Undefined if unknown; empty if there are none. */
  readonly columns?: readonly CatalogueColumn[];
}

export interface CatalogueModel {
  readonly name: string;
  readonly description?: string;
  /** Whether queries that name no model use this one. */
  readonly isDefault?: boolean;
  /** Undefined if unknown; empty if there are none. */
  readonly tables?: readonly CatalogueTable[];
  /**
   * True if the tables come from a specification that the service has not confirmed, so that they never prove an error.
   */
  readonly isAssumed?: boolean;
}

export interface CatalogueParams {
  /** The name of the connection that the models belong to; omitted for documents without a connection. */
  readonly connection?: string;
  /** Undefined until loaded. Until then, no name is reported as unknown. */
  readonly models?: readonly CatalogueModel[];
}

export interface DocumentModelParams {
  readonly uri: string;
  /** The document's model if it has no model directive; undefined for the default. */
  readonly model?: string;
  /** The name of the connection whose models apply to the document; see CatalogueParams. */
  readonly connection?: string;
}

/**
 * Client to server, a request with StatementsParams. The result is a StatementsResult, or null if the document changed
 * or is not open.
 */
export const StatementsRequest = { method: 'identityQueries/statements' } as const;

/**
 * Client to server, a request with TextParams. The result is a ReferencesResult based on the current catalog, or null
 * if cancelled or failed. Used to find the uses of a table; fast for open or recently requested text.
 */
export const ReferencesRequest = { method: 'identityQueries/references' } as const;

/**
 * Client to server, a request with ColumnsAtParams. The result is a ColumnsAtResult or null. Used to find other queries
 * that read a column.
 */
export const ColumnsAtRequest = { method: 'identityQueries/columnsAt' } as const;

/**
 * Client to server, a request with CheckParams. The result is a CheckResult or null. Checks a document without opening
 * it.
 */
export const CheckRequest = { method: 'identityQueries/check' } as const;

/**
 * Client to server, a notification with CatalogueParams: the models of a connection, with the known facts about their
 * tables. The server then rechecks all open documents.
 */
export const CatalogueNotification = { method: 'identityQueries/catalogue' } as const;

/** Client to server, a notification with DocumentModelParams: a document's model and connection. */
export const DocumentModelNotification = { method: 'identityQueries/documentModel' } as const;

/**
 * A client command that copies the report passed as its argument. Offered only if `initializationOptions` enable it.
 */
export const reportFalsePositiveCommand = '_identityQueries.language.reportFalsePositive';

/** A client command that explains the code passed as its argument. Used only if `initializationOptions` enable it. */
export const explainFindingCommand = 'identityQueries.language.explainFinding';

/** Client commands used by code lenses. */
export const runCommand = 'identityQueries.query.run';
export const saveAsNewCommand = 'identityQueries.savedQuery.saveAsNew';
export const editParametersCommand = 'identityQueries.parameters.edit';
/** The editor's own Save command. */
export const saveDocumentCommand = 'workbench.action.files.save';

/** The argument of Run and of Save as New: a statement in a document. */
export interface StatementArgument {
  readonly uri: string;
  readonly range: Range;
  /**
   * The ranges to save if the document contains several statements: the directives that apply to this one, and the
   * statement itself. The client joins their texts with line breaks. Omitted to save the whole document.
   */
  readonly parts?: readonly Range[];
}

/** The arguments of the command that edits parameters: a document, and the start of a statement. */
export type EditParametersArguments = readonly [uri: string, position: Position];
