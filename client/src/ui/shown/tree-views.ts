/** Tree views with safe labels, descriptions, tooltips and titles. */
import * as vscode from 'vscode';
import { forLabel, forLine, forLines, forMessage } from '#base/shown-text/for-places.ts';
import { contextKeys } from '../../contributions.ts';
import { AskedRows } from './asked-rows.ts';
import { shownError } from './file-system-errors.ts';
import { fitted, whereGiven } from './fitted.ts';

export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  const changes = new vscode.EventEmitter<Changed<T>>();
  const view = vscode.window.createTreeView<T>(id, {
    ...options,
    treeDataProvider: fitProvider(options.treeDataProvider, changes),
  });
  return fitted(view, {
    title: whereGiven(forLine),
    description: whereGiven(forLine),
    message: whereGiven(forMessage),
  });
}

type Changed<T> = T | T[] | undefined;

function fitProvider<T>(
  provider: vscode.TreeDataProvider<T>,
  changes: vscode.EventEmitter<Changed<T>>,
): vscode.TreeDataProvider<T> {
  const asked = new AskedRows<T>({
    draw: (rows) =>
      changes.fire(rows.includes(undefined) ? undefined : rows.filter((row) => row !== undefined)),
    whenTaken: async () => {
      await vscode.commands.executeCommand('setContext', contextKeys.rowsTaken, true);
    },
  });
  provider.onDidChangeTreeData?.((changed) => {
    asked.change();
    changes.fire(changed ?? undefined);
  });
  return {
    onDidChangeTreeData: changes.event,
    ...(provider.getParent === undefined ? {} : { getParent: (element) => provider.getParent?.(element) }),
    ...(provider.resolveTreeItem === undefined
      ? {}
      : {
          async resolveTreeItem(item, element, token) {
            return fitItem((await provider.resolveTreeItem?.(item, element, token)) ?? item);
          },
        }),
    async getTreeItem(element) {
      return fitItem(await provider.getTreeItem(element));
    },
    async getChildren(element) {
      try {
        return await asked.answer(element, () => provider.getChildren(element));
      } catch (error) {
        throw shownError(error);
      }
    },
  };
}

/** Changes the item itself instead of a copy, since visible rows are redrawn by identity. */
function fitItem(item: vscode.TreeItem): vscode.TreeItem {
  if (typeof item.label === 'string') item.label = forLabel(item.label);
  if (typeof item.description === 'string') item.description = forLine(item.description);
  if (typeof item.tooltip === 'string') item.tooltip = forLines(item.tooltip);
  const spoken = item.accessibilityInformation;
  if (spoken !== undefined) item.accessibilityInformation = { ...spoken, label: forLines(spoken.label) };
  return item;
}
