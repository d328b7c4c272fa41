/**
 * The language server's process: creates the connection (IPC, or standard streams with --stdio), owns the state, and
 * dispatches messages to handlers. Logs contain events and durations, but never SQL.
 */
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  createConnection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
  type CancellationToken,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { stackOf } from '#base/shown-text/stack-of.ts';
import { setTranslations } from '#base/texts.ts';
import { createGuard } from './guard.ts';
import { codeActionKinds, codeActions, editsWithSnippets, readsReports } from './handlers/code-actions.ts';
import { completeAt, mayFollowSpace, resolveCompletion } from './handlers/completion.ts';
import { createDiagnostics } from './handlers/diagnostics.ts';
import { readEditingSettings } from './handlers/editing-settings.ts';
import { Editing, editingCapabilities } from './handlers/editing.ts';
import { explanationsFor } from './handlers/explanations.ts';
import { createFeatureLimit } from './handlers/feature-limit.ts';
import { parseFormatStyle } from './handlers/format-style.ts';
import { columnsAt, hoverType } from './handlers/hover-type.ts';
import { namedAt } from './handlers/hover.ts';
import { findStatements } from './handlers/statements.ts';
import { checkText, findReferences } from './handlers/text-requests.ts';
import { Analyser } from './language/checks/analyser.ts';
import { parseSeverities } from './language/checks/finding.ts';
import { DialectAnalyser } from './language/dialects/analyse.ts';
import { parseDialect } from './language/text/dialects.ts';
import { loadTranslations, numberLocale } from './locale.ts';
import { FolderModels, watchedFiles } from './models/folder-models.ts';
import { WorkerDialectParser } from './parser/dialect-parser.ts';
import { earlyParser } from './parser/early.ts';
import {
  CatalogueNotification,
  CheckRequest,
  ColumnsAtRequest,
  DocumentModelNotification,
  ReferencesRequest,
  StatementsRequest,
  type CatalogueParams,
  type CheckParams,
  type ColumnsAtParams,
  type DocumentModelParams,
  type StatementsParams,
  type TextParams,
} from './protocol.ts';
import { createState } from './state.ts';
import { createPause } from './turns.ts';

class LanguageServer {
  readonly #parser = earlyParser;
  readonly #dialectParser = new WorkerDialectParser();
  readonly #state = createState();
  readonly #analyser = new Analyser(
    this.#parser,
    new DialectAnalyser(this.#dialectParser),
    this.#state.texts,
    createPause(),
  );
  readonly #connection = createConnection(ProposedFeatures.all);
  readonly #documents = new TextDocuments(TextDocument);
  readonly #guard = createGuard(this.#connection.console);
  // A notification rather than `showWarningMessage`, since some editors never respond to that request.
  readonly #tell = (message: string): void =>
    void this.#connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Warning,
      message,
    });
  readonly #limit = createFeatureLimit({ tell: this.#tell });
  readonly #folderModels = new FolderModels({ state: this.#state, tell: this.#tell });
  readonly #shared = {
    connection: this.#connection,
    guard: this.#guard,
    analyser: this.#analyser,
    state: this.#state,
    documentAt: (uri: string): TextDocument | undefined => this.#documents.get(uri),
    ready: (uri: string): Promise<unknown> | undefined => this.#folderModels.ready(uri),
  };
  readonly #diagnostics = createDiagnostics(this.#shared);
  readonly #editing = new Editing({
    ...this.#shared,
    limit: this.#limit,
    tell: this.#tell,
    settingsRead: () => this.#settingsRead,
  });
  /** Ends when the settings were read, or could not be. */
  #settingsRead: Promise<void> = Promise.resolve();
  /** Whether the client shows its own notifications, with remedies. */
  #canReport = false;

  listen(): void {
    this.#connection.onInitialize((params) => this.#initialize(params));
    this.#connection.onShutdown(async () => {
      this.#diagnostics.dispose();
      await Promise.all([this.#parser.dispose(), this.#dialectParser.dispose()]);
    });
    this.#editing.listen();
    this.#listenForDocuments();
    this.#listenForOwnRequests();
    this.#listenForEditorRequests();
    this.#listenForModels();
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  #initialize({ capabilities, initializationOptions, locale }: InitializeParams): InitializeResult {
    setTranslations(loadTranslations(locale), numberLocale(locale));
    this.#canReport = readsReports(initializationOptions);
    this.#editing.negotiate(capabilities);
    this.#state.explain = explanationsFor(capabilities, initializationOptions);
    this.#state.knowsSnippets =
      capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    this.#state.editsWithSnippets = editsWithSnippets(capabilities);
    if (capabilities.workspace?.configuration === true) this.#followSettings();
    if (sendsModels(initializationOptions)) this.#folderModels.stop();
    else if (capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true) this.#watchFiles();
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        positionEncoding: 'utf-16',
        hoverProvider: true,
        codeActionProvider: { codeActionKinds },
        ...editingCapabilities,
        ...this.#diagnostics.negotiate(capabilities, initializationOptions),
        completionProvider: { triggerCharacters: ['.', ':', '@', "'", ' '], resolveProvider: true },
      },
      serverInfo: { name: 'Identity Queries' },
    };
  }

  #followSettings(): void {
    const connection = this.#connection;
    const read = (): void => {
      this.#settingsRead = this.#inBackground('reading the settings', this.#readSettings());
    };
    connection.onInitialized(() => {
      const watched = connection.client.register(DidChangeConfigurationNotification.type, {
        section: 'identityQueries',
      });
      void this.#inBackground('watching the settings', watched);
      read();
    });
    connection.onDidChangeConfiguration(read);
  }

  #watchFiles(): void {
    const connection = this.#connection;
    connection.onInitialized(() => {
      const watchers = watchedFiles.map((globPattern) => ({ globPattern }));
      const watched = connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
      void this.#inBackground('watching the models', watched);
    });
  }

  async #readSettings(): Promise<void> {
    const { workspace } = this.#connection;
    this.#state.severities = parseSeverities(await workspace.getConfiguration('identityQueries.severities'));
    this.#state.format = parseFormatStyle(await workspace.getConfiguration('identityQueries.format'));
    this.#state.dialect = parseDialect(await workspace.getConfiguration('identityQueries.dialect'));
    this.#editing.configure(
      readEditingSettings(
        await workspace.getConfiguration('identityQueries.inlayHints'),
        await workspace.getConfiguration('identityQueries.codeLens'),
      ),
    );
    this.#editing.refresh();
    this.#checkAll();
  }

  /** Logs a failure. If the editor responds with an error, the current settings stay in effect. */
  async #inBackground(what: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#connection.console.warn(`${what} failed: ${stackOf(error)}`);
    }
  }

  #checkAll(): void {
    for (const uri of this.#documents.keys()) this.#diagnostics.check(uri);
  }

  #listenForDocuments(): void {
    this.#documents.onDidChangeContent(({ document: { uri } }) => {
      const following = this.#followModels(uri);
      if (following === undefined || this.#diagnostics.isPulled) this.#diagnostics.check(uri);
      else void following.then(() => this.#diagnostics.check(uri));
    });
    this.#documents.onDidSave(({ document: { uri } }) => void this.#followModels(uri));
    this.#connection.onDidChangeWatchedFiles(() => {
      for (const uri of this.#documents.keys()) void this.#followModels(uri);
    });
    this.#documents.onDidClose(({ document }) => {
      this.#folderModels.forget(document.uri);
      this.#state.documentModels.delete(document.uri);
      this.#state.documentConnections.delete(document.uri);
      this.#diagnostics.closed(document.uri);
    });
  }

  /** Looks at the folder's models; what changed is shown in all documents, which share them. */
  #followModels(uri: string): Promise<void> | undefined {
    return this.#folderModels.follow(uri)?.then((hasChanged) => {
      if (!hasChanged) return;
      this.#editing.refresh();
      this.#checkAll();
    });
  }

  /**
   * Registers handlers by method name, since the client and the server's package have different copies of the
   * protocol's classes.
   */
  #listenForOwnRequests(): void {
    const connection = this.#connection;
    const deps = { analyser: this.#analyser, state: this.#state };
    connection.onRequest(StatementsRequest.method, (params: StatementsParams, token: CancellationToken) =>
      this.#answer('statements', params.textDocument.uri, (document) =>
        findStatements(deps, document, params, isCancelledBy(token)),
      ),
    );
    connection.onRequest(ReferencesRequest.method, (params: TextParams, token: CancellationToken) =>
      this.#guard('references', () => findReferences(deps, params, isCancelledBy(token))),
    );
    connection.onRequest(ColumnsAtRequest.method, (params: ColumnsAtParams, token: CancellationToken) =>
      this.#answer('columns', params.textDocument.uri, (document) =>
        columnsAt(deps, document, params, isCancelledBy(token)),
      ),
    );
    connection.onRequest(CheckRequest.method, (params: CheckParams, token: CancellationToken) =>
      this.#guard('check', () => checkText(deps, params, isCancelledBy(token))),
    );
  }

  #listenForEditorRequests(): void {
    const connection = this.#connection;
    const analyser = this.#analyser;
    const state = this.#state;
    const limit = this.#limit;
    connection.onCompletion(({ textDocument: { uri }, position, context }) =>
      this.#answer('completion', uri, (document) =>
        context?.triggerCharacter === ' ' && !mayFollowSpace(document, position)
          ? null
          : (limit.answer('completion', document, () =>
              completeAt(state, document, position, { asked: context, probe: this.#parser.probe }),
            ) ?? null),
      ),
    );
    connection.onCompletionResolve(resolveCompletion);
    connection.onCodeAction(({ textDocument: { uri }, range, context }, token) =>
      this.#answer('code actions', uri, (document) =>
        codeActions(
          { analyser, state, canReport: this.#canReport },
          document,
          range,
          context.only,
          isCancelledBy(token),
        ),
      ),
    );
    connection.onHover(({ textDocument: { uri }, position }, token) =>
      this.#answer('hover', uri, (document) => {
        const named = limit.answer('hover', document, () => namedAt(state, document, position));
        const isCancelled = isCancelledBy(token);
        return hoverType({ analyser, state }, document, position, { named, isCancelled });
      }),
    );
  }

  #listenForModels(): void {
    const connection = this.#connection;
    const state = this.#state;
    connection.onNotification(
      CatalogueNotification.method,
      ({ models, connection: name = '' }: CatalogueParams) => {
        this.#folderModels.stop();
        setOrDelete(state.catalogues, name, models === undefined ? undefined : { models });
        this.#editing.refresh();
        this.#checkAll();
      },
    );
    connection.onNotification(
      DocumentModelNotification.method,
      ({ uri, model, connection: name }: DocumentModelParams) => {
        setOrDelete(state.documentModels, uri, model);
        setOrDelete(state.documentConnections, uri, name);
        this.#editing.refresh();
        this.#diagnostics.check(uri);
      },
    );
  }

  /** Returns the result for an open document, or null if the document is not open. */
  #answer<T>(
    what: string,
    uri: string,
    answer: (document: TextDocument) => T | Promise<T>,
  ): T | null | Promise<T | null> {
    const document = this.#documents.get(uri);
    if (document === undefined) return null;
    const ready = this.#folderModels.ready(uri);
    return ready === undefined
      ? this.#guard(what, () => answer(document))
      : ready.then(() => this.#guard(what, () => answer(this.#documents.get(uri) ?? document)));
  }
}

/** Reads the client's untrusted `initializationOptions`. */
const sendsModels = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'sendsModels' in options && options.sendsModels === true;

const isCancelledBy = (token: CancellationToken) => (): boolean => token.isCancellationRequested;

function setOrDelete<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) {
    map.delete(key);
  } else {
    map.set(key, value);
  }
}

new LanguageServer().listen();
