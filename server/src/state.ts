/** What the server knows besides the open documents: told by the client, never fetched. */
import { defaultModel, type AnalysisOptions } from './language/analyser.ts';
import type { Catalogue } from './language/catalogue.ts';
import type { CompletionContext } from './language/completion.ts';
import { modelDirective, readDirectives } from './language/directives.ts';
import type { Dialect } from './language/dialect/dialects.ts';
import type { SeveritySettings } from './language/findings.ts';
import type { LexedText } from './language/lexer.ts';

export interface ServerState {
  /**
   * The models of each connection by its name, '' for documents that belong to none. What is not there is unknown, and
   * then no name is reported as wrong.
   */
  readonly catalogues: Map<string, Catalogue>;
  /** The connection that a document belongs to, by URI. */
  readonly documentConnections: Map<string, string>;
  /** The model of a document where its text does not say, by URI. */
  readonly documentModels: Map<string, string>;
  severities: SeveritySettings;
  /** Undefined for PostgreSQL. */
  dialect?: Dialect | undefined;
}

export function createState(): ServerState {
  return { catalogues: new Map(), documentConnections: new Map(), documentModels: new Map(), severities: {} };
}

/** The scheme of the client's file system of saved queries. */
const savedQueryScheme = 'identity-query:';

/** How a document is to be analysed, by what is known now. */
export function optionsFor(
  { catalogues, documentConnections, documentModels, severities, dialect }: ServerState,
  uri: string,
): AnalysisOptions {
  const catalogue = catalogues.get(documentConnections.get(uri) ?? '');
  const model = documentModels.get(uri);
  return {
    // A saved query is one statement; any other document may hold several.
    isSavedQuery: uri.startsWith(savedQueryScheme),
    severities,
    dialect,
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(model === undefined ? {} : { model }),
  };
}

/** What names in the document may mean: the directive's model, else the document's, else the default. */
export function nameContextFor(state: ServerState, uri: string, lexed: LexedText): CompletionContext {
  const { catalogue, model } = optionsFor(state, uri);
  return {
    model: modelDirective(readDirectives(lexed))?.argument ?? model ?? defaultModel,
    ...(catalogue === undefined ? {} : { catalogue }),
  };
}
