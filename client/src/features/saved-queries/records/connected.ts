/** The connection that a command uses. */
import type { ServiceClient } from '#api/client/client.ts';
import type { Session } from '#client/session/session.ts';

/** The connection at the start of a command: switching later does not redirect the command's writes. */
export interface Connected {
  readonly client: ServiceClient;
  readonly connection: string;
}

/** @throws ExpectedError if not connected. */
export function requireConnected(session: Session): Connected {
  const client = session.requireClient();
  return { client, connection: session.state.kind === 'connected' ? session.state.profile.name : '' };
}
