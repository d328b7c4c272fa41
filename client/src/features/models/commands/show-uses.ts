/** Lists the saved queries that use a table or column; choosing one opens it. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { SchemaNode } from '../model-nodes.ts';
import type { QuerySource } from '../query-source.ts';
import type { Uses } from '../uses.ts';
import { qualifiedName } from './names.ts';

export async function showUses(node: SchemaNode, uses: Uses, queries: QuerySource): Promise<void> {
  if (node.kind === 'model')
    throw new ExpectedError(vscode.l10n.t('Choose a table or a column in the Models view first.'));
  const index = await uses.current();
  const users = [...index.of(node)].flatMap((queryId) => queries.get(queryId) ?? []);
  if (users.length === 0)
    throw new ExpectedError(vscode.l10n.t('No known saved query uses {0}.', qualifiedName(node)));
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const items = users
    .sort((a, b) => collator.compare(a.name, b.name))
    .map((query) => ({
      label: query.name,
      description: vscode.l10n.t('v{0}, {1}', query.version, query.model),
      ...(query.description ? { detail: query.description } : {}),
      queryId: query.query_id,
    }));
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Saved Queries That Use {0}', qualifiedName(node)),
    placeHolder: vscode.l10n.t('Open a saved query'),
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  await vscode.commands.executeCommand(commands.savedQueryOpen, { queryId: chosen.queryId });
}
