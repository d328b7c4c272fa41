/**
 * Request handlers for the editing features. Each uses the current tokens without waiting for a check, except for inlay
 * hints for parameter types.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  FormattingOptions,
  InlayHint,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-types';
import {
  CodeLensRefreshRequest,
  ResponseError,
  type ClientCapabilities,
  type Connection,
  type InlayHintParams,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import { t } from '#base/texts.ts';
import type { Guard } from '../guard.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import { semanticTokenTypes } from '../language/editing/semantic-tokens.ts';
import { nameContextFor, optionsFor, readableAs, type ServerState } from '../state.ts';
import { codeLenses } from './code-lens.ts';
import * as answers from './editing-answers.ts';
import { editingDefaults, type EditingSettings } from './editing-settings.ts';
import type { FeatureLimit, FeatureName } from './feature-limit.ts';
import { format } from './format.ts';
import { inlayHints } from './inlay-hints.ts';
import type { Opened } from './opened.ts';

export const editingCapabilities = {
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...semanticTokenTypes], tokenModifiers: ['declaration'] },
    full: true,
    range: true,
  },
  inlayHintProvider: true,
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  codeLensProvider: {},
} satisfies ServerCapabilities;

export interface EditingDeps {
  readonly connection: Connection;
  readonly guard: Guard;
  readonly analyser: Analyser;
  readonly state: ServerState;
  readonly documentAt: (uri: string) => TextDocument | undefined;
  readonly limit: FeatureLimit;
  /** Shows a message to the user. */
  readonly tell: (message: string) => void;
  /** Waits for the settings that the client was asked for. */
  readonly settingsRead: () => Promise<void>;
}

export class Editing {
  readonly #deps: EditingDeps;
  #settings = editingDefaults;
  #workspace: ClientCapabilities['workspace'];

  constructor(deps: EditingDeps) {
    this.#deps = deps;
  }

  /** Registers the request handlers on the connection. */
  listen(): void {
    const { connection } = this.#deps;
    this.#listenForNames(connection);
    this.#listenForStructure(connection);
    connection.onSignatureHelp(({ textDocument: { uri }, position }) =>
      this.#answer('signature', uri, (opened) => answers.signatureHelp(opened, position)),
    );
    connection.languages.inlayHint.on((params, token) =>
      this.#hints(params, () => token.isCancellationRequested),
    );
    connection.onCodeLens(({ textDocument: { uri } }) =>
      this.#answer('lenses', uri, ({ document, lexed }) =>
        this.#settings.codeLens ? [...codeLenses(document, lexed)] : [],
      ),
    );
    connection.onDocumentFormatting(({ textDocument: { uri }, options }) => this.#format(uri, options));
    connection.onDocumentRangeFormatting(({ textDocument: { uri }, range, options }) =>
      this.#format(uri, options, range),
    );
  }

  #listenForNames(connection: Connection): void {
    connection.onDefinition(({ textDocument: { uri }, position }) =>
      this.#answer('definition', uri, (opened) => answers.definition(opened, position)),
    );
    connection.onReferences(({ textDocument: { uri }, position, context }) =>
      this.#answer('references', uri, (opened) => answers.references(opened, position, context)),
    );
    connection.onDocumentHighlight(({ textDocument: { uri }, position }) =>
      this.#answer('highlights', uri, (opened) => answers.highlights(opened, position)),
    );
    connection.onPrepareRename(({ textDocument: { uri }, position }) =>
      this.#answer('rename', uri, (opened) => answers.renameable(opened, position)),
    );
    connection.onRenameRequest(({ textDocument: { uri }, position, newName }, token) => {
      const edit = this.#answer('rename', uri, (opened) => answers.renamed(opened, position, newName));
      return edit === null || edit instanceof ResponseError
        ? edit
        : this.#deps.guard('rename', () => this.#proven(uri, edit, () => token.isCancellationRequested));
    });
  }

  #listenForStructure(connection: Connection): void {
    connection.onDocumentSymbol(({ textDocument: { uri } }) => this.#answer('outline', uri, answers.outline));
    connection.onFoldingRanges(({ textDocument: { uri } }) => this.#answer('folding', uri, answers.folds));
    connection.onSelectionRanges(({ textDocument: { uri }, positions }) =>
      this.#answer('selection', uri, (opened) =>
        positions.map((position) => answers.selections(opened, position)),
      ),
    );
    const none = { data: [] };
    connection.languages.semanticTokens.on(
      ({ textDocument: { uri } }) => this.#answer('tokens', uri, (opened) => answers.tokens(opened)) ?? none,
    );
    connection.languages.semanticTokens.onRange(
      ({ textDocument: { uri }, range }) =>
        this.#answer('tokens', uri, (opened) => answers.tokens(opened, range)) ?? none,
    );
  }

  negotiate(capabilities: ClientCapabilities): void {
    this.#workspace = capabilities.workspace;
  }

  configure(settings: EditingSettings): void {
    this.#settings = settings;
  }

  /** Asks the editor to refresh code lenses and inlay hints after the catalog or the settings change. */
  refresh(): void {
    const { connection } = this.#deps;
    const { codeLens, inlayHint } = this.#workspace ?? {};
    const refreshed = [
      ...(codeLens?.refreshSupport === true ? [connection.sendRequest(CodeLensRefreshRequest.type)] : []),
      ...(inlayHint?.refreshSupport === true ? [connection.languages.inlayHint.refresh()] : []),
    ];
    // Errors are ignored: the editor requests both again when the text changes.
    void Promise.allSettled(refreshed);
  }

  #open(uri: string): Opened | undefined {
    const { documentAt, state } = this.#deps;
    const document = documentAt(uri);
    const lexed = document && readableAs(state, document);
    return lexed && { document, lexed, context: nameContextFor(state, uri, lexed) };
  }

  /** The renamed text must be valid too, as the check sees it. */
  async #proven(
    uri: string,
    edit: WorkspaceEdit,
    isCancelled: () => boolean,
  ): Promise<WorkspaceEdit | ResponseError | null> {
    const { analyser, documentAt, state } = this.#deps;
    const document = documentAt(uri);
    if (document === undefined) return null;
    const edits = (edit.changes?.[uri] ?? []).map(({ range, newText }) => ({
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
      newText,
    }));
    const text = document.getText();
    return (await analyser.isValidAfter(text, edits, optionsFor(state, uri), isCancelled))
      ? edit
      : answers.refusal(t('The query would have an error with this name, so nothing was renamed.'));
  }

  /** Returns null if the document is not open, or after a timeout or failure. */
  #answer<T>(feature: FeatureName, uri: string, answer: (opened: Opened) => T): T | null {
    const { guard, limit } = this.#deps;
    return guard(feature, () => {
      const opened = this.#open(uri);
      return opened === undefined
        ? null
        : (limit.answer(feature, opened.document, () => answer(opened)) ?? null);
    });
  }

  #hints(
    { textDocument, range }: InlayHintParams,
    isCancelled: () => boolean,
  ): InlayHint[] | null | Promise<InlayHint[] | null> {
    return this.#deps.guard('hints', () => {
      const opened = this.#open(textDocument.uri);
      return opened === undefined ? null : inlayHints(this.#deps, opened, this.#settings, range, isCancelled);
    });
  }

  #format(uri: string, options: FormattingOptions, range?: Range): Promise<TextEdit[] | null> | null {
    const { guard, documentAt, settingsRead } = this.#deps;
    return guard('formatting', async () => {
      // A first format may come while the settings are still on their way.
      await settingsRead();
      const document = documentAt(uri);
      return document === undefined ? null : format(this.#deps, document, options, range);
    });
  }
}
