/**
 * Shows one notification per failure, if the user requested the connection or the secret stopped working, until there
 * is a connection again. If the service is unavailable when a window opens, only the status bar and the views show it.
 */
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import { hideConnectionErrors } from '#client/ui/shown/notifications.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import type { AskedFor } from './choose-connection.ts';

const load = () => import('./show-failure.ts');

export interface FailureReport extends DisposableLike {
  /** Reports the outcome of the next connection attempt with this profile. */
  readonly askedFor: AskedFor;
}

export function reportFailures(session: Session): FailureReport {
  let asked: ConnectionProfile | undefined;
  let isTold = false;
  let before: ConnectionState['kind'] | undefined;
  const lookForConnection = () => {
    if (session.state.kind === 'connected' && session.away === undefined) void hideConnectionErrors();
  };
  const disposables = new DisposableStore();
  disposables.add(
    session.onDidChangeState((state) => {
      // If the state was already failed, only the profile's display settings changed.
      const isKnown = before === 'failed' && state.kind === 'failed';
      before = state.kind;
      lookForConnection();
      if (state.kind === 'connecting' || isKnown) return;
      const isAsked = state.kind === 'failed' && state.profile === asked;
      asked = undefined;
      if (state.kind === 'failed' && (isAsked ? !isTold : state.isAuthFailure))
        void load().then(({ show }) => show(state, session));
    }),
  );
  disposables.add(
    session.onDidChangeReach(() => {
      const isAsked = asked !== undefined && !isTold;
      asked = undefined;
      const { unreachable } = session;
      lookForConnection();
      if (isAsked && unreachable !== undefined)
        void load().then(({ showAway }) => showAway(session, unreachable));
    }),
  );
  return {
    askedFor(profile, told = false) {
      asked = profile;
      isTold = told;
    },
    dispose: () => disposables.dispose(),
  };
}
