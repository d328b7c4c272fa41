/** The client of one start of the language server. The library behind it is loaded here, beside the rest of the start. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { languageId } from '../../../../server/src/protocol.ts';

export interface LanguageDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
  readonly log: vscode.LogOutputChannel;
}

/** Shows all, some or none of what the server published last of a document, now or later. */
export type ReviewDiagnostics = (
  uri: vscode.Uri,
  diagnostics: readonly vscode.Diagnostic[],
  show: (diagnostics: readonly vscode.Diagnostic[]) => void,
) => void;

export interface ClientHandlers {
  readonly review: ReviewDiagnostics;
  /** The server ended by itself, or cannot be spoken with. */
  readonly onEnded: () => void;
}

/** Errors of the connection in a row that are borne, as the library does. */
const errorsMax = 3;

/** Not started yet. What goes wrong is logged, and nothing of it shown: who starts it knows what to say. */
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
  const module = vscode.Uri.joinPath(extensionUri, 'dist', 'server.cjs').fsPath;
  // What Node.js compiled of the server serves its next start.
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
      synchronize: { configurationSection: 'identityQueries' },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) =>
          review(uri, diagnostics, (shown) => next(uri, [...shown])),
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
      initializationOptions: { diagnostics: 'push', reportsFalsePositives: true, explainsFindings: true },
    },
  );
}
