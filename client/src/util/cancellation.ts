/** Bridges the editor's cancellation tokens to AbortSignal, which the api client takes. */
import type { CancellationToken } from 'vscode';

/** A signal that aborts when the token is cancelled; call `dispose` when the work has ended. */
export function signalOf(token: CancellationToken): { signal: AbortSignal; dispose: () => void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listener = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void listener.dispose() };
}
