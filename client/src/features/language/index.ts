/** The language server's client: starts the server, sends it models and columns, and requests statement information. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import {
  CatalogueNotification,
  CheckRequest,
  DocumentModelNotification,
  languageId,
  ColumnsAtRequest,
  ReferencesRequest,
  StatementsRequest,
  type CatalogueModel,
  type CheckParams,
  type CheckResult,
  type ColumnName,
  type ColumnsAtResult,
  type ReferencesResult,
  type StatementsResult,
  type TextParams,
} from '#server/protocol.ts';
import { registerExplainFinding } from './explain-finding.ts';
import { GoneServer } from './gone-server.ts';
import {
  createLanguageClient,
  type LanguageDependencies,
  type ReviewDiagnostics,
} from './language-client.ts';
import { DiagnosticLowering, type LoweredRules } from './lowered-rules.ts';
import { registerReportFalsePositive } from './report-false-positive.ts';
import { ServerLife } from './server-life.ts';

export interface LanguageFeature extends DisposableLike {
  /** Resolves when the server responds; rejects if it fails to start. */
  readonly ready: Promise<void>;
  /**
   * Returns the server's verdict on the statements in a document or a range. Undefined if the server is not running or
   * the document is not a query.
   */
  statements(document: vscode.TextDocument, range?: vscode.Range): Promise<StatementsResult | undefined>;
  /**
   * Returns the tables and columns that a document reads, according to the server's catalog. The document need not be
   * open.
   */
  references(text: TextParams): Promise<ReferencesResult>;
  /** Returns the columns that the expression at a position of an open document is derived from. */
  columnsAt(document: vscode.TextDocument, position: vscode.Position): Promise<readonly ColumnName[]>;
  /** Returns the findings for a document that need not be open. */
  check(text: CheckParams): Promise<CheckResult>;
  /** Sets the catalog of one connection. If `models` is undefined, no names are reported as unknown. */
  setCatalogue(connection: string, models: readonly CatalogueModel[] | undefined): void;
  setDocumentModel(uri: vscode.Uri, model: string | undefined, connection: string | undefined): void;
  /** Passes the server's diagnostics through a filter before they are shown. */
  reviewDiagnostics(review: ReviewDiagnostics): void;
  /** Turns findings into hints if the service ran exactly the flagged text. */
  lowerRules(rules: LoweredRules): DisposableLike;
  /** Stops the server within two seconds. */
  stop(): Promise<void>;
}

export function startLanguage(deps: LanguageDependencies): LanguageFeature {
  const own = new DisposableStore();
  own.add(registerReportFalsePositive(deps.log));
  own.add(registerExplainFinding({ extensionUri: deps.context.extensionUri, log: deps.log }));
  const told = new ToldNames();
  own.add(
    vscode.workspace.onDidCloseTextDocument((document) => told.documents.delete(document.uri.toString())),
  );
  let review: ReviewDiagnostics = (_uri, diagnostics, show) => show(diagnostics);
  const lowering = new DiagnosticLowering(async (uri) => {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    return document === undefined ? [] : ((await feature.statements(document))?.statements ?? []);
  });
  const server = new ServerLife({
    create: (onEnded) =>
      createLanguageClient(deps, {
        onEnded,
        review: (uri, diagnostics, show) =>
          review(uri, diagnostics, (shown) =>
            lowering.handle(uri, [...shown], (_uri, lowered) => show(lowered)),
          ),
      }),
    tellAgain: (client) => told.sendAll(client),
    gone: own.add(new GoneServer()),
    log: deps.log,
  });
  own.add(registerCommand(deps.log, commands.languageRestart, () => server.restart()));

  const send = (action: (client: LanguageClient) => Promise<void>) => {
    void server.client.then(action).catch((error: unknown) => {
      deps.log.warn(
        `language server was not told: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };

  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= server.dispose());

  const feature: LanguageFeature = {
    ready: server.client.then(() => undefined),
    async statements(document, range) {
      if (document.languageId !== languageId) return undefined;
      const client = await server.client;
      const result = await client.sendRequest<StatementsResult | null>(StatementsRequest.method, {
        textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
        ...(range === undefined ? {} : { range: client.code2ProtocolConverter.asRange(range) }),
      });
      return result ?? undefined;
    },
    async references(text) {
      const client = await server.client;
      return answered(await client.sendRequest<ReferencesResult | null>(ReferencesRequest.method, text));
    },
    async columnsAt(document, position) {
      const client = await server.client;
      const params = client.code2ProtocolConverter.asTextDocumentPositionParams(document, position);
      const result = await client.sendRequest<ColumnsAtResult | null>(ColumnsAtRequest.method, params);
      return result?.columns ?? [];
    },
    async check(text) {
      const client = await server.client;
      return answered(await client.sendRequest<CheckResult | null>(CheckRequest.method, text));
    },
    setCatalogue(connection, models) {
      told.catalogues.set(connection, models);
      send((client) => told.sendCatalogue(client, connection, models));
    },
    setDocumentModel(uri, model, connection) {
      const document = { uri, model, connection };
      told.documents.set(uri.toString(), document);
      send((client) => told.sendDocument(client, document));
    },
    reviewDiagnostics(by) {
      review = by;
    },
    lowerRules: (rules) => lowering.use(rules),
    stop,
    dispose() {
      own.dispose();
      return stop();
    },
  };
  return feature;
}

interface ToldDocument {
  readonly uri: vscode.Uri;
  readonly model: string | undefined;
  readonly connection: string | undefined;
}

/** Stores the last notifications, so that they can be resent to a restarted server. */
class ToldNames {
  readonly catalogues = new Map<string, readonly CatalogueModel[] | undefined>();
  readonly documents = new Map<string, ToldDocument>();

  sendCatalogue(
    client: LanguageClient,
    connection: string,
    models: readonly CatalogueModel[] | undefined,
  ): Promise<void> {
    return client.sendNotification(CatalogueNotification.method, {
      connection,
      ...(models === undefined ? {} : { models }),
    });
  }

  sendDocument(client: LanguageClient, { uri, model, connection }: ToldDocument): Promise<void> {
    return client.sendNotification(DocumentModelNotification.method, {
      uri: client.code2ProtocolConverter.asUri(uri),
      ...(model === undefined ? {} : { model }),
      ...(connection === undefined ? {} : { connection }),
    });
  }

  async sendAll(client: LanguageClient): Promise<void> {
    for (const [name, models] of this.catalogues) await this.sendCatalogue(client, name, models);
    for (const document of this.documents.values()) await this.sendDocument(client, document);
  }
}

function answered<T>(result: T | null): T {
  if (result === null)
    throw new Error(vscode.l10n.t('The language server could not respond. See its log for details.'));
  return result;
}
