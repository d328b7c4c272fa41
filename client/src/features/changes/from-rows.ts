/**
 * Derives the targets of a change from the rows of a result: guesses the ID columns by name and content, then asks the
 * user to confirm.
 */
import * as vscode from 'vscode';
import { rowWords } from '#client/ui/format-row-count.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { isMembershipKind, type Operation, type OperationKind } from '#core/changes/change.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { mayHoldIds } from '#core/records/record-id.ts';
import type { IdentifiedId, RecordsFeature } from '../records/index.ts';
import type { SelectedRows } from '../results/index.ts';
import { idsNeeded, parseOperations, type IdName } from './ask-operations.ts';
import { operationWords } from './change-labels.ts';

export interface RowChange {
  readonly kind: OperationKind;
  readonly operations: readonly Operation[];
  /** The column with the IDs, if it was taken without a question. */
  readonly taken?: string | undefined;
}

interface RowOptions {
  /** The index of the column that certainly holds the accounts' own IDs; undefined if none is known. */
  readonly own: number | undefined;
  /** Returns the record kind for the given ID, or undefined if unknown. */
  readonly identify: RecordsFeature['identify'];
}

/** Returns undefined if the user cancels. @throws ExpectedError if the rows contain no IDs. */
export async function changeOfRows(
  selected: Pick<SelectedRows, 'columns' | 'rows'>,
  options: RowOptions & { readonly hasMemberships: boolean },
): Promise<RowChange | undefined> {
  const named = await namedColumns(selected, options);
  if (!named.some(({ isLikely }) => isLikely)) {
    throw new ExpectedError(
      vscode.l10n.t(
        'The selected rows contain no global IDs. Add a column such as "global_id" to the query, and run it again.',
      ),
    );
  }
  const all: readonly OperationKind[] = [
    'disable-account',
    'remove-account-access',
    'remove-group-access',
    'add-member',
    'remove-member',
  ];
  const offered = all.filter((kind) => options.hasMemberships || !isMembershipKind(kind));
  // Only the first ID of a column is known, so the other kinds follow.
  const fits = (kind: OperationKind): boolean =>
    idsNeeded(kind).some((name) => named.some((column) => mayBe(column, name)));
  const kinds = [...offered.filter(fits), ...offered.filter((kind) => !fits(kind))];
  const chosen = await showQuickPick(
    kinds.map((kind) => ({
      label: operationWords(kind).title,
      detail: operationWords(kind).effect,
      operation: kind,
    })),
    {
      title: vscode.l10n.t('Change Selected Records: {0}', rowWords(selected.rows.length)),
      matchOnDetail: true,
    },
  );
  return chosen && (await changeIn(named, { kind: chosen.operation, rows: selected.rows, own: options.own }));
}

/**
 * Returns the given change of the selected rows; `other` if they are not the records that it changes, or if the user
 * means another one.
 */
export async function changeOfSuchRows(
  kind: OperationKind,
  selected: Pick<SelectedRows, 'columns' | 'rows'>,
  options: RowOptions,
): Promise<RowChange | 'other' | undefined> {
  const named = await namedColumns(selected, options);
  const changed = idsNeeded(kind).at(-1);
  const column =
    changed === 'account'
      ? accountColumn(named, options.own)
      : named.find((one) => mayBe(one, 'group') && rankOfName(one.name, 'group') > 0);
  if (column === undefined) return 'other';
  const rows = {
    label: vscode.l10n.t('Selected: {0}', rowWords(selected.rows.length)),
    ...(selected.rows.length === 1 ? { description: column.known?.words ?? column.sample } : {}),
  };
  const other = { label: vscode.l10n.t('Another ID...'), alwaysShow: true };
  const chosen = await showQuickPick([rows, other], { title: operationWords(kind).title });
  if (chosen === undefined) return undefined;
  return chosen === other ? 'other' : await changeIn(named, { kind, rows: selected.rows, own: options.own });
}

/** Returns the columns that may hold IDs, with what is known of their first ID. */
async function namedColumns(
  { columns, rows }: Pick<SelectedRows, 'columns' | 'rows'>,
  { identify }: RowOptions,
): Promise<readonly NamedColumn[]> {
  const candidates = columns.flatMap(({ name }, index) => {
    const ids = rows.map((row) => row[index] ?? '');
    return ids.some((id) => id !== '') && ids.every((id) => id === '' || looksLikeId(id))
      ? [{ name, index }]
      : [];
  });
  return await withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking up the IDs') },
    () =>
      Promise.all(
        candidates.map(async (column) => {
          const sample = rows.map((row) => row[column.index] ?? '').find((id) => id !== '') ?? '';
          const known = await identify(sample);
          const isRecord = known && known.collection !== undefined;
          return { ...column, sample, known, isLikely: mayHoldIds({ name: column.name, sample, isRecord }) };
        }),
      ),
  );
}

/** Asks for the columns that are not certain. Returns undefined if the user cancels. */
async function changeIn(
  named: readonly NamedColumn[],
  {
    kind,
    rows,
    own,
  }: { readonly kind: OperationKind; readonly rows: SelectedRows['rows']; readonly own: number | undefined },
): Promise<RowChange | undefined> {
  const idsOf = new Map<IdName, (row: readonly (string | null)[]) => string>();
  const certain = certainColumn(kind, named, own);
  for (const name of idsNeeded(kind)) {
    const pick = certain === undefined ? await chooseColumn(kind, name, named) : idIn(certain);
    if (pick === undefined) return undefined;
    idsOf.set(name, pick);
  }
  const ids = rows.map((row) => Object.fromEntries([...idsOf].map(([name, pick]) => [name, pick(row)])));
  // Rows without an ID have no target.
  const complete = ids.filter((row) => Object.values(row).every((id) => id !== ''));
  return { kind, operations: parseOperations(kind, complete) ?? [], taken: certain?.name };
}

/** Returns whether a string is one word and not a number. IDs are otherwise opaque. */
function looksLikeId(text: string): boolean {
  return /^[^\s{}[\]"]{8,200}$/.test(text) && !/^[-+\d.:TZ]+$/.test(text) && !text.includes('@');
}

/**
 * Returns the only column that may hold the accounts of a change that needs nothing else: the accounts' own IDs, or the
 * only IDs. The confirmation names the accounts and the column, so asking would add nothing.
 */
function certainColumn(
  kind: OperationKind,
  columns: readonly NamedColumn[],
  own: number | undefined,
): NamedColumn | undefined {
  const [name, ...others] = idsNeeded(kind);
  return name === 'account' && others.length === 0 ? accountColumn(columns, own) : undefined;
}

function accountColumn(columns: readonly NamedColumn[], own: number | undefined): NamedColumn | undefined {
  const likely = columns.filter(({ isLikely }) => isLikely);
  const column = columns.find(({ index }) => index === own) ?? (likely.length === 1 ? likely[0] : undefined);
  return column !== undefined && rank(column, 'account') >= byRecordRank ? column : undefined;
}

const idIn =
  ({ index }: Pick<NamedColumn, 'index'>) =>
  (row: readonly (string | null)[]) =>
    row[index] ?? '';

async function chooseColumn(
  kind: OperationKind,
  name: IdName,
  candidates: readonly NamedColumn[],
): Promise<((row: readonly (string | null)[]) => string) | undefined> {
  const ranked = [...candidates].sort((a, b) => rank(b, name) - rank(a, name));
  const other: vscode.QuickPickItem & { readonly index: number } = {
    label: vscode.l10n.t('Another ID, the same for all rows...'),
    index: -1,
  };
  const itemOf = (column: NamedColumn) => ({
    label: column.name,
    description: column.known?.words ?? column.sample,
    ...(column.known === undefined ? {} : { detail: column.sample }),
    index: column.index,
  });
  const first = ranked.filter((column) => mayBe(column, name));
  const last = ranked.filter((column) => !first.includes(column));
  const chosen = await showQuickPick([...first.map(itemOf), other, ...last.map(itemOf)], {
    title: operationWords(kind).title,
    placeHolder: columnQuestion(name),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  if (chosen.index >= 0) return idIn(chosen);
  const typed = await showInputBox({
    title: `${operationWords(kind).title}: ${titleOf(name)}`,
    ignoreFocusOut: true,
    validateInput: (text) => (looksLikeId(text.trim()) ? undefined : vscode.l10n.t('A global ID.')),
  });
  return typed === undefined ? undefined : () => typed.trim();
}

/** A column with its first ID and that ID's kind. */
interface NamedColumn {
  readonly name: string;
  readonly index: number;
  readonly sample: string;
  readonly known: IdentifiedId | undefined;
  /** Whether the column may hold IDs; others follow all choices. */
  readonly isLikely: boolean;
}

/** Returns whether the column may hold such IDs: its first ID is not known to be of another kind. */
function mayBe({ isLikely, known }: NamedColumn, name: IdName): boolean {
  return isLikely && rankOfRecord(known?.collection, name) >= 0;
}

/** The rank of a column whose IDs are known to be of the wanted kind. */
const byRecordRank = 100;

/** Ranks columns, most likely first: the kind of the IDs outweighs the column name. */
function rank(column: NamedColumn, name: IdName): number {
  const byRecord = rankOfRecord(column.known?.collection, name);
  // The account that created or changed a record is rarely the target.
  const byAudit = /(?:created|modified|updated|changed)_?by$/i.test(column.name) ? -50 : 0;
  return byRecord + byAudit + rankOfName(column.name, name);
}

function rankOfRecord(collection: string | undefined, name: IdName): number {
  if (collection === undefined) return 0;
  // Applications and groups are not records, so they cannot be identified.
  return name === 'account' && collection === 'accounts' ? byRecordRank : -byRecordRank;
}

function rankOfName(column: string, name: IdName): number {
  const plain = column.toLowerCase().replaceAll('_', '');
  const words: Readonly<Record<IdName, readonly RegExp[]>> = {
    account: [
      /^globalid$/,
      /^accountglobalid$|^globalaccountid$/,
      /globalentityid/,
      /actoraccount/,
      /account/,
    ],
    application: [/^applicationglobalid$/, /globalassignedobjectid/, /application/, /object/],
    group: [/^groupglobalid$/, /globalentityid/, /group/, /^globalid$/],
  };
  const place = words[name].findIndex((word) => word.test(plain));
  return (place < 0 ? 0 : 10 - place) + (plain.includes('global') ? 1 : 0);
}

function columnQuestion(name: IdName): string {
  return {
    account: vscode.l10n.t('Which column holds the global ID of the account?'),
    application: vscode.l10n.t('Which column holds the global ID of the application?'),
    group: vscode.l10n.t('Which column holds the global ID of the group?'),
  }[name];
}

function titleOf(name: IdName): string {
  return {
    account: vscode.l10n.t('Account'),
    application: vscode.l10n.t('Application'),
    group: vscode.l10n.t('Group'),
  }[name];
}
