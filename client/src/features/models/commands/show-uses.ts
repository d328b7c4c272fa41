/**
 * Lists the saved queries that read a table or a column; choosing one opens it. Of those that read a column, the ones
 * that return its values come first.
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
import { qualifiedName } from './names.ts';

/** @param node a row of the view; otherwise the column at the cursor is meant. */
export async function showUses(
  node: SchemaNode | undefined,
  { uses, deps }: { readonly uses: Uses; readonly deps: ModelsDependencies },
): Promise<void> {
  if (node?.kind === 'model')
    throw new ExpectedError(vscode.l10n.t('Choose a table or a column in the Models view first.'));
  let name: string;
  let items: readonly UseItem[];
  if (node?.kind === 'table') {
    name = qualifiedName(node);
    const users = (await uses.current()).of(node);
    items = sorted(
      [...users].map((id) => [id, []] as const),
      deps.queries,
    ).map(itemOf);
  } else {
    const column =
      node === undefined
        ? await columnAtCursor(deps)
        : { model: node.model, table: node.table.name, column: node.column.name };
    if (column === undefined) return;
    name = `${column.table}.${column.column}`;
    const readers = sorted((await uses.current()).readersOf(column), deps.queries);
    items = [
      ...group(
        vscode.l10n.t('In the result'),
        readers.filter(({ outputs }) => outputs.length > 0),
      ),
      ...group(
        vscode.l10n.t('Only to filter, join or sort rows'),
        readers.filter(({ outputs }) => outputs.length === 0),
      ),
    ];
  }
  if (items.length === 0) throw new ExpectedError(vscode.l10n.t('No known saved query reads {0}.', name));
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Saved Queries That Read {0}', name),
    placeHolder: vscode.l10n.t('Open a saved query'),
    matchOnDetail: true,
  });
  if (chosen?.queryId !== undefined)
    await vscode.commands.executeCommand(commands.savedQueryOpen, { queryId: chosen.queryId });
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

interface UseItem extends vscode.QuickPickItem {
  /** Undefined for a separator between groups. */
  readonly queryId?: string;
}

interface Reader {
  readonly query: QueryRecord;
  /** The columns of its result that hold the values. */
  readonly outputs: readonly string[];
}

function sorted(
  readers: Iterable<readonly [string, readonly string[]]>,
  queries: QuerySource,
): readonly Reader[] {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return [...readers]
    .flatMap(([queryId, outputs]) => {
      const query = queries.get(queryId);
      return query === undefined ? [] : [{ query, outputs }];
    })
    .sort((a, b) => collator.compare(a.query.name, b.query.name));
}

function group(label: string, readers: readonly Reader[]): readonly UseItem[] {
  if (readers.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...readers.map(itemOf)];
}

function itemOf({ query, outputs: [first, ...others] }: Reader): UseItem {
  const detail =
    first === undefined
      ? query.description
      : others.length === 0
        ? vscode.l10n.t('Column {0}', first)
        : vscode.l10n.t('Columns {0}', [first, ...others].slice(0, shownMax).join(', '));
  return {
    label: query.name,
    description: vscode.l10n.t('v{0}, {1}', query.version, query.model),
    ...(detail ? { detail } : {}),
    queryId: query.query_id,
  };
}

/** Maximum number of column names on one line. */
const shownMax = 8;
