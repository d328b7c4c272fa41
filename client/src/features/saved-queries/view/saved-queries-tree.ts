/** Tree of the Saved Queries view: favorites, recently opened queries, groups, queries, and their local versions. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import { awayRows, failureRows } from '#client/ui/failure-rows.ts';
import { locale } from '#client/ui/locale.ts';
import { messageItem, type MessageNode } from '#client/ui/message-node.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import {
  arrangeQueries,
  compareArrangements,
  splitName,
  type QueryGroup,
} from '#core/saved-queries/arrange-queries.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { partWords } from '#core/saved-queries/list-saved-queries.ts';
import { followKeptVersions, type HeardVersionsDependencies } from '../records/heard-versions.ts';
import { openDocumentOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryVersions } from '../records/query-versions.ts';
import type { RememberedQueries } from '../records/remembered-queries.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { savedQueryUri } from '../records/saved-query-uri.ts';
import type { ArrangementStore } from './arrangement-store.ts';
import { groupItem, moreItem, queryItem, versionItem } from './query-items.ts';
import type { QueryMarks } from './query-marks.ts';
import { idOfQueryNode, type GroupNode, type QueryNode, type SavedQueryNode } from './query-nodes.ts';
import type { QueryOutcomes } from './query-outcomes.ts';
import { versionRows } from './version-rows.ts';

export interface SavedQueriesTreeDependencies extends HeardVersionsDependencies {
  readonly session: Pick<Session, 'state' | 'onDidChangeState' | 'away' | 'onDidChangeReach'>;
  readonly connections: Pick<QueryConnections, 'nameNow'>;
  readonly store: SavedQueriesStore;
  readonly remembered: RememberedQueries;
  readonly arrangement: ArrangementStore;
  readonly marks: QueryMarks;
  readonly outcomes: QueryOutcomes;
  readonly versions: QueryVersions;
}

/** Initial number of rows in a group; each click on Show More adds the same number. */
const firstRows = 200;
/** Number of queries above which groups start collapsed. */
const openRows = 500;
const openGroups = 20;

const nothing: QueryGroup = { kind: 'root', key: '', label: '', groups: [], rows: [], count: 0 };

export class SavedQueriesTree implements vscode.TreeDataProvider<SavedQueryNode>, vscode.Disposable {
  readonly #deps: SavedQueriesTreeDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(
    new vscode.EventEmitter<SavedQueryNode | SavedQueryNode[] | undefined>(),
  );
  readonly #onDidArrange = this.#disposables.add(new vscode.EventEmitter<QueryGroup>());
  /** Nodes by ID, so that single rows can be redrawn without losing the selection. */
  readonly #nodes = new Map<string, QueryNode>();
  /** Rows of the queries whose versions have been requested. */
  readonly #unfolded = new Map<QueryNode, VersionRows>();
  readonly #groupNodes = new Map<string, GroupNode>();
  /** Groups of the current arrangement by key; the key of the root is empty. */
  #groups = new Map<string, QueryGroup>();
  /** Recently opened queries in the order last shown: a click must not move the row under the pointer. */
  #recent: readonly string[] | undefined;
  /** Number of visible rows in each long group. */
  readonly #shown = new Map<string, number>();
  #arranged = nothing;
  #messages: readonly MessageNode[] = [];
  #isUpdateWaiting = false;

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
  /** Fires after the visible rows have changed. */
  readonly onDidArrange = this.#onDidArrange.event;

  constructor(deps: SavedQueriesTreeDependencies) {
    this.#deps = deps;
    const { session, store, remembered, arrangement, marks, outcomes, versions } = deps;
    const update = () => this.#updateSoon();
    this.#disposables.add(store.onDidChange(update));
    this.#disposables.add(session.onDidChangeState(update));
    this.#disposables.add(session.onDidChangeReach(update));
    this.#disposables.add(arrangement.onDidChange(update));
    this.#disposables.add(
      remembered.onDidChange((queryIds) => {
        this.#drawQueries(queryIds);
        update();
      }),
    );
    this.#disposables.add(marks.onDidChange((queryIds) => this.#drawQueries(queryIds)));
    this.#disposables.add(outcomes.onDidChange((queryId) => this.#drawQueries([queryId])));
    this.#disposables.add(versions.onDidChange((queryId) => this.#readUnfolded(queryId)));
    this.#disposables.add(
      store.onDidChange((queryId) => {
        if (queryId === undefined && store.state.kind === 'loaded') this.#readUnfolded(undefined);
      }),
    );
  }

  getChildren(node?: SavedQueryNode): SavedQueryNode[] | Promise<SavedQueryNode[]> {
    if (node === undefined) return this.#rootRows();
    switch (node.kind) {
      case 'group':
        return this.#rowsOf(this.#groups.get(node.key));
      case 'query':
        return this.#versionsOf(node);
      case 'version':
      case 'more':
      case 'message':
        return [];
      default:
        return node satisfies never;
    }
  }

  getParent(node: SavedQueryNode): SavedQueryNode | undefined {
    switch (node.kind) {
      case 'query':
      case 'more':
        return node.groupKey === '' ? undefined : this.#groupNode(node.groupKey);
      case 'version':
        return node.parent;
      case 'group': {
        const parent = [...this.#groups.values()].find((group) =>
          group.groups.some((child) => child.key === node.key),
        );
        return parent === undefined || parent.key === '' ? undefined : this.#groupNode(parent.key);
      }
      case 'message':
        return undefined;
      default:
        return node satisfies never;
    }
  }

  getTreeItem(node: SavedQueryNode): vscode.TreeItem {
    switch (node.kind) {
      case 'message':
        return messageItem(node);
      case 'more':
        return moreItem(node, this.#shown.get(node.groupKey) ?? firstRows);
      case 'version':
        return versionItem(node, this.#deps.store.shown?.name ?? '', this.#deps.store.get(node.queryId));
      case 'group': {
        const group = this.#groups.get(node.key) ?? nothing;
        return groupItem(node, group, this.#startsOpen(group));
      }
      case 'query':
        return this.#queryItem(node);
      default:
        return node satisfies never;
    }
  }

  /** The root group of the visible arrangement. */
  get arranged(): QueryGroup {
    return this.#arranged;
  }

  /**
   * Returns the row of a query in its folder once it is drawn, or undefined if a filter hides it.
   * @param showsMore whether to draw more rows of a long group, up to this one.
   */
  async nodeOf(
    queryId: string,
    { showsMore }: { readonly showsMore: boolean },
  ): Promise<QueryNode | undefined> {
    // Wait for pending updates, which are drawn at the end of the current task.
    while (this.#isUpdateWaiting) await new Promise(setImmediate);
    const group = [...this.#groups.values()].find(
      ({ kind, rows }) =>
        kind !== 'favourites' && kind !== 'recent' && rows.some(({ query }) => query.query_id === queryId),
    );
    if (group === undefined) return undefined;
    const index = group.rows.findIndex(({ query }) => query.query_id === queryId);
    if (index >= (this.#shown.get(group.key) ?? firstRows)) {
      if (!showsMore) return undefined;
      this.#shown.set(group.key, index + 1);
      this.#onDidChangeTreeData.fire(group.key === '' ? undefined : this.#groupNode(group.key));
    }
    return this.#queryNode(group.key, queryId);
  }

  /** Shows queries opened since then. Called when the user expands the group, or shows or refreshes the view. */
  lookForRecent(): void {
    this.#recent = undefined;
    this.#updateSoon();
  }

  showMore(groupKey: string): void {
    this.#shown.set(groupKey, 2 * (this.#shown.get(groupKey) ?? firstRows));
    this.#onDidChangeTreeData.fire(groupKey === '' ? undefined : this.#groupNode(groupKey));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Schedules one update at the end of the current task for any number of changes. */
  #updateSoon(): void {
    if (this.#isUpdateWaiting) return;
    this.#isUpdateWaiting = true;
    setImmediate(() => {
      this.#isUpdateWaiting = false;
      if (!this.#disposables.isDisposed) this.#update();
    });
  }

  #update(): void {
    const { store, remembered, arrangement } = this.#deps;
    const known = (ids: readonly string[]) => ids.map((id) => store.get(id)).filter(isPresent);
    const before = this.#arranged;
    const isShown = store.shown !== undefined;
    if (!isShown) {
      this.#nodes.clear();
      this.#unfolded.clear();
      this.#shown.clear();
      this.#recent = undefined;
    }
    this.#arranged = isShown
      ? arrangeQueries(
          store.list(),
          arrangement.value,
          {
            favourites: known(remembered.favourites()),
            recent: known(this.#recentNow()).slice(0, recentRows),
          },
          (queryId) => store.textOf(queryId),
        )
      : nothing;
    this.#groups = new Map(withDescendants(this.#arranged).map((group) => [group.key, group]));
    const messages = this.#messagesNow();
    const change = compareArrangements(before, this.#arranged);
    if (change.isStructureChanged || !isSameMessages(messages, this.#messages)) {
      this.#messages = messages;
      this.#onDidChangeTreeData.fire(undefined);
    } else if (change.rows.length > 0) {
      this.#onDidChangeTreeData.fire(change.rows.map((row) => this.#queryNode(row.groupKey, row.queryId)));
    }
    this.#onDidArrange.fire(this.#arranged);
  }

  /** Returns the visible recent queries. Removed ones disappear immediately; new ones appear with the next update. */
  #recentNow(): readonly string[] {
    const now = this.#deps.remembered.recent();
    this.#recent = (this.#recent ?? now).filter((id) => now.includes(id));
    return this.#recent;
  }

  /** Redraws every row of the given queries. */
  #drawQueries(queryIds: readonly string[]): void {
    const wanted = new Set(queryIds);
    const nodes = [...this.#nodes.values()].filter((node) => wanted.has(node.queryId));
    if (nodes.length > 0) this.#onDidChangeTreeData.fire(nodes);
  }

  #rootRows(): SavedQueryNode[] {
    const rows = this.#rowsOf(this.#arranged);
    return [...this.#messages, ...rows];
  }

  #rowsOf(group: QueryGroup | undefined): SavedQueryNode[] {
    if (group === undefined) return [];
    const shown = this.#shown.get(group.key) ?? firstRows;
    const rows: SavedQueryNode[] = [
      ...group.groups.map((child) => this.#groupNode(child.key)),
      ...group.rows.slice(0, shown).map((row) => this.#queryNode(group.key, row.query.query_id)),
    ];
    const left = group.rows.length - shown;
    return left > 0 ? [...rows, { kind: 'more', groupKey: group.key, left }] : rows;
  }

  /**
   * Returns what was read before, at once: while the editor waits for rows, it has forgotten those that it shows, and a
   * command in their menus would get none.
   */
  #versionsOf(node: QueryNode): SavedQueryNode[] | Promise<SavedQueryNode[]> {
    const { shown } = this.#deps.store;
    if (shown === undefined) return [];
    const known = this.#unfolded.get(node);
    const reading = this.#readVersions(node, shown.name);
    return known?.connection === shown.name && known.rows !== undefined ? [...known.rows] : reading;
  }

  /** Reads the versions below the rows of a query, or of all queries. */
  #readUnfolded(queryId: string | undefined): void {
    const connection = this.#deps.store.shown?.name;
    if (connection === undefined) return;
    for (const node of this.#unfolded.keys())
      if (queryId === undefined || node.queryId === queryId) void this.#readVersions(node, connection);
  }

  /** Reads the versions of a query, and draws them again if they are not those of last time. */
  async #readVersions(node: QueryNode, connection: string): Promise<SavedQueryNode[]> {
    let known = this.#unfolded.get(node);
    if (known?.connection !== connection) {
      known = { connection, rows: undefined, reads: 0, shownRead: 0 };
      this.#unfolded.set(node, known);
    }
    known.reads += 1;
    const turn = known.reads;
    const { versions, isCut } = await this.#deps.versions.known(connection, node.queryId);
    // Draws the rows again if the list was behind.
    void followKeptVersions(this.#deps, connection, versions);
    const shown = known.rows;
    // A read that begins before the one before it ends, again and again, must not keep the rows as they were.
    if (shown !== undefined && turn < known.shownRead) return [...shown];
    known.shownRead = turn;
    const rows = versionRows(node, versions, isCut);
    if (shown !== undefined && isDeepStrictEqual(rows, shown)) return [...shown];
    known.rows = rows;
    if (shown !== undefined && this.#unfolded.get(node) === known) this.#onDidChangeTreeData.fire([node]);
    return [...rows];
  }

  #queryItem(node: QueryNode): vscode.TreeItem {
    const { store, connections, remembered, marks, outcomes, arrangement } = this.#deps;
    const query = store.get(node.queryId);
    if (query === undefined || store.shown === undefined) return new vscode.TreeItem('');
    const kind = this.#groups.get(node.groupKey)?.kind;
    const { folders, label } = splitName(query.name);
    const isShort = kind === 'prefix' || kind === 'favourites' || kind === 'recent';
    return queryItem(node, {
      query,
      label: isShort ? label : query.name,
      folder: kind === 'prefix' || !isShort ? '' : folders.join('/'),
      uri:
        openDocumentOf(connections, store.shown.name, node.queryId)?.uri ??
        savedQueryUri(store.shown.name, query),
      connectionKey: connectionKeyOf(store.shown),
      isFavourite: remembered.isFavourite(node.queryId),
      mark: marks.get(node.queryId),
      outcome: outcomes.get(node.queryId),
      isDated: arrangement.value.sorting === 'changed',
    });
  }

  #startsOpen(group: QueryGroup): boolean {
    if (group.kind === 'recent') return false;
    if (group.kind === 'favourites') return group.count <= firstRows;
    return this.#arranged.count <= openRows && this.#arranged.groups.length <= openGroups;
  }

  #queryNode(groupKey: string, queryId: string): QueryNode {
    const node: QueryNode = { kind: 'query', groupKey, queryId };
    const id = idOfQueryNode(node);
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    this.#nodes.set(id, node);
    return node;
  }

  #groupNode(key: string): GroupNode {
    const known = this.#groupNodes.get(key);
    if (known !== undefined) return known;
    const node: GroupNode = { kind: 'group', key };
    this.#groupNodes.set(key, node);
    return node;
  }

  /** Returns rows for the loading, failed, empty and unsupported states. */
  #messagesNow(): readonly MessageNode[] {
    const { session, store, arrangement } = this.#deps;
    if (session.state.kind === 'failed') {
      const { reason, actions } = session.state;
      return store.hasEarlier ? failureRows(reason, actions) : waysOn(session.state);
    }
    if (session.state.kind !== 'connected') return [];
    if (session.away !== undefined) return awayRows(session.away.reason);
    const { state } = store;
    switch (state.kind) {
      case 'loading':
        return store.size === 0
          ? [{ kind: 'message', icon: 'loading~spin', text: vscode.l10n.t('Loading...') }]
          : [];
      case 'failed':
        return [
          {
            kind: 'message',
            icon: 'refresh',
            // The view's message explains it.
            text: vscode.l10n.t('Try Again'),
            tooltip: state.reason,
            command: { command: commands.savedQueriesRefresh, title: vscode.l10n.t('Try Again') },
          },
        ];
      case 'unsupported':
        return [unsupported()];
      case 'loaded':
        if (state.leftOut > 0) return [leftOut(state.leftOut)];
        if (state.isPart) return [{ kind: 'message', icon: 'warning', text: partWords() }];
        if (store.size === 0) return [firstQuery()];
        return this.#arranged.count === 0 && arrangement.value.filter !== '' ? [noMatch()] : [];
      case 'empty':
        return [];
      default:
        return state satisfies never;
    }
  }
}

/** Returns a row that reports unreadable queries, which do not hide the others. */
function leftOut(count: number): MessageNode {
  const text =
    count === 1
      ? vscode.l10n.t('1 saved query could not be read. The log says why.')
      : vscode.l10n.t(
          '{0} saved queries could not be read. The log says why.',
          count.toLocaleString(locale()),
        );
  return { kind: 'message', icon: 'warning', text };
}

interface VersionRows {
  readonly connection: string;
  /** As last read. */
  rows: readonly SavedQueryNode[] | undefined;
  reads: number;
  /** The read whose rows are shown: one that began earlier is out of date. */
  shownRead: number;
}

/** Maximum number of recently opened queries to show. */
const recentRows = 10;

function isPresent(query: KnownQuery | undefined): query is KnownQuery {
  return query !== undefined;
}

function withDescendants(group: QueryGroup): QueryGroup[] {
  return [group, ...group.groups.flatMap(withDescendants)];
}

function isSameMessages(a: readonly MessageNode[], b: readonly MessageNode[]): boolean {
  return (
    a.length === b.length &&
    a.every((each, index) => each.text === b[index]?.text && each.tooltip === b[index].tooltip)
  );
}

function unsupported(): MessageNode {
  return {
    kind: 'message',
    icon: 'info',
    text: vscode.l10n.t(
      'This service does not list saved queries. The view shows those that you opened, created or marked.',
    ),
    command: { command: commands.openById, title: vscode.l10n.t('Open by ID...'), arguments: ['query'] },
  };
}

function firstQuery(): MessageNode {
  return {
    kind: 'message',
    icon: 'add',
    text: vscode.l10n.t('No saved queries yet. Write the first one.'),
    command: { command: commands.queryNew, title: vscode.l10n.t('New Query') },
  };
}

function noMatch(): MessageNode {
  return {
    kind: 'message',
    icon: 'search-stop',
    text: vscode.l10n.t('No saved query matches. Search in texts too.'),
    command: { command: commands.savedQueryOpen, title: vscode.l10n.t('Open Saved Query...') },
  };
}

function rowOf(icon: string, text: string, command: string): MessageNode {
  return { kind: 'message', icon, text, command: { command, title: text } };
}

/** Returns rows with remedies for a failed connection; the view's message explains the failure. */
function waysOn(state: Extract<ConnectionState, { kind: 'failed' }>): MessageNode[] {
  const isConfigured = state.profile.source === 'settings';
  const remedies = failureRows(state.reason, state.actions);
  const others = [
    rowOf('pulse', vscode.l10n.t('Test Connection'), commands.connectionTest),
    ...(isConfigured ? [rowOf('edit', vscode.l10n.t('Edit Connection...'), commands.connectionEdit)] : []),
    rowOf('plug', vscode.l10n.t('Connect to Another...'), commands.connectionConnect),
    rowOf('output', vscode.l10n.t('Show Log'), commands.logShow),
  ];
  const offered = new Set(remedies.map(({ command }) => command?.command));
  return [...remedies, ...others.filter(({ command }) => !offered.has(command?.command))];
}
