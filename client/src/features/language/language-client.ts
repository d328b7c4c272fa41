/** Creates the client for one start of the language server. The client library loads here, in parallel with startup. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { languageId } from '#server/protocol.ts';
import { ShownDiagnostics } from './shown-diagnostics.ts';

export interface LanguageDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
  readonly log: vscode.LogOutputChannel;
}

/** Decides which of the server's latest findings for a document to show, now or later. */
export type ReviewDiagnostics = (
  uri: vscode.Uri,
  diagnostics: readonly vscode.Diagnostic[],
  show: (diagnostics: readonly vscode.Diagnostic[]) => void,
) => void;

export interface ClientHandlers {
  readonly review: ReviewDiagnostics;
  /** Called when the server has exited unexpectedly or its connection has failed. */
  readonly onEnded: () => void;
}

/** Number of consecutive connection errors to tolerate; the library's own default. */
const errorsMax = 3;

/** What the editor's own settings switch on and off: `editor.codeLens` and `editor.inlayHints.enabled`. */
const ofTheEditor: ReadonlyMap<string, unknown> = new Map([
  ['identityQueries.codeLens', { enabled: true }],
  ['identityQueries.inlayHints', { parameterTypes: true, columnCount: true }],
]);

/** Creates the client without starting it. Errors are logged but not shown; the caller reports them. */
export async function createLanguageClient(
  { context: { extensionUri, globalStorageUri }, log }: LanguageDependencies,
  { review, onEnded }: ClientHandlers,
): Promise<LanguageClient> {
  const library = await import('vscode-languageclient/node');
  const { CloseAction, ErrorAction, RevealOutputChannelOn, TransportKind } = library;
  class QuietClient extends library.LanguageClient {
    override error(message: string, data?: unknown): void {
      super.error(message, data, false);
    }
  }
  const shown = new ShownDiagnostics();
  const module = vscode.Uri.joinPath(extensionUri, 'dist', 'server.cjs').fsPath;
  // Node.js's compile cache speeds up later starts of the server.
  const env = { NODE_COMPILE_CACHE: vscode.Uri.joinPath(globalStorageUri, 'compiled').fsPath };
  return new QuietClient(
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
      // oxlint-disable-next-line typescript/no-deprecated -- the server is told of changes, and reads none itself
      synchronize: { configurationSection: 'identityQueries' },
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const answers: unknown = await next(params, token);
            if (!Array.isArray(answers)) return [];
            return params.items.map(
              ({ section = '' }, at) => ofTheEditor.get(section) ?? (answers[at] as unknown),
            );
          },
        },
        handleDiagnostics: (uri, diagnostics, next) =>
          review(uri, diagnostics, (reviewed) => {
            const address = uri.toString();
            const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === address);
            if (shown.areNews(address, document?.version, reviewed)) next(uri, [...reviewed]);
          }),
      },
      errorHandler: {
        error(_error, _message, count) {
          if (count !== undefined && count <= errorsMax) return { action: ErrorAction.Continue };
          onEnded();
          return { action: ErrorAction.Shutdown };
        },
        closed() {
          onEnded();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      initializationFailedHandler: () => false,
      initializationOptions: {
        diagnostics: 'push',
        reportsFalsePositives: true,
        explainsFindings: true,
        sendsModels: true,
      },
    },
  );
}
