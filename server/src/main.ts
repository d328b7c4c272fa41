/**
 * The language server's process: makes the connection (IPC, or standard streams with --stdio), holds the one state
 * object, and hands each message to its handler. Logs say what happened and how long it took, never any SQL.
 */
import { earlyParser } from './parser/early.ts';
import {
  createConnection,
  DidChangeConfigurationNotification,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
  type CancellationToken,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createGuard, describeError } from './guard.ts';
import { codeActionKinds, codeActions, readsReports } from './handlers/code-actions.ts';
import { completeAt, resolveCompletion } from './handlers/completion.ts';
import { editingCapabilities, readEditingSettings, registerEditing } from './handlers/editing.ts';
import { explanationsFor } from './handlers/explanations.ts';
import { createFeatureLimit } from './handlers/feature-limit.ts';
import { hover } from './handlers/hover.ts';
import { hoverType } from './handlers/hover-type.ts';
import { createDiagnostics } from './handlers/diagnostics.ts';
import { findStatements } from './handlers/statements.ts';
import { checkText, findReferences } from './handlers/text-requests.ts';
import { DialectAnalyser } from './language/dialects/analyse.ts';
import { parseDialect } from './language/text/dialects.ts';
import { parseSeverities } from './language/checks/finding.ts';
import { Analyser } from './language/checks/analyser.ts';
import { WorkerDialectParser } from './parser/dialect-parser.ts';
import {
  CatalogueNotification,
  CheckRequest,
  DocumentModelNotification,
  ReferencesRequest,
  StatementsRequest,
  type CatalogueParams,
  type CheckParams,
  type DocumentModelParams,
  type StatementsParams,
  type TextParams,
} from './protocol.ts';
import { createState } from './state.ts';

function serve(): void {
  const parser = earlyParser;
  const dialectParser = new WorkerDialectParser();
  const state = createState();
  const analyser = new Analyser(parser, new DialectAnalyser(dialectParser), state.texts);
  const connection = createConnection(ProposedFeatures.all);
  const documents = new TextDocuments(TextDocument);
  const guard = createGuard(connection.console);
  const documentAt = (uri: string): TextDocument | undefined => documents.get(uri);
  const diagnostics = createDiagnostics({ connection, guard, analyser, state, documentAt });
  // A notification, not `showWarningMessage`: that asks for an answer, which not every editor gives.
  const tell = (message: string): void =>
    void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
  const limit = createFeatureLimit({ tell });
  const editing = registerEditing({ connection, guard, analyser, state, documentAt, limit, tell });
  const checkAll = (): void => documents.keys().forEach((uri) => diagnostics.check(uri));

  const loadSettings = async (): Promise<void> => {
    state.severities = parseSeverities(
      await connection.workspace.getConfiguration('identityQueries.severities'),
    );
    state.dialect = parseDialect(await connection.workspace.getConfiguration('identityQueries.dialect'));
    editing.configure(
      readEditingSettings(
        await connection.workspace.getConfiguration('identityQueries.inlayHints'),
        await connection.workspace.getConfiguration('identityQueries.codeLens'),
      ),
    );
    editing.refresh();
    checkAll();
  };

  // An editor may answer such a request with an error; the settings that were there then stay.
  const inBackground = (what: string, work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      connection.console.warn(`${what} failed: ${describeError(error)}`);
    });
  };

  let canReport = false;
  connection.onInitialize(({ capabilities, initializationOptions }) => {
    canReport = readsReports(initializationOptions);
    editing.negotiate(capabilities);
    state.explain = explanationsFor(capabilities, initializationOptions);
    if (capabilities.workspace?.configuration === true) {
      connection.onInitialized(() => {
        inBackground(
          'watching the settings',
          connection.client.register(DidChangeConfigurationNotification.type, { section: 'identityQueries' }),
        );
        inBackground('reading the settings', loadSettings());
      });
      connection.onDidChangeConfiguration(() => inBackground('reading the settings', loadSettings()));
    }
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        positionEncoding: 'utf-16',
        hoverProvider: true,
        codeActionProvider: { codeActionKinds },
        ...editingCapabilities,
        ...diagnostics.negotiate(capabilities, initializationOptions),
        completionProvider: { triggerCharacters: ['.', ':', '@', "'"], resolveProvider: true },
      },
      serverInfo: { name: 'Identity Queries' },
    };
  });
  connection.onShutdown(async () => {
    diagnostics.dispose();
    await Promise.all([parser.dispose(), dialectParser.dispose()]);
  });

  documents.onDidChangeContent(({ document }) => diagnostics.check(document.uri));
  documents.onDidClose(({ document }) => {
    state.documentModels.delete(document.uri);
    state.documentConnections.delete(document.uri);
    diagnostics.closed(document.uri);
  });
  /** What an open document gives; null for one that is not open. */
  const on = <T>(what: string, uri: string, answer: (document: TextDocument) => T): T | null => {
    const document = documentAt(uri);
    return document === undefined ? null : guard(what, () => answer(document));
  };
  const isCancelledBy = (token: CancellationToken) => (): boolean => token.isCancellationRequested;
  // By name: the server's package brings a protocol of its own version, whose classes are not those of the client's.
  connection.onRequest(StatementsRequest.method, (params: StatementsParams, token: CancellationToken) =>
    on('statements', params.textDocument.uri, (document) =>
      findStatements({ analyser, state }, document, params, isCancelledBy(token)),
    ),
  );
  connection.onRequest(ReferencesRequest.method, (params: TextParams, token: CancellationToken) =>
    guard('references', () => findReferences({ analyser, state }, params, isCancelledBy(token))),
  );
  connection.onRequest(CheckRequest.method, (params: CheckParams, token: CancellationToken) =>
    guard('check', () => checkText({ analyser, state }, params, isCancelledBy(token))),
  );
  connection.onCompletion(({ textDocument, position }) =>
    on(
      'completion',
      textDocument.uri,
      (document) => limit.answer('completion', document, () => completeAt(state, document, position)) ?? null,
    ),
  );
  connection.onCompletionResolve(resolveCompletion);
  connection.onCodeAction(({ textDocument, range, context }, token) =>
    on('code actions', textDocument.uri, (document) =>
      codeActions({ analyser, state, canReport }, document, range, context.only, isCancelledBy(token)),
    ),
  );
  connection.onHover(({ textDocument, position }, token) =>
    on(
      'hover',
      textDocument.uri,
      async (document) =>
        limit.answer('hover', document, () => hover(state, document, position)) ??
        (await hoverType({ analyser, state }, document, position, isCancelledBy(token))),
    ),
  );
  connection.onNotification(
    CatalogueNotification.method,
    ({ models, connection: name = '' }: CatalogueParams) => {
      setOrDelete(state.catalogues, name, models === undefined ? undefined : { models });
      editing.refresh();
      checkAll();
    },
  );
  connection.onNotification(
    DocumentModelNotification.method,
    ({ uri, model, connection: name }: DocumentModelParams) => {
      setOrDelete(state.documentModels, uri, model);
      setOrDelete(state.documentConnections, uri, name);
      editing.refresh();
      diagnostics.check(uri);
    },
  );

  documents.listen(connection);
  connection.listen();
}

function setOrDelete<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) {
    map.delete(key);
  } else {
    map.set(key, value);
  }
}

serve();
