/** Creates webview editors with safe titles. */
import * as vscode from 'vscode';
import { forLabel } from '#base/shown-text/for-places.ts';
import { fitted } from './fitted.ts';

export function createWebviewPanel(
  ...[viewType, title, place, options]: Parameters<typeof vscode.window.createWebviewPanel>
): vscode.WebviewPanel {
  return fitted(vscode.window.createWebviewPanel(viewType, forLabel(title), place, options), {
    title: forLabel,
  });
}
