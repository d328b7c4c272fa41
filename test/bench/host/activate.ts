/** Runs in the extension host: activates the extension once and writes how long that took. */
import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';

export async function run(): Promise<void> {
  const resultsFile = process.env['IDENTITY_QUERIES_BENCH_RESULTS'];
  const extension = vscode.extensions.getExtension('identity-queries.identity-queries');
  if (resultsFile === undefined || extension === undefined) throw new Error('nothing to measure');
  if (extension.isActive) throw new Error('the extension was active before it was asked for');
  const started = performance.now();
  await extension.activate();
  appendFileSync(resultsFile, `${JSON.stringify({ activationMs: performance.now() - started })}\n`);
}
