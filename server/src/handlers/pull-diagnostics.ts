/**
 * Diagnostics for editors that ask for them. A client gets them pushed or asks, never both: what a client says of
 * itself decides, or `{ diagnostics: 'push' | 'pull' }` among its initialization options.
 */
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { CancellationToken, ClientCapabilities, DocumentDiagnosticReport } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { LineIndex } from '../language/text/lines.ts';
import { optionsFor } from '../state.ts';
import { toDiagnostic } from './convert.ts';
import {
  createDiagnosticsPublisher,
  type DiagnosticsDeps,
  type DiagnosticsPublisher,
} from './diagnostics.ts';

export interface Diagnostics extends DiagnosticsPublisher {
  /** Decides which way this client gets diagnostics. Returns the capability to announce, if it asks. */
  negotiate(
    capabilities: ClientCapabilities,
    options: unknown,
  ): { readonly diagnosticProvider?: { interFileDependencies: boolean; workspaceDiagnostics: boolean } };
}

export function createDiagnostics(deps: DiagnosticsDeps): Diagnostics {
  const { connection, guard, state, analyser, documentAt } = deps;
  const publisher = createDiagnosticsPublisher(deps);
  /** The version of each document that was asked for last. */
  const asked = new Map<string, number>();
  let isPulled = false;
  let canRefresh = false;

  const report = async (
    document: TextDocument,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> => {
    const { uri, version } = document;
    const isOutdated = (): boolean => token.isCancellationRequested || documentAt(uri)?.version !== version;
    asked.set(uri, version);
    const text = document.getText();
    const analysis = await analyser.analyse(text, optionsFor(state, uri), isOutdated);
    if (analysis === undefined) {
      // The client asks again by itself: the text has changed.
      throw new ResponseError(LSPErrorCodes.ServerCancelled, 'The document has changed.', {
        retriggerRequest: !token.isCancellationRequested,
      });
    }
    const lines = new LineIndex(text);
    return {
      kind: 'full',
      items: analysis.findings.map((finding) => toDiagnostic(lines, finding, state.explain)),
    };
  };
  const nothing: DocumentDiagnosticReport = { kind: 'full', items: [] };

  connection.languages.diagnostics.on(async ({ textDocument }, token) => {
    const document = documentAt(textDocument.uri);
    return document === undefined
      ? nothing
      : ((await guard('a check', () => report(document, token))) ?? nothing);
  });

  return {
    negotiate(capabilities, options) {
      const wish =
        typeof options === 'object' && options !== null && 'diagnostics' in options
          ? options.diagnostics
          : '';
      const canPull = capabilities.textDocument?.diagnostic !== undefined;
      isPulled = canPull && wish !== 'push';
      canRefresh = capabilities.workspace?.diagnostics?.refreshSupport === true;
      return isPulled
        ? { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } }
        : {};
    },
    check(uri) {
      if (!isPulled) {
        publisher.check(uri);
      } else if (canRefresh && asked.get(uri) === documentAt(uri)?.version) {
        // The text is as it was, so what is known beside it has changed; the client cannot know.
        void connection.languages.diagnostics.refresh();
      }
    },
    closed(uri) {
      asked.delete(uri);
      if (!isPulled) {
        publisher.closed(uri);
      }
    },
    dispose: () => publisher.dispose(),
  };
}
