/**
 * Publishes diagnostics by push or pull, whichever the client prefers, never both. The client's capabilities decide,
 * unless its initialization options set `{ diagnostics: 'push' | 'pull' }`.
 */
import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import { answerDiagnostics } from './pull-diagnostics.ts';
import {
  createDiagnosticsPublisher,
  type DiagnosticsDeps,
  type DiagnosticsPublisher,
} from './push-diagnostics.ts';

export interface Diagnostics extends DiagnosticsPublisher {
  /** Whether the client asks for diagnostics, and so waits by itself for what they need. */
  readonly isPulled: boolean;
  /** Decides how the client receives diagnostics. Returns the pull capability to announce, if any. */
  negotiate(
    capabilities: ClientCapabilities,
    options: unknown,
  ): Pick<ServerCapabilities, 'diagnosticProvider'>;
}

export function createDiagnostics(deps: DiagnosticsDeps): Diagnostics {
  const publisher = createDiagnosticsPublisher(deps);
  let isPulled = false;
  let canRefresh = false;
  const answers = answerDiagnostics(deps, () => canRefresh);

  return {
    get isPulled() {
      return isPulled;
    },
    negotiate(capabilities, options) {
      const wish =
        typeof options === 'object' && options !== null && 'diagnostics' in options
          ? options.diagnostics
          : '';
      isPulled = capabilities.textDocument?.diagnostic !== undefined && wish !== 'push';
      canRefresh = capabilities.workspace?.diagnostics?.refreshSupport === true;
      return isPulled
        ? { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } }
        : {};
    },
    check(uri) {
      if (!isPulled) {
        publisher.check(uri);
      } else if (canRefresh) {
        answers.refresh(uri);
      }
    },
    closed(uri) {
      answers.closed(uri);
      if (!isPulled) publisher.closed(uri);
    },
    dispose: () => publisher.dispose(),
  };
}
