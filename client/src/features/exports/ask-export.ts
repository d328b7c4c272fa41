/** Prompts for the data set, file format and link lifetime of an export. */
import * as vscode from 'vscode';
import { downloadFormats, type DownloadCreate } from '#api/contract/downloads.ts';
import { limits } from '#api/contract/limits.ts';
import { anything, object, unfit } from '#client/ui/arguments.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import { contextGroups, isContext, type ContextGroup } from '#core/exports/export-contexts.ts';
import { ExpectedError } from '#core/failures/failure.ts';

/**
 * Returns undefined if the user cancels.
 * @param served the data sets that the service has; undefined if it may have all
 * @throws ExpectedError if it has none
 */
export async function askExport(served: readonly string[] | undefined): Promise<DownloadCreate | undefined> {
  if (served?.length === 0)
    throw new ExpectedError(
      vscode.l10n.t('This service exports no data sets: its mapping has no queries for them.'),
    );
  const context = await askContext(served);
  if (context === undefined) return undefined;
  const fileFormat = await showQuickPick(
    [
      {
        label: 'CSV',
        detail: vscode.l10n.t('Comma-separated values with a header'),
        fileFormat: downloadFormats[0],
      },
      { label: 'JSON Lines', detail: vscode.l10n.t('One object per line'), fileFormat: downloadFormats[1] },
    ],
    { title: vscode.l10n.t('{0}: File format', contextTitle(context)), ignoreFocusOut: true },
  );
  if (fileFormat === undefined) return undefined;
  const minutes = await showInputBox({
    title: vscode.l10n.t('{0}: Link lifetime', contextTitle(context)),
    prompt: vscode.l10n.t(
      'In minutes, {0} to {1}. Leave empty to let the service decide.',
      limits.urlTtlMinutesMin,
      limits.urlTtlMinutesMax,
    ),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || minutesOf(text) !== undefined
        ? undefined
        : vscode.l10n.t(
            'Enter a whole number from {0} to {1}, or leave it empty.',
            limits.urlTtlMinutesMin,
            limits.urlTtlMinutesMax,
          ),
  });
  if (minutes === undefined) return undefined;
  const urlTtlMinutes = minutesOf(minutes);
  return {
    context,
    fileFormat: fileFormat.fileFormat,
    ...(urlTtlMinutes === undefined ? {} : { urlTtlMinutes }),
  };
}

const given = object({ context: anything, fileFormat: anything, urlTtlMinutes: anything });

/** Parses a command's argument; returns undefined if it is invalid. */
export function parseExport(argument: unknown): DownloadCreate | undefined {
  const asked = given(argument);
  if (asked === unfit || !isContext(asked.context)) return undefined;
  const format = downloadFormats.find((one) => one === asked.fileFormat);
  const minutes = minutesOf(String(asked.urlTtlMinutes));
  return {
    context: asked.context,
    ...(format === undefined ? {} : { fileFormat: format }),
    ...(minutes === undefined ? {} : { urlTtlMinutes: minutes }),
  };
}

async function askContext(served: readonly string[] | undefined) {
  const items = Object.entries(contextGroups).flatMap(([group, all]) => {
    const contexts = all.filter((context) => served?.includes(context) !== false);
    if (contexts.length === 0) return [];
    return [
      {
        label: groupTitle(group as ContextGroup),
        kind: vscode.QuickPickItemKind.Separator,
        context: undefined,
      }, // the object's own keys
      ...contexts.map((context) => ({ label: contextTitle(context), description: context, context })),
    ];
  });
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Create Export: Data Set'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.context;
}

function groupTitle(group: ContextGroup): string {
  return {
    accessBundles: vscode.l10n.t('Access bundles'),
    accessInventory: vscode.l10n.t('Access inventory'),
    identityAndEmployees: vscode.l10n.t('Identity and employees'),
    utilization: vscode.l10n.t('Utilization'),
    riskAndActivity: vscode.l10n.t('Risk and activity'),
    identityAssessments: vscode.l10n.t('Identity assessments'),
    identityLifecycle: vscode.l10n.t('Identity lifecycle'),
    externalAccess: vscode.l10n.t('External access'),
    accessRequests: vscode.l10n.t('Access requests'),
    accessReviews: vscode.l10n.t('Access reviews'),
    referenceData: vscode.l10n.t('Reference data'),
  }[group];
}

function minutesOf(text: string): number | undefined {
  const minutes = Number(text.trim());
  return /^\d+$/.test(text.trim()) && minutes >= limits.urlTtlMinutesMin && minutes <= limits.urlTtlMinutesMax
    ? minutes
    : undefined;
}
