/** How a connection is named and drawn wherever it is shown: by text first, by colour beside it. */
import * as vscode from 'vscode';
import type { ConnectionProfile } from '../../../core/src/connections/connection-profile.ts';

/** Label and environment, where there are any. */
export function placeOf(profile: ConnectionProfile): string {
  return [profile.label, profile.environment].filter((text) => text !== undefined).join(' · ');
}

/** What is said of a connection with the rows that came from it. */
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
  return profile.source === 'sandbox' ? 'beaker' : 'plug';
}

export function connectionIcon(profile: ConnectionProfile): vscode.ThemeIcon {
  return new vscode.ThemeIcon(iconNameOf(profile), colourOf(profile));
}
