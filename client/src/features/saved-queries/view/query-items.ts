/** Creates the items for rows of the Saved Queries view: icons, labels, tooltips and accessible labels. */
import * as vscode from 'vscode';
import { isSingular } from '#base/translate.ts';
import { dayOrClockText, momentText } from '#base/words/moment-text.ts';
import { commands } from '#client/contributions.ts';
import { locale } from '#client/ui/locale.ts';
import { ShownMarkdown } from '#client/ui/shown/markdown.ts';
import { outcomeText, type LastOutcome } from '#core/controls/outcome-messages.ts';
import { changedAt, type QueryGroup } from '#core/saved-queries/arrange-queries.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { versionUri } from '../versions/version-documents.ts';
import { describeMark, rowUri } from './mark-decorations.ts';
import type { QueryMark } from './query-marks.ts';
import {
  idOfQueryNode,
  type GroupNode,
  type MoreNode,
  type QueryNode,
  type VersionNode,
} from './query-nodes.ts';
import { describeOutcome } from './query-outcomes.ts';

export function groupItem(node: GroupNode, group: QueryGroup, startsOpen: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(
    labelOfGroup(group),
    startsOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  // Include the initial state in the ID, since the editor stores the expansion state by ID.
  item.id = `group:${startsOpen ? 'open' : 'closed'}:${node.key}`;
  item.iconPath = new vscode.ThemeIcon(iconOfGroup[group.kind]);
  item.description = group.count.toLocaleString(locale());
  item.contextValue = group.kind === 'recent' ? 'recentQueries' : 'group';
  const queries = vscode.l10n.t(
    isSingular(group.count, locale()) ? '{0} saved query' : '{0} saved queries',
    group.count.toLocaleString(locale()),
  );
  item.accessibilityInformation = { label: `${labelOfGroup(group)}, ${queries}` };
  return item;
}

const iconOfGroup: Record<QueryGroup['kind'], string> = {
  root: 'folder',
  favourites: 'star-full',
  recent: 'history',
  prefix: 'folder',
  model: 'database',
  author: 'account',
};

function labelOfGroup(group: QueryGroup): string {
  switch (group.kind) {
    case 'favourites':
      return vscode.l10n.t('Favorites');
    case 'recent':
      return vscode.l10n.t('Recently Opened');
    case 'author':
      return group.label === '' ? vscode.l10n.t('Unknown author') : group.label;
    case 'root':
    case 'prefix':
    case 'model':
      return group.label;
    default:
      return group.kind satisfies never;
  }
}

export interface QueryItemFacts {
  readonly query: KnownQuery;
  readonly label: string;
  /** The query's folder, if the row is shown outside of it; otherwise empty. */
  readonly folder: string;
  readonly uri: vscode.Uri;
  /** From `connectionKeyOf`, so that a row survives a rename of its connection. */
  readonly connectionKey: string;
  readonly isFavourite: boolean;
  readonly mark: QueryMark | undefined;
  /** The last outcome of a control that ran on this machine. */
  readonly outcome: LastOutcome | undefined;
  /** Whether to show the time of the last change next to the name. */
  readonly isDated: boolean;
}

export function queryItem(node: QueryNode, facts: QueryItemFacts): vscode.TreeItem {
  const { query, label, connectionKey, isFavourite, mark, outcome } = facts;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOfQueryNode(node);
  item.contextValue = isFavourite ? 'savedQuery favourite' : 'savedQuery';
  item.iconPath = new vscode.ThemeIcon(isFavourite ? 'star-full' : 'file-code');
  const changed = changedAt(query);
  const dated = facts.isDated && changed > 0;
  // The author comes last, since a narrow view cuts off the end.
  const author = dated ? (query.last_modified_by?.id ?? '') : '';
  const ended = outcome === undefined ? '' : outcomeText(outcome);
  const beside = [`v${query.version}`, ended, dated ? dayOrClockText(changed) : '', facts.folder, author];
  item.description = beside.filter((part) => part !== '').join(' \u00b7 ');
  item.tooltip = tooltipOf(query, mark, outcome);
  item.resourceUri = rowUri(connectionKey, query.query_id);
  const spoken = [
    query.name,
    vscode.l10n.t('version {0}', query.version),
    vscode.l10n.t('model {0}', query.model),
    ...(isFavourite ? [vscode.l10n.t('favorite')] : []),
    ...(mark === undefined ? [] : [describeMark(mark)]),
    ...(outcome === undefined ? [] : [describeOutcome(outcome)]),
  ];
  item.accessibilityInformation = { label: spoken.join(', ') };
  // The editor's own command: clicks, Enter, previews and focus then follow the person's settings, as for files.
  item.command = { command: 'vscode.open', title: vscode.l10n.t('Open Saved Query'), arguments: [facts.uri] };
  return item;
}

export function versionItem(
  node: VersionNode,
  connection: string,
  newest: KnownQuery | undefined,
): vscode.TreeItem {
  const { record, seenAt } = node.kept;
  const item = new vscode.TreeItem(vscode.l10n.t('Version {0}', record.version));
  // The same when this machine has kept it, so that an open menu still means it.
  item.id = `version:${idOfQueryNode(node.parent)}:${record.version}:${node.place}`;
  const isNewest = newest?.version === record.version;
  item.contextValue = [
    'queryVersion',
    ...(isNewest ? ['newest'] : []),
    ...(node.hasPrevious ? [] : ['first']),
  ].join(' ');
  item.iconPath = new vscode.ThemeIcon(isNewest ? 'git-commit' : 'circle-small');
  const time = Date.parse(record.last_modified_at ?? '');
  const when = Number.isNaN(time) ? seenAt : time;
  const author = record.last_modified_by?.id;
  const renamed = node.nameBefore === undefined ? [] : [vscode.l10n.t('renamed from "{0}"', node.nameBefore)];
  const beside = [
    ...(when === undefined ? [] : [dayOrClockText(when)]),
    ...(author === undefined ? [] : [author]),
    ...renamed,
  ];
  item.description = beside.join(' \u00b7 ');
  item.tooltip = versionTooltip(node, newest);
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Version {0} of {1}', record.version, record.name), ...beside].join(', '),
  };
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open Version'),
    arguments: [versionUri(connection, record)],
  };
  return item;
}

export function moreItem(node: MoreNode, shown: number): vscode.TreeItem {
  const more = Math.min(shown, node.left).toLocaleString(locale());
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} more', more));
  item.id = `more:${node.groupKey}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.description = vscode.l10n.t('{0} not shown', node.left.toLocaleString(locale()));
  item.command = {
    command: commands.savedQueriesShowMore,
    title: vscode.l10n.t('Show More'),
    arguments: [node.groupKey],
  };
  return item;
}

function tooltipOf(
  query: KnownQuery,
  mark: QueryMark | undefined,
  outcome: LastOutcome | undefined,
): vscode.MarkdownString {
  const text = new ShownMarkdown().bold(query.name);
  if (mark !== undefined) text.text(describeMark(mark));
  if (outcome !== undefined) text.text(describeOutcome(outcome));
  text.text(query.description ?? '');
  text.text(vscode.l10n.t('Version {0}, model {1}', query.version, query.model));
  if (query.last_modified_at !== undefined)
    text.text(changedLine(query.last_modified_at, query.last_modified_by?.id));
  if (query.created_at !== undefined) text.text(createdLine(query.created_at, query.created_by?.id));
  return text.build();
}

function versionTooltip({ kept: { record, seenAt } }: VersionNode, newest: KnownQuery | undefined) {
  const text = new ShownMarkdown();
  text.text(vscode.l10n.t('Version {0} of {1}', record.version, record.name));
  if (record.last_modified_at !== undefined)
    text.text(changedLine(record.last_modified_at, record.last_modified_by?.id));
  if (seenAt !== undefined) text.text(vscode.l10n.t('First seen here on {0}', momentText(seenAt)));
  if (newest?.version === record.version) text.text(vscode.l10n.t('This is the newest version known.'));
  return text.build();
}

function changedLine(at: string, by: string | undefined): string {
  const date = momentText(at);
  return by === undefined
    ? vscode.l10n.t('Last changed {0}', date)
    : vscode.l10n.t('Last changed {0} by {1}', date, by);
}

function createdLine(at: string, by: string | undefined): string {
  const date = momentText(at);
  return by === undefined
    ? vscode.l10n.t('Created {0}', date)
    : vscode.l10n.t('Created {0} by {1}', date, by);
}
