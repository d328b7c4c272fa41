/** Opens what has an ID of the service, and asks what that is only where the ID does not tell. */
import * as vscode from 'vscode';
import type { DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { isUuid } from '#base/values/uuid.ts';
import { commands } from '#client/contributions.ts';
import { connectedClient } from '#client/session/connected-client.ts';
import type { Session } from '#client/session/session.ts';
import { given, oneOf } from '#client/ui/arguments.ts';
import { copiedText } from '#client/ui/copied-text.ts';
import { isLink, linkOrId } from '#client/ui/link-or-id.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';

const openers = {
  query: commands.savedQueryOpenById,
  record: commands.recordOpenById,
  export: commands.exportsOpenById,
  job: commands.changesOpenJobById,
} as const;
type Kind = keyof typeof openers;

export function registerOpenById(deps: {
  readonly log: Logger;
  readonly session: Session;
  readonly isSavedQuery: (id: string) => boolean;
}): DisposableLike {
  let last: Kind = 'query';
  const kind = given(oneOf(['query', 'record', 'export', 'job']));
  return registerCommand(deps.log, commands.openById, [kind], async (wanted) => {
    await connectedClient(deps.session);
    const id = await askId();
    if (id === undefined) return;
    const told = isLink(id) ? 'query' : (wanted ?? (deps.isSavedQuery(id) ? 'query' : undefined));
    const chosen = told ?? (await askKind(id, last));
    if (chosen === undefined) return;
    last = chosen;
    await vscode.commands.executeCommand(openers[chosen], id);
  });
}

async function askId(): Promise<string | undefined> {
  const answer = await showInputBox({
    value: await copiedText((text) => isUuid(text) || (isLink(text) && linkOrId(text) !== undefined)),
    title: vscode.l10n.t('Open by ID or Link'),
    prompt: vscode.l10n.t('The ID of a saved query, record, export or job, or a link to a saved query'),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' || linkOrId(value) !== undefined
        ? undefined
        : vscode.l10n.t('This is neither an ID nor a link to a saved query.'),
  });
  const id = answer?.trim();
  return id === '' ? undefined : id;
}

/** @param last what was opened before, which is offered first. */
async function askKind(id: string, last: Kind): Promise<Kind | undefined> {
  const kinds: readonly { readonly label: string; readonly of: Kind }[] = [
    { label: vscode.l10n.t('Saved Query'), of: 'query' },
    { label: vscode.l10n.t('Record'), of: 'record' },
    ...(isUuid(id) ? [{ label: vscode.l10n.t('Export of Data'), of: 'export' } as const] : []),
    { label: vscode.l10n.t('Job of a Change'), of: 'job' },
  ];
  const sorted = kinds.toSorted((one, other) => Number(other.of === last) - Number(one.of === last));
  return (await showQuickPick(sorted, { title: vscode.l10n.t('What has this ID?') }))?.of;
}
