/** The connection that a command works on. */
import type { ServiceClient } from '../../../../../api/client/client.ts';
import type { Session } from '../../../session/session.ts';

/** A connection as it was when a command began: what is chosen meanwhile does not change where it writes. */
export interface Connected {
  readonly client: ServiceClient;
  readonly connection: string;
}

/** @throws ExpectedError when not connected. */
export function requireConnected(session: Session): Connected {
  const client = session.requireClient();
  return { client, connection: session.state.kind === 'connected' ? session.state.profile.name : '' };
}

/** Whether this connection is the chosen one still. */
export function isHere({ state }: Pick<Session, 'state'>, connection: string): boolean {
  return state.kind === 'connected' && state.profile.name === connection;
}
