/** Places of commands in menus that many share, in a line each. */
import type { MenuPlace } from './contribution-types.ts';

type View = 'activity' | 'drift' | 'models' | 'records' | 'results' | 'savedQueries';

/** A clause that also has to hold. */
export const connected = 'identityQueries.connection == connected';

export function inTitle(view: View, group: string, also?: string): MenuPlace {
  return { in: 'view/title', when: clause(`view == identityQueries.${view}`, also), group };
}

/**
 * In the menu of a view's rows, once in each group.
 * @param item the rows' context value.
 */
export function onRows(
  view: View,
  item: string | RegExp,
  groups: readonly string[],
  also?: string,
): readonly MenuPlace[] {
  const isItem = typeof item === 'string' ? `viewItem == ${item}` : `viewItem =~ ${String(item)}`;
  const when = clause(`view == identityQueries.${view} && ${isItem}`, also);
  return groups.map((group) => ({ in: 'view/item/context', when, group }));
}

/** Over the rows of a result, which are in the panel or in an editor. */
export function overRows(group: string): readonly MenuPlace[] {
  return [
    inTitle('results', group),
    { in: 'editor/title', when: 'activeWebviewPanelId == identityQueries.result', group },
  ];
}

/** In the menu of the cells. @param where a condition on the result. */
export function onCells(group: string, where?: string): MenuPlace {
  const cells = "webviewSection == 'identityQueries.cells'";
  return { in: 'webview/context', when: where === undefined ? cells : clause(where, cells), group };
}

function clause(first: string, also: string | undefined): string {
  return also === undefined ? first : `${first} && ${also}`;
}
