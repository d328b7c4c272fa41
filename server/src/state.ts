/**
 * The server's state, except for the open documents. The client sends all of it, or `models/` reads the models beside the
 * queries; the server never fetches anything.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Explain } from './handlers/explanations.ts';
import { usualStyle, type FormatStyle } from './handlers/format-style.ts';
import { defaultModel, type AnalysisOptions } from './language/checks/analysis.ts';
import type { SeveritySettings } from './language/checks/finding.ts';
import { isTooLong, limitOf } from './language/checks/text-limits.ts';
import { markedModel, type Catalogue } from './language/names/catalogue.ts';
import type { NameContext } from './language/names/name-context.ts';
import { nameQuotesOf, type Dialect } from './language/text/dialects.ts';
import { modelDirective, readDirectives } from './language/text/directives.ts';
import { LexedTexts } from './language/text/lexed-texts.ts';
import type { LexedText } from './language/text/lexer/tokens.ts';
import { savedQueryScheme } from './protocol.ts';

export interface ServerState {
  /**
   * The models of each connection by its name, or by '' for documents without a connection. If the models are missing,
   * no name is reported as unknown.
   */
  readonly catalogues: Map<string, Catalogue>;
  /** The connection of each document, by URI. */
  readonly documentConnections: Map<string, string>;
  /** The models of documents without a model directive, by URI. */
  readonly documentModels: Map<string, string>;
  /** Recently lexed documents. */
  readonly texts: LexedTexts;
  severities: SeveritySettings;
  format: FormatStyle;
  /** Returns a link to the explanation of a code. */
  explain: Explain;
  /** Whether the editor supports snippets. */
  knowsSnippets: boolean;
  /** Whether edits of a code action may contain snippets. */
  editsWithSnippets: boolean;
  /** Undefined for PostgreSQL. */
  dialect?: Dialect | undefined;
}

export function createState(): ServerState {
  return {
    catalogues: new Map(),
    documentConnections: new Map(),
    documentModels: new Map(),
    texts: new LexedTexts(),
    severities: {},
    format: usualStyle,
    explain: () => undefined,
    knowsSnippets: false,
    editsWithSnippets: false,
  };
}

/** Returns whether the document is a saved query's text. */
export const isSavedQuery = (uri: string): boolean => uri.startsWith(`${savedQueryScheme}:`);

/** Returns a document's analysis options, according to the current state. */
export function optionsFor(state: ServerState, uri: string): AnalysisOptions {
  return optionsOf(state, {
    connection: state.documentConnections.get(uri),
    model: state.documentModels.get(uri),
    // A saved query is a single statement; any other document may contain several.
    isSavedQuery: isSavedQuery(uri),
  });
}

/** Like optionsFor, but for text without a document. */
export function optionsOf(
  { catalogues, severities, dialect }: ServerState,
  { connection = '', model, isSavedQuery }: TextOptions,
): AnalysisOptions {
  const catalogue = catalogues.get(connection);
  return {
    isSavedQuery,
    severities,
    dialect,
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(model === undefined ? {} : { model }),
  };
}

export interface TextOptions {
  readonly connection: string | undefined;
  readonly model: string | undefined;
  readonly isSavedQuery: boolean;
}

/**
 * Returns the name context of a document. The model comes from the directive if there is one, then from the document,
 * then from the default.
 */
export function nameContextFor(state: ServerState, uri: string, lexed: LexedText): NameContext {
  return nameContextOf(optionsFor(state, uri), lexed);
}

export function nameContextOf({ catalogue, model, dialect }: AnalysisOptions, lexed: LexedText): NameContext {
  return {
    model: modelDirective(readDirectives(lexed))?.argument ?? model ?? markedModel(catalogue) ?? defaultModel,
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(dialect === undefined ? {} : { nameQuotes: nameQuotesOf(dialect) }),
  };
}

/** Lexes text using the configured dialect's rules. */
export const lexFor = ({ dialect, texts }: ServerState, text: string): LexedText => texts.read(text, dialect);

/** Like lexFor, but for editing features: returns undefined if the text exceeds a limit, which the checks report. */
export function readableAs(state: ServerState, document: TextDocument): LexedText | undefined {
  const text = document.getText();
  const lexed = isTooLong(text) ? undefined : lexFor(state, text);
  return lexed === undefined || limitOf(lexed) !== undefined ? undefined : lexed;
}
