/** Models and their schema: the view, and what the language server knows of them. */
import * as vscode from 'vscode';
import { languageId, type CatalogueModel } from '../../../../server/src/protocol.ts';
import { commands, views } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { ModelsStore } from './models-store.ts';
import { ModelsTree, type ModelsNode } from './models-tree.ts';
import { quoteIdentifier, selectAll } from './sql-text.ts';

export interface ModelsDependencies {
  readonly log: Logger;
  readonly session: Session;
  /** Told whenever models or columns change; undefined when nothing is known. */
  readonly publish: (models: readonly CatalogueModel[] | undefined) => void;
}

export function registerModels(deps: ModelsDependencies): DisposableLike {
  const { log, session } = deps;
  const disposables = new DisposableStore();
  const store = disposables.add(new ModelsStore(session, log));
  const tree = disposables.add(new ModelsTree(store));
  disposables.add(
    vscode.window.createTreeView<ModelsNode>(views.models, { treeDataProvider: tree, showCollapseAll: true }),
  );
  disposables.add(store.onDidChange(() => deps.publish(store.models())));
  disposables.add(
    registerCommand(log, commands.modelsRefresh, async () => {
      await vscode.window.withProgress(
        { location: { viewId: views.models } },
        async () => await store.refresh(),
      );
    }),
  );
  disposables.add(
    registerCommand(log, commands.modelsCopyName, async (node) => {
      await vscode.env.clipboard.writeText(nameOf(nodeOf(node)));
    }),
  );
  disposables.add(
    registerCommand(log, commands.modelsNewQueryFromTable, async (argument) => {
      const node = nodeOf(argument);
      if (node.kind !== 'table')
        throw new ExpectedError(vscode.l10n.t('Choose a table in the Models view first.'));
      const document = await vscode.workspace.openTextDocument({
        language: languageId,
        content: selectAll(node.model, node.table),
      });
      await vscode.window.showTextDocument(document);
    }),
  );
  return disposables;
}

function nodeOf(argument: unknown): Exclude<ModelsNode, { kind: 'message' }> {
  const kinds = ['model', 'table', 'column'];
  if (
    typeof argument === 'object' &&
    argument !== null &&
    'kind' in argument &&
    kinds.includes(String(argument.kind))
  ) {
    return argument as Exclude<ModelsNode, { kind: 'message' }>; // the editor hands back the node that the tree gave it
  }
  throw new ExpectedError(vscode.l10n.t('Choose a row in the Models view first.'));
}

function nameOf(node: Exclude<ModelsNode, { kind: 'message' }>): string {
  switch (node.kind) {
    case 'model':
      return quoteIdentifier(node.model);
    case 'table':
      return quoteIdentifier(node.table.name);
    case 'column':
      return quoteIdentifier(node.column.name);
    default:
      return node satisfies never;
  }
}
