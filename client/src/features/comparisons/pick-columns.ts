/** Prompts for the key columns and for the columns to compare. */
import * as vscode from 'vscode';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { keyPlaces } from '#core/rows/compare/compare-sides.ts';
import type { ColumnPair } from '#core/rows/compare/diff.ts';
import type { ResultOperations } from '#core/rows/result-operations.ts';
import type { Side } from './side.ts';

/** @returns the column names, empty to compare whole rows; undefined if the user cancels. */
export async function pickKeys(
  pairs: readonly ColumnPair[],
  options: {
    readonly chosen: readonly string[];
    readonly operations: ResultOperations;
    readonly sides: Readonly<Record<'before' | 'after', Side>>;
  },
): Promise<readonly string[] | undefined> {
  const { chosen, operations, sides } = options;
  const data = { before: sides.before.rows.data, after: sides.after.rows.data };
  const suggested = await operations.suggestKeys(data, pairs);
  const places = keyPlaces(pairs, chosen);
  const picked = await showQuickPick(
    pairs.map(({ name, type }, place) => ({
      label: name,
      description: [isNamed(type) ? type : '', suggested.includes(place) ? vscode.l10n.t('suggested') : '']
        .filter((word) => word !== '')
        .join(' · '),
      picked: places.includes(place),
    })),
    {
      title: vscode.l10n.t('Key Columns: Rows with the Same Values Here Belong Together'),
      placeHolder: vscode.l10n.t(
        'Columns that identify a row, such as IDs. Choose none to compare whole rows',
      ),
      canPickMany: true,
    },
  );
  return picked?.map(({ label }) => label);
}

/** @returns the names of columns to show but not compare; undefined if the user cancels. */
export async function pickIgnored(
  pairs: readonly ColumnPair[],
  { keys, ignored }: { readonly keys: readonly string[]; readonly ignored: readonly string[] },
): Promise<readonly string[] | undefined> {
  const others = pairs.filter(({ name }) => !keys.includes(name));
  const picked = await showQuickPick(
    others.map(({ name, type }) => ({
      label: name,
      description: isNamed(type) ? type : '',
      picked: !ignored.includes(name),
    })),
    {
      title: vscode.l10n.t('Columns to Compare'),
      placeHolder: vscode.l10n.t(
        'A row counts as changed if one of these differs. The others are only shown',
      ),
      canPickMany: true,
    },
  );
  if (picked === undefined) return undefined;
  const compared = new Set(picked.map(({ label }) => label));
  return others.map(({ name }) => name).filter((name) => !compared.has(name));
}

function isNamed(type: string): boolean {
  return type !== '' && type !== 'unknown';
}
