/** Registers the Saved Queries view: its tree, title, badges and commands. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { views } from '#client/contributions.ts';
import { isHere } from '#client/session/is-here.ts';
import type { Session } from '#client/session/session.ts';
import { failureMessage, notRefreshed } from '#client/ui/failure-rows.ts';
import { locale } from '#client/ui/locale.ts';
import { revealRow } from '#client/ui/reveal-row.ts';
import { createTreeView } from '#client/ui/shown/tree-views.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import type { QueryRows } from '../records/query-argument.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryNews } from '../records/query-news.ts';
import type { QueryVersions } from '../records/query-versions.ts';
import { parseSavedQueryUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import { focusedRow } from './focused-row.ts';
import { registerMarkDecorations } from './mark-decorations.ts';
import { QueryMarks } from './query-marks.ts';
import type { SavedQueryNode } from './query-nodes.ts';
import type { QueryOutcomes } from './query-outcomes.ts';
import { SavedQueriesTree } from './saved-queries-tree.ts';
import { registerViewCommands, type ViewCommandsDependencies } from './view-commands.ts';

export interface ViewDependencies extends ViewCommandsDependencies {
  readonly versions: QueryVersions;
  readonly news: QueryNews;
  readonly session: Session;
  readonly connections: QueryConnections;
  readonly queries: OpenQueries;
  readonly outcomes: QueryOutcomes;
}

export interface SavedQueriesView extends DisposableLike {
  readonly rows: QueryRows;
  /** Selects the row of a query if the view is open. */
  reveal(queryId: string): Promise<void>;
}

export function registerView(deps: ViewDependencies): SavedQueriesView {
  const { log, session, connections, store, arrangement, queries, outcomes } = deps;
  const disposables = new DisposableStore();
  const marks = disposables.add(new QueryMarks(store, queries, connections));
  const connectionKey = () => store.shown && connectionKeyOf(store.shown);
  disposables.add(registerMarkDecorations({ marks, outcomes }, connectionKey));
  const tree = disposables.add(new SavedQueriesTree({ ...deps, marks }));
  const view = disposables.add(
    createTreeView(views.savedQueries, { treeDataProvider: tree, showCollapseAll: true }),
  );
  const reveal = async (queryId: string, { showsMore } = { showsMore: true }): Promise<void> => {
    const node = view.visible ? await tree.nodeOf(queryId, { showsMore }) : undefined;
    if (node === undefined || !view.visible) return;
    await revealRow(view, node, { isRow: (row) => queryIdOf(row) === queryId, focus: false });
  };
  const drawHead = () => {
    view.description = store.shown === undefined ? '' : headOf(store.shown.name);
    view.message = messageOf();
  };
  /** Returns the view's heading: the connection, and the number of queries read so far. */
  const headOf = (name: string): string => {
    if (store.size === 0) return name;
    const count = store.size.toLocaleString(locale());
    return store.state.kind === 'loading' ? `${name} \u00b7 ${count}\u2026` : `${name} \u00b7 ${count}`;
  };
  const messageOf = (): string | undefined => {
    const failure = failureMessage(session, store.hasEarlier);
    if (failure !== undefined) return failure;
    if (session.state.kind === 'connected' && store.state.kind === 'failed') {
      const { short } = store.state;
      return store.size === 0 ? vscode.l10n.t('Saved queries not loaded. {0}', short) : notRefreshed(short);
    }
    const { filter } = arrangement.value;
    if (session.state.kind !== 'connected' || filter.trim() === '') return undefined;
    const [shown, all] = [tree.arranged.count.toLocaleString(locale()), store.size.toLocaleString(locale())];
    return store.state.kind === 'loading'
      ? vscode.l10n.t('Filter "{0}": {1} of {2} so far', filter.trim(), shown, all)
      : vscode.l10n.t('Filter "{0}": {1} of {2}', filter.trim(), shown, all);
  };
  /** Selects the row of the active editor's query, like the Explorer: Ctrl+T opens it without our command. */
  const follow = () => {
    const address = parseSavedQueryUri(vscode.window.activeTextEditor?.document.uri ?? vscode.Uri.file('/'));
    if (address === undefined || !isHere(session, address.connection)) return;
    // Its row may be selected elsewhere, for example among the favorites, or one of its versions.
    const isSelected = view.selection.some((row) => 'queryId' in row && row.queryId === address.queryId);
    if (!isSelected)
      void reveal(address.queryId, { showsMore: false }).catch((error: unknown) =>
        log.debug(`selecting the row of a query failed: ${errorName(error)}`),
      );
  };
  disposables.add(
    view.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      tree.lookForRecent();
      follow();
    }),
  );
  disposables.add(vscode.window.onDidChangeActiveTextEditor(follow));
  disposables.add(
    view.onDidExpandElement(({ element }) => {
      if (element.kind === 'group' && element.key === 'recent') tree.lookForRecent();
    }),
  );
  disposables.add(session.onDidChangeState(drawHead));
  disposables.add(session.onDidChangeReach(drawHead));
  disposables.add(tree.onDidArrange(drawHead));
  disposables.add(registerViewCommands(deps, tree));
  return {
    rows: {
      focused: async () => {
        const row = view.visible ? await focusedRow(rowsOf(view)) : undefined;
        return row?.kind === 'query' || row?.kind === 'version' ? row : undefined;
      },
      selected: () => (view.visible ? queryIdOf(view.selection[0]) : undefined),
    },
    reveal,
    dispose: () => disposables.dispose(),
  };
}

const queryIdOf = (row: SavedQueryNode | undefined) => (row?.kind === 'query' ? row.queryId : undefined);

const rowsOf = (view: vscode.TreeView<SavedQueryNode>) => ({
  selection: () => view.selection,
  toggle: async () => {
    await vscode.commands.executeCommand('list.toggleSelection');
  },
});
