/** Progress in notifications, the status bar and views. */
import * as vscode from 'vscode';
import { forMessage, forStatus } from '#base/shown-text/for-places.ts';
import { withSignal } from '../with-signal.ts';

export type Progress = vscode.Progress<{ message?: string; increment?: number }>;

/** @param task work to do; its signal aborts when the user cancels. */
export function withProgress<T>(
  options: vscode.ProgressOptions,
  task: (progress: Progress, signal: AbortSignal) => Thenable<T>,
): Thenable<T> {
  // The status bar also draws icons.
  const fit = options.location === vscode.ProgressLocation.Window ? forStatus : forMessage;
  const title = options.title === undefined ? {} : { title: fit(options.title) };
  return vscode.window.withProgress({ ...options, ...title }, (progress, token) =>
    withSignal(token, (signal) =>
      task(
        {
          report: ({ message, ...step }) =>
            progress.report(message === undefined ? step : { ...step, message: fit(message) }),
        },
        signal,
      ),
    ),
  );
}
