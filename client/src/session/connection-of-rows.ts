/** Rows, and the records that they name, belong to the connection that they were read from. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ConnectionNames } from './connection-names.ts';
import type { Session } from './session.ts';

export interface ConnectionsOfRows {
  readonly session: Pick<Session, 'state'>;
  readonly names: Pick<ConnectionNames, 'nameNow'>;
}

/** Returns the connection of the rows that is not the current one; undefined if there is none, or none is connected. */
export function foreignConnectionOf(
  { session: { state }, names }: ConnectionsOfRows,
  connections: readonly string[],
): string | undefined {
  if (state.kind !== 'connected') return undefined;
  return connections.find((name) => (names.nameNow(name) ?? name) !== state.profile.name);
}

/** @throws ExpectedError if rows come from another connection: an ID there is another record here, or none. */
export function requireConnectionOfRows(of: ConnectionsOfRows, connections: readonly string[]): void {
  const foreign = foreignConnectionOf(of, connections);
  const { state } = of.session;
  if (foreign === undefined || state.kind !== 'connected') return;
  const now = of.names.nameNow(foreign);
  throw new ExpectedError(
    vscode.l10n.t(
      'These rows come from {0}. You are connected to {1}, where their records can be different or missing.',
      foreign,
      state.profile.name,
    ),
    now === undefined
      ? []
      : [
          {
            title: vscode.l10n.t('Connect to {0}', now),
            command: commands.connectionConnect,
            arguments: [now],
          },
        ],
  );
}
