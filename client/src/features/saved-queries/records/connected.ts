/** The connection of a command. */
import type { ServiceClient } from '../../../../../api/client/client.ts';
import type { Session } from '../../../session/session.ts';

/** A connection as of the command's start: switching later does not redirect its writes. */
export interface Connected {
  readonly client: ServiceClient;
  readonly connection: string;
}

/** @throws ExpectedError if not connected. */
export function requireConnected(session: Session): Connected {
  const client = session.requireClient();
  return { client, connection: session.state.kind === 'connected' ? session.state.profile.name : '' };
}

/** Whether this connection is still the current one. */
export function isHere({ state }: Pick<Session, 'state'>, connection: string): boolean {
  return state.kind === 'connected' && state.profile.name === connection;
}
