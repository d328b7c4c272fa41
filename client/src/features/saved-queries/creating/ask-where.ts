/** Where to keep a draft while no service is connected, or while nothing can be saved there. */
import * as vscode from 'vscode';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';

type Place = 'service' | 'connect' | 'file';

/**
 * @param connection the connection that can be connected to again, if there is one.
 * @param refused why nothing can be saved on the service, which is connected.
 */
export async function askWhere(connection: string | undefined, refused?: string): Promise<Place | undefined> {
  const service = {
    place: connection === undefined ? ('connect' as const) : ('service' as const),
    label:
      connection === undefined
        ? vscode.l10n.t('Connect to a Service...')
        : vscode.l10n.t('Save to "{0}"', connection),
    detail:
      connection === undefined
        ? vscode.l10n.t('To keep the query there, with versions')
        : (refused ?? vscode.l10n.t('As a saved query, with versions')),
    iconPath: new vscode.ThemeIcon(
      connection === undefined ? 'plug' : refused === undefined ? 'cloud-upload' : 'circle-slash',
    ),
  };
  const file = {
    place: 'file' as const,
    label: vscode.l10n.t('Save as File...'),
    detail: vscode.l10n.t('On this machine, as .identity.sql'),
    iconPath: new vscode.ThemeIcon('file'),
  };
  const chosen = await showQuickPick(refused === undefined ? [service, file] : [file, service], {
    title: vscode.l10n.t('Save New Query'),
    placeHolder: vscode.l10n.t('Where do you want to keep it?'),
  });
  return chosen?.place;
}
