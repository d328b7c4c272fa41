/** The rows below a query: its versions, or why there are none. */
import * as vscode from 'vscode';
import { isSameText } from '#core/saved-queries/same-text.ts';
import type { KnownVersion } from '#core/saved-queries/version-store.ts';
import type { QueryNode, SavedQueryNode, VersionNode } from './query-nodes.ts';

export function versionRows(
  parent: QueryNode,
  all: readonly KnownVersion[],
  isCut: boolean,
): readonly SavedQueryNode[] {
  if (all.length === 0) {
    const text = vscode.l10n.t('Versions appear here after you open or save them.');
    return [{ kind: 'message', icon: 'info', text }];
  }
  const last = all.at(-1)?.record.version ?? 0;
  const rows = all.map((each, index): VersionNode => {
    const { version } = each.record;
    return {
      kind: 'version',
      queryId: parent.queryId,
      version,
      parent,
      kept: each,
      place: index - all.findIndex(({ record }) => record.version === version),
      hasPrevious: last < version,
      nameBefore: nameBefore(each, all[index + 1]),
    };
  });
  if (!isCut) return rows;
  return [...rows, { kind: 'message', icon: 'info', text: vscode.l10n.t('Older versions are not shown.') }];
}

/** Returns the name of the version before, if a version only gave the query another one. */
function nameBefore({ record }: KnownVersion, before: KnownVersion | undefined): string | undefined {
  if (before?.record.version !== record.version - 1 || before.record.name === record.name) return undefined;
  return isSameText(before.record.query_string, record.query_string) ? before.record.name : undefined;
}
