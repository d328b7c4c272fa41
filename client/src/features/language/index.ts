/** The language server's client: starts it, tells it models and columns, and asks it about statements. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  CatalogueNotification,
  CheckRequest,
  DocumentModelNotification,
  languageId,
  ReferencesRequest,
  StatementsRequest,
  type CatalogueModel,
  type CheckParams,
  type CheckResult,
  type ReferencesResult,
  type StatementsResult,
  type TextParams,
} from '../../../../server/src/protocol.ts';
import { commands } from '../../contributions.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import { DiagnosticLowering, type LoweredRules } from './lowered-rules.ts';
import { registerExplainFinding } from './explain-finding.ts';
import { registerReportFalsePositive } from './report-false-positive.ts';

/** Shows all, some or none of what the server published last of a document, now or later. */
export type ReviewDiagnostics = (
  uri: vscode.Uri,
  diagnostics: readonly vscode.Diagnostic[],
  show: (diagnostics: readonly vscode.Diagnostic[]) => void,
) => void;

export interface LanguageFeature extends DisposableLike {
  /** Resolves when the server answers; rejects when it does not come up. */
  readonly ready: Promise<void>;
  /**
   * What the server says of the statements of a document: all of them, or those that touch a range. Undefined when
   * the server is not there or the document is not a query.
   */
  statements(document: vscode.TextDocument, range?: vscode.Range): Promise<StatementsResult | undefined>;
  /** The tables and columns that a text reads, by the catalogue the server has. The text need not be open. */
  references(text: TextParams): Promise<ReferencesResult>;
  /** What the editor would show for a text that need not be open. */
  check(text: CheckParams): Promise<CheckResult>;
  /** Of one connection. Undefined models: nothing is known, so nothing is reported as unknown. */
  setCatalogue(connection: string, models: readonly CatalogueModel[] | undefined): void;
  setDocumentModel(uri: vscode.Uri, model: string | undefined, connection: string | undefined): void;
  /** Gives the diagnostics of the server into other hands before they are shown. */
  reviewDiagnostics(review: ReviewDiagnostics): void;
  /** Shows findings as hints where the service has run the very text that they flag. */
  lowerRules(rules: LoweredRules): DisposableLike;
  /** Ends the server within two seconds. */
  stop(): Promise<void>;
}

const stopTimeoutMs = 2_000;

export interface LanguageDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
  readonly log: vscode.LogOutputChannel;
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
  const starting = startClient(deps, told, (uri, diagnostics, show) =>
    review(uri, diagnostics, (shown) => lowering.handle(uri, [...shown], (_uri, lowered) => show(lowered))),
  );
  starting.catch((error: unknown) => {
    deps.log.error(
      `language server did not start: ${error instanceof Error ? error.message : String(error)}`,
    );
  });

  own.add(
    registerCommand(deps.log, commands.languageRestart, async () => {
      const client = await starting;
      await client.restart();
    }),
  );

  const send = (action: (client: LanguageClient) => Promise<void>) => {
    void starting.then(action).catch((error: unknown) => {
      deps.log.warn(
        `language server was not told: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };

  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      const client = await starting.catch(() => undefined); // what did not start needs no stop, and was logged
      await client?.dispose(stopTimeoutMs);
    })());

  const feature: LanguageFeature = {
    ready: starting.then(() => undefined),
    async statements(document, range) {
      if (document.languageId !== languageId) return undefined;
      const client = await starting;
      const result = await client.sendRequest<StatementsResult | null>(StatementsRequest.method, {
        textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
        ...(range === undefined ? {} : { range: client.code2ProtocolConverter.asRange(range) }),
      });
      return result ?? undefined;
    },
    async references(text) {
      const client = await starting;
      return answered(await client.sendRequest<ReferencesResult | null>(ReferencesRequest.method, text));
    },
    async check(text) {
      const client = await starting;
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

/** What the server was told last, since a server that is started again knows nothing. */
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
    throw new Error(vscode.l10n.t('The language server could not answer; its log says more.'));
  return result;
}

/** The client library is loaded here, beside the rest of the start and not before it. */
async function startClient(
  { context: { extensionUri, globalStorageUri }, log }: LanguageDependencies,
  told: ToldNames,
  review: ReviewDiagnostics,
): Promise<LanguageClient> {
  const { LanguageClient, RevealOutputChannelOn, State, TransportKind } =
    await import('vscode-languageclient/node');
  const module = vscode.Uri.joinPath(extensionUri, 'dist', 'server.cjs').fsPath;
  // What Node.js compiled of the server serves its next start.
  const env = { NODE_COMPILE_CACHE: vscode.Uri.joinPath(globalStorageUri, 'compiled').fsPath };
  const client = new LanguageClient(
    'identityQueries',
    'Identity Queries',
    {
      run: { module, transport: TransportKind.ipc, options: { env } },
      debug: {
        module,
        transport: TransportKind.ipc,
        options: { env, execArgv: ['--nolazy', '--inspect=6009'] },
      },
    },
    {
      documentSelector: [{ language: languageId }],
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      synchronize: { configurationSection: 'identityQueries' },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) =>
          review(uri, diagnostics, (shown) => next(uri, [...shown])),
      },
      initializationOptions: { diagnostics: 'push', reportsFalsePositives: true, explainsFindings: true },
    },
  );
  await client.start();
  // A server that died is started again by the client library.
  client.onDidChangeState(({ newState }) => {
    if (newState !== State.Running) return;
    told.sendAll(client).catch((error: unknown) => {
      log.warn(`language server was not told again: ${error instanceof Error ? error.name : typeof error}`);
    });
  });
  return client;
}
