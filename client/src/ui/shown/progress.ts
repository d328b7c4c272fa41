/** Progress in notifications, the status bar and views. */
import * as vscode from 'vscode';
import { forMessage } from '../../../../core/src/shown-text/for-places.ts';

export type Progress = vscode.Progress<{ message?: string; increment?: number }>;

export function withProgress<T>(
  options: vscode.ProgressOptions,
  task: (progress: Progress, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  const title = options.title === undefined ? {} : { title: forMessage(options.title) };
  return vscode.window.withProgress({ ...options, ...title }, (progress, token) =>
    task(
      {
        report: ({ message, ...step }) =>
          progress.report(message === undefined ? step : { ...step, message: forMessage(message) }),
      },
      token,
    ),
  );
}
