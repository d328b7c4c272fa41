/** Parses the ID of a saved query or a link to one, as entered by the user or passed by another extension. */
import * as vscode from 'vscode';
import { isUuid } from '#base/values/uuid.ts';
import { copiedText } from '#client/ui/copied-text.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { isQueryId, parseQueryLink, type QueryLink } from '#core/saved-queries/query-links.ts';

/** Parses an ID, or a link from Copy Link. */
export function linkOrId(text: string): QueryLink | undefined {
  const value = text.trim();
  if (isLink(value)) return parseQueryLink(vscode.Uri.parse(value));
  return isQueryId(value) ? { queryId: value, version: undefined, service: undefined } : undefined;
}

const isLink = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

export async function askForId(): Promise<QueryLink | undefined> {
  const given = await showInputBox({
    value: await copiedText((text) => isUuid(text) || (isLink(text) && linkOrId(text) !== undefined)),
    title: vscode.l10n.t('Open by ID or Link'),
    prompt: vscode.l10n.t('The ID of a saved query, or a link to one'),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' || linkOrId(value) !== undefined
        ? undefined
        : vscode.l10n.t('This is neither an ID nor a link to a saved query.'),
  });
  return given === undefined ? undefined : linkOrId(given);
}
