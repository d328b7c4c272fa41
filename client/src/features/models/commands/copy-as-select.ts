/** Creates a SELECT statement for the clipboard, with the chosen columns, or with all columns if none are chosen. */
import * as vscode from 'vscode';
import { ExpectedError } from '#core/failures/failure.ts';
import { selectRows } from '#core/models/sql-text.ts';
import { tableOf, type SchemaNode } from '../model-nodes.ts';

/** @throws ExpectedError if the rows belong to several tables or to none. */
export function selectOf(nodes: readonly SchemaNode[]): string {
  const [first] = nodes;
  const { model, table } = tableOf(first);
  const isOfOneTable = nodes.every(
    (node) => node.kind !== 'model' && node.model === model && node.table.name === table.name,
  );
  if (!isOfOneTable)
    throw new ExpectedError(vscode.l10n.t('Select one table, or some of its columns, to copy a SELECT.'));
  const chosen = nodes.flatMap((node) => (node.kind === 'column' ? [node.column] : []));
  return selectRows(chosen.length === nodes.length ? { ...table, columns: chosen } : table);
}
