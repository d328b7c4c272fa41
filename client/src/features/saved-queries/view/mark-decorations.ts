/**
 * Badges for rows whose query has unsaved edits, is outdated, or is a control that has run. Rows have separate URIs, so
 * that tabs, which already have a dot, are unaffected.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { parseSavedQueryUri, savedQueryUri } from '../records/saved-query-uri.ts';
import type { QueryMark, QueryMarks } from './query-marks.ts';
import { outcomeDecoration, type QueryOutcomes } from './query-outcomes.ts';

const rowMarker = 'row';

export function rowUri(connectionKey: string, queryId: string): vscode.Uri {
  return savedQueryUri(connectionKey, { query_id: queryId, name: 'row' }).with({ query: rowMarker });
}

export function registerMarkDecorations(
  { marks, outcomes }: { readonly marks: QueryMarks; readonly outcomes: QueryOutcomes },
  connectionKey: () => string | undefined,
): DisposableLike {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new vscode.EventEmitter<vscode.Uri[]>());
  const draw = (queryIds: readonly string[]) => {
    const key = connectionKey();
    if (key !== undefined) onDidChange.fire(queryIds.map((queryId) => rowUri(key, queryId)));
  };
  disposables.add(marks.onDidChange(draw));
  disposables.add(outcomes.onDidChange((queryId) => draw([queryId])));
  disposables.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: onDidChange.event,
      provideFileDecoration: (uri) => {
        const address = uri.query === rowMarker ? parseSavedQueryUri(uri) : undefined;
        if (address === undefined || address.connection !== connectionKey()) return undefined;
        const mark = marks.get(address.queryId);
        if (mark !== undefined) return decorationOf(mark);
        const last = outcomes.get(address.queryId);
        return last && outcomeDecoration(last);
      },
    }),
  );
  return disposables;
}

/** Describes a mark, for tooltips and screen readers. */
export function describeMark(mark: QueryMark): string {
  switch (mark.kind) {
    case 'unsaved':
      return vscode.l10n.t('Unsaved changes');
    case 'conflict':
      return vscode.l10n.t(
        'Unsaved changes to version {0}; the service has version {1}',
        mark.base,
        mark.newest,
      );
    case 'outdated':
      return vscode.l10n.t('Version {0} is open, and the service has version {1}', mark.base, mark.newest);
    default:
      return mark satisfies never;
  }
}

function decorationOf(mark: QueryMark): vscode.FileDecoration {
  switch (mark.kind) {
    case 'unsaved':
      return new vscode.FileDecoration('\u25cf', describeMark(mark));
    case 'conflict':
      return new vscode.FileDecoration(
        '!',
        describeMark(mark),
        new vscode.ThemeColor('list.errorForeground'),
      );
    case 'outdated':
      return new vscode.FileDecoration(
        '\u2193',
        describeMark(mark),
        new vscode.ThemeColor('list.warningForeground'),
      );
    default:
      return mark satisfies never;
  }
}
