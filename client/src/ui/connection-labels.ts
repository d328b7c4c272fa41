/** A connection's name and appearance throughout the product: text, supplemented by color. */
import * as vscode from 'vscode';
import { connectionPlace } from '#core/connections/connection-place.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { heldBack } from '#core/connections/folder-entry.ts';
import type { SecretOrigin } from '#core/connections/secret-origin.ts';
import type { FailureAction } from '#core/failures/failure.ts';
import { commands } from '../contributions.ts';

/** Returns the connection's label, and its environment if it has one that the label does not say. */
export function placeOf({ label, environment }: ConnectionProfile): string {
  return connectionPlace(label, environment);
}

/** Returns the connection's name with its label and environment. */
export function nameAndPlace(profile: ConnectionProfile): string {
  const place = placeOf(profile);
  return place === '' ? profile.name : `${profile.name} (${place})`;
}

/** Like `nameAndPlace`, and says that the connection is protected. */
export function nameWithPlace(profile: ConnectionProfile): string {
  const words = nameAndPlace(profile);
  return profile.protected ? vscode.l10n.t('{0}, protected', words) : words;
}

/** Lists the folder's requests that are not in effect, or returns undefined if there are none. */
export function sayHeldBack(profile: ConnectionProfile): string | undefined {
  const held = heldBack(profile);
  if (held === undefined) return undefined;
  const powers = [
    held.secretSource?.kind === 'command' ? vscode.l10n.t('the program for its secret') : undefined,
    held.secretSource?.kind === 'variable' ? vscode.l10n.t('the variable for its secret') : undefined,
    held.allowChanges ? vscode.l10n.t('data changes') : undefined,
    held.allowPlainHttp ? vscode.l10n.t('http:// outside this machine') : undefined,
  ];
  return vscode.l10n.t(
    'Not allowed for the folder: {0}',
    powers.filter((power) => power !== undefined).join(', '),
  );
}

export function saySecretOrigin(profile: ConnectionProfile, origin: SecretOrigin): string {
  const { secretSource } = profile;
  return {
    entered: vscode.l10n.t('Client secret: entered, in the secret storage of this editor.'),
    'entered-for-window': vscode.l10n.t('Client secret: entered, until this window closes.'),
    environment: vscode.l10n.t(
      'Client secret: from the environment of the editor (IDENTITY_QUERIES_CLIENT_SECRET).',
    ),
    sandbox: vscode.l10n.t('Client secret: created by the sandbox.'),
    local: vscode.l10n.t('Client secret: created for this window.'),
    variable: vscode.l10n.t(
      'Client secret: from the environment variable {0}.',
      secretSource?.kind === 'variable' ? secretSource.name : '?',
    ),
    program: vscode.l10n.t(
      'Client secret: from the program "{0}".',
      secretSource?.kind === 'command' ? secretSource.command[0] : '?',
    ),
    missing: vscode.l10n.t('Client secret: none is stored.'),
  }[origin];
}

/** Returns the action that lets the user allow the folder's requests. */
export function reviewAction({ name }: ConnectionProfile): FailureAction {
  return { title: vscode.l10n.t('Review...'), command: commands.connectionReview, arguments: [name] };
}

/** Returns the facts about a connection that are shown with its rows. */
export function connectionOfRows(profile: ConnectionProfile) {
  const { name, label, environment, colour, protected: isProtected } = profile;
  return { connection: name, label, environment, colour, isProtected };
}

export function colourOf(profile: ConnectionProfile): vscode.ThemeColor | undefined {
  const { colour } = profile;
  if (colour === undefined) return undefined;
  return new vscode.ThemeColor(
    `identityQueries.connection${colour[0]?.toUpperCase() ?? ''}${colour.slice(1)}`,
  );
}

export function iconNameOf(profile: ConnectionProfile): string {
  if (profile.protected) return 'shield';
  if (profile.source === 'local') return 'database';
  return profile.source === 'sandbox' ? 'beaker' : 'plug';
}

export function connectionIcon(profile: ConnectionProfile): vscode.ThemeIcon {
  return new vscode.ThemeIcon(iconNameOf(profile), colourOf(profile));
}
