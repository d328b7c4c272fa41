/** Prompts for a change's application or group: a choice from the service's data, or typed input. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { readCandidates } from '#core/changes/candidates.ts';
import type { OperationKind } from '#core/changes/change.ts';
import { helpLimitMs } from '#core/reading/time-limit.ts';
import type { IdName } from './ask-operations.ts';
import { operationWords } from './change-labels.ts';

/** Returns undefined if the user cancels. */
export async function chooseId(
  client: ServiceClient,
  kind: OperationKind,
  { name, account }: { readonly name: Exclude<IdName, 'account'>; readonly account: string },
): Promise<string | undefined> {
  const candidates = await withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: vscode.l10n.t('Loading choices'),
    },
    () => readCandidates(client, kind, { account, signal: AbortSignal.timeout(helpLimitMs) }),
  );
  const likely = name === 'application' ? /application/i : /group/i;
  const sorted = [...candidates].sort((a, b) => Number(likely.test(b.type)) - Number(likely.test(a.type)));
  const title = operationWords(kind).title;
  const type = { label: vscode.l10n.t('Another ID...'), id: undefined, alwaysShow: true };
  const items = sorted.map((one) => ({ label: one.name, description: one.type, detail: one.id, id: one.id }));
  const chosen = await showQuickPick([...items, type], {
    title,
    placeHolder: name === 'application' ? vscode.l10n.t('Which application?') : vscode.l10n.t('Which group?'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined || chosen.id !== undefined) return chosen?.id;
  const typed = await showInputBox({
    title,
    prompt: vscode.l10n.t('A global ID'),
    ignoreFocusOut: true,
    validateInput: (text) => (/^\S+$/.test(text.trim()) ? undefined : vscode.l10n.t('A global ID.')),
  });
  return typed?.trim();
}
