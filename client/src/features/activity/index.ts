/** The Activity view: the service's background work in one list, newest first. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, views } from '#client/contributions.ts';
import { index, object, optional, text } from '#client/ui/arguments.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { createTreeView } from '#client/ui/shown/tree-views.ts';
import { ExpectedError } from '#core/failures/failure.ts';

/** Parses a row; one of a change's targets has an index. */
const activityRow = object({ id: text, index: optional(index) });
export type ActivityRow = Exclude<ReturnType<typeof activityRow>, symbol>;

/** One kind of activity: a source of rows, each with a start time. */
export interface ActivitySource<Node extends object> {
  readonly onDidChangeTreeData: vscode.Event<void>;
  getChildren(node?: Node): readonly Node[];
  getTreeItem(node: Node): vscode.TreeItem;
  /** Returns the start time of a top-level row, in milliseconds since 1970. */
  beganAt(node: Node): number;
  /** Returns the IDs that the service gave the work of a row; none for a row of another source. */
  idsOf(row: ActivityRow): readonly string[];
}

export interface ActivityFeature extends DisposableLike {
  /** Adds a source of rows for the lifetime of the view. */
  add<Node extends object>(source: ActivitySource<Node>): void;
  /** Sets the badge that counts running work, or removes it if undefined. */
  setBadge(badge: vscode.ViewBadge | undefined): void;
}

/** A row and the source it came from. */
interface ActivityNode {
  readonly beganAt: number;
  children(): readonly ActivityNode[];
  item(): vscode.TreeItem;
}

export function registerActivity(log: Logger): ActivityFeature {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new vscode.EventEmitter<void>());
  const sources: {
    readonly rows: () => readonly ActivityNode[];
    readonly idsOf: (row: ActivityRow) => readonly string[];
  }[] = [];
  const view = disposables.add(
    createTreeView<ActivityNode>(views.activity, {
      treeDataProvider: {
        onDidChangeTreeData: onDidChange.event,
        getChildren: (node) =>
          node === undefined
            ? sources.flatMap(({ rows }) => rows()).toSorted((one, other) => other.beganAt - one.beganAt)
            : [...node.children()],
        getTreeItem: (node) => node.item(),
      },
    }),
  );
  disposables.add(
    registerCommand(log, commands.activityCopyId, [activityRow], async (row) => {
      const ids = sources.flatMap(({ idsOf }) => idsOf(row));
      if (ids.length === 0)
        throw new ExpectedError(vscode.l10n.t('The service gave this row no ID, or it is no longer listed.'));
      await vscode.env.clipboard.writeText(ids.join('\n'));
    }),
  );
  return {
    add(source) {
      disposables.add(source.onDidChangeTreeData(() => onDidChange.fire()));
      sources.push({
        rows: () => source.getChildren().map((node) => nodeOf(source, node)),
        idsOf: (row) => source.idsOf(row),
      });
      onDidChange.fire();
    },
    setBadge(badge) {
      view.badge = badge;
    },
    dispose: () => disposables.dispose(),
  };
}

function nodeOf<Node extends object>(source: ActivitySource<Node>, node: Node): ActivityNode {
  return {
    // Row menu commands receive this node, so it also contains the data from its source.
    ...node,
    beganAt: source.beganAt(node),
    children: () => source.getChildren(node).map((child) => nodeOf(source, child)),
    item: () => source.getTreeItem(node),
  };
}
