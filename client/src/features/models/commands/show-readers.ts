/**
 * Shows the saved queries that read a column: first those that return its values, then those that only filter by it.
 */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ColumnName } from '#server/protocol.ts';
import type { ModelsDependencies } from '../dependencies.ts';
import type { SchemaNode } from '../model-nodes.ts';
import type { QueryRecord, QuerySource } from '../query-source.ts';
import type { Uses } from '../uses.ts';

export async function showReaders(
  node: SchemaNode | undefined,
  { uses, deps }: { readonly uses: Uses; readonly deps: ModelsDependencies },
): Promise<void> {
  const column = node === undefined ? await columnAtCursor(deps) : columnOf(node);
  if (column === undefined) return;
  const name = `${column.table}.${column.column}`;
  const index = await uses.current();
  const items = itemsOf(index.readersOf(column), deps.queries);
  if (items.length === 0) throw new ExpectedError(vscode.l10n.t('No known saved query reads {0}.', name));
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Saved Queries That Read {0}', name),
    placeHolder: vscode.l10n.t('Open a saved query'),
    matchOnDetail: true,
  });
  if (chosen?.queryId !== undefined)
    await vscode.commands.executeCommand(commands.savedQueryOpen, { queryId: chosen.queryId });
}

function columnOf(node: SchemaNode): ColumnName {
  if (node.kind !== 'column')
    throw new ExpectedError(vscode.l10n.t('Choose a column in the Models view first.'));
  return { model: node.model, table: node.table.name, column: node.column.name };
}

/** If the expression uses several columns, the user chooses one. Returns undefined if the user cancels. */
async function columnAtCursor({ language }: ModelsDependencies): Promise<ColumnName | undefined> {
  const editor = vscode.window.activeTextEditor;
  const columns =
    editor === undefined ? [] : await language.columnsAt(editor.document, editor.selection.active);
  if (columns.length === 0)
    throw new ExpectedError(vscode.l10n.t('Put the cursor on a column of a table first.'));
  if (columns.length === 1) return columns[0];
  const items = columns.map((column) => ({
    label: `${column.table}.${column.column}`,
    description: column.model,
    column,
  }));
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Columns of This Expression'),
    placeHolder: vscode.l10n.t('Choose a column to see its readers'),
  });
  return chosen?.column;
}

interface ReaderItem extends vscode.QuickPickItem {
  /** Undefined for a separator between groups. */
  readonly queryId?: string;
}

function itemsOf(
  readers: ReadonlyMap<string, readonly string[]>,
  queries: QuerySource,
): readonly ReaderItem[] {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const known = [...readers]
    .flatMap(([queryId, outputs]) => {
      const query = queries.get(queryId);
      return query === undefined ? [] : [{ query, outputs }];
    })
    .sort((a, b) => collator.compare(a.query.name, b.query.name));
  const shown = known.filter(({ outputs }) => outputs.length > 0);
  const others = known.filter(({ outputs }) => outputs.length === 0);
  return [
    ...group(vscode.l10n.t('In the result'), shown),
    ...group(vscode.l10n.t('Only to filter, join or sort rows'), others),
  ];
}

function group(
  label: string,
  readers: readonly { readonly query: QueryRecord; readonly outputs: readonly string[] }[],
): readonly ReaderItem[] {
  if (readers.length === 0) return [];
  return [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...readers.map(({ query, outputs }) => ({
      label: query.name,
      description: vscode.l10n.t('v{0}, {1}', query.version, query.model),
      ...(outputs.length === 0
        ? {}
        : {
            detail:
              outputs.length === 1
                ? vscode.l10n.t('Column {0}', outputs[0] ?? '')
                : vscode.l10n.t('Columns {0}', outputs.slice(0, shownMax).join(', ')),
          }),
      queryId: query.query_id,
    })),
  ];
}

/** Maximum number of column names on one line. */
const shownMax = 8;
