/** Lists the first entries of a long list, for a message. */
import * as vscode from 'vscode';

/** Returns at most `most` entries, followed by the number of others. */
export function firstNames(names: readonly string[], most: number): string {
  const others = names.length - most;
  return [...names.slice(0, most), ...(others > 0 ? [vscode.l10n.t('{0} more', others)] : [])].join(', ');
}
