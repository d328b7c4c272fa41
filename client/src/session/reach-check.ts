/** Requests an unreachable service until it responds, without a request of the user. Loaded when one is away. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { UserAbort } from '#api/client/errors.ts';
import { EarlyPause, retryUntil } from '#core/failures/retry-until.ts';

const reachIntervals = {
  firstMs: 5_000,
  maxMs: 60_000,
  // Most outages are short.
  early: { maxMs: 10_000, forMs: 60_000 },
};

/** Requests the models, whose response the client reports. Resolves once the service responds or the signal aborts. */
export async function reachAgain(client: ServiceClient, signal: AbortSignal): Promise<void> {
  const pause = new EarlyPause();
  // A person who comes back to the window should not see an outage that is over.
  const focus = vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) pause.end();
  });
  try {
    await retryUntil((own) => client.models.list({ signal: own }), signal, reachIntervals, pause.wait);
  } catch (error) {
    if (!(error instanceof UserAbort)) throw error;
  } finally {
    focus.dispose();
  }
}
