/** Whether a connection is the current one. */
import type { Session } from './session.ts';

/** Returns whether the connection of this name is the current one. */
export function isHere({ state }: Pick<Session, 'state'>, connection: string): boolean {
  return state.kind === 'connected' && state.profile.name === connection;
}
