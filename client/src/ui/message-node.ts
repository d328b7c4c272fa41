/** A row that shows the state of a view: loading, failed, empty. */
import * as vscode from 'vscode';

export interface MessageNode {
  readonly kind: 'message';
  readonly text: string;
  /** The text by default. */
  readonly tooltip?: string;
  /** Name of a codicon, with `~spin` if animated. */
  readonly icon: string;
  readonly command?: vscode.Command;
}

export function messageItem(node: MessageNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.text);
  item.iconPath = new vscode.ThemeIcon(node.icon);
  item.tooltip = node.tooltip ?? node.text;
  if (node.command !== undefined) item.command = node.command;
  return item;
}
