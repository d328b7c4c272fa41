/** Loads the extension with a code cache, so that a window starts faster after the first time. */
import path from 'node:path';
import type * as vscode from 'vscode';
import { CodeCache } from '#base/files/code-cache.ts';
import type * as Extension from './extension.ts';

let extension: typeof Extension | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const cache = new CodeCache(path.join(context.globalStorageUri.fsPath, 'compiled', 'extension'));
  context.subscriptions.push(cache);
  extension = cache.load(path.join(import.meta.dirname, 'client.cjs')) as typeof Extension; // our own bundle
  extension.activate(context);
}

export async function deactivate(): Promise<void> {
  await extension?.deactivate();
}
