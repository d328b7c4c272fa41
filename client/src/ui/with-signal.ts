import type { CancellationToken } from 'vscode';

/** Runs work that any of the given tokens can cancel. */
export async function withSignal<T>(
  tokens: CancellationToken | readonly CancellationToken[],
  work: (signal: AbortSignal) => PromiseLike<T>,
): Promise<T> {
  const controller = new AbortController();
  const all = [tokens].flat();
  const listening = all.map((token) => token.onCancellationRequested(() => controller.abort()));
  if (all.some((token) => token.isCancellationRequested)) controller.abort();
  try {
    return await work(controller.signal);
  } finally {
    for (const listener of listening) listener.dispose();
  }
}
