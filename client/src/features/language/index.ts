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
import type { DisposableLike } from '../../util/disposables.ts';
import { registerReportFalsePositive } from './report-false-positive.ts';

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
  /** Undefined models: nothing is known, so nothing is reported as unknown. */
  setCatalogue(models: readonly CatalogueModel[] | undefined): void;
  setDocumentModel(uri: vscode.Uri, model: string | undefined): void;
}

const stopTimeoutMs = 2_000;

export function startLanguage(deps: {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}): LanguageFeature {
  const reporting = registerReportFalsePositive(deps.log);
  const starting = startClient(deps);
  starting.catch((error: unknown) => {
    deps.log.error(
      `language server did not start: ${error instanceof Error ? error.message : String(error)}`,
    );
  });

  const send = (action: (client: LanguageClient) => Promise<void>) => {
    void starting.then(action).catch((error: unknown) => {
      deps.log.warn(
        `language server was not told: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };

  return {
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
      return client.sendRequest<ReferencesResult>(ReferencesRequest.method, text);
    },
    async check(text) {
      const client = await starting;
      return client.sendRequest<CheckResult>(CheckRequest.method, text);
    },
    setCatalogue: (models) =>
      send((client) =>
        client.sendNotification(CatalogueNotification.method, models === undefined ? {} : { models }),
      ),
    setDocumentModel: (uri, model) =>
      send((client) =>
        client.sendNotification(DocumentModelNotification.method, {
          uri: client.code2ProtocolConverter.asUri(uri),
          ...(model === undefined ? {} : { model }),
        }),
      ),
    async dispose() {
      reporting.dispose();
      const client = await starting.catch(() => undefined); // what did not start needs no stop, and was logged
      await client?.dispose(stopTimeoutMs);
    },
  };
}

/** The client library is loaded here, beside the rest of the start and not before it. */
async function startClient(deps: {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}): Promise<LanguageClient> {
  const { LanguageClient, RevealOutputChannelOn, TransportKind } = await import('vscode-languageclient/node');
  const module = vscode.Uri.joinPath(deps.extensionUri, 'dist', 'server.cjs').fsPath;
  const client = new LanguageClient(
    'identityQueries',
    'Identity Queries',
    {
      run: { module, transport: TransportKind.ipc },
      debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
    },
    {
      documentSelector: [{ language: languageId }],
      outputChannel: deps.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      synchronize: { configurationSection: 'identityQueries' },
      initializationOptions: { diagnostics: 'push', reportsFalsePositives: true },
    },
  );
  await client.start();
  return client;
}
