/** Messages about a connection whose settings or permissions changed, loaded on first use. */
import * as vscode from 'vscode';
import type { Session } from '#client/session/session.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';

/** If a folder connection's permissions changed, it stays disconnected until the user reviews them. */
export async function tellChanged(
  profile: ConnectionProfile,
  connect: (profile: ConnectionProfile) => Promise<void>,
): Promise<void> {
  const review = vscode.l10n.t('Review and Connect...');
  const chosen = await showInformationMessage(
    vscode.l10n.t(
      '{0} is not connected: the permissions that the folder "{1}" asks for have changed.',
      profile.name,
      profile.folderEntry?.folder ?? '',
    ),
    review,
  );
  if (chosen === review) await connect(profile);
}

/** Network settings apply to the next connection; the current one is unaffected. */
export async function networkChanged(
  session: Session,
  connect: (profile: ConnectionProfile) => Promise<void>,
): Promise<void> {
  const { state } = session;
  if (state.kind === 'failed' && !state.isAuthFailure) await session.connect(state.profile);
  if (state.kind !== 'connected') return;
  const again = vscode.l10n.t('Connect Again');
  const chosen = await showInformationMessage(
    vscode.l10n.t('The new network settings apply the next time you connect to {0}.', state.profile.name),
    again,
  );
  if (chosen === again && session.state.kind === 'connected') await connect(session.state.profile);
}
