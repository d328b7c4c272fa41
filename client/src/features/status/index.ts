/** Shows the connection in the status bar and in the language status of queries. */
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import type { Session } from '#client/session/session.ts';
import { showConnection } from './connection-item.ts';
import { showLanguageStatus } from './language-status.ts';

export function registerStatus(deps: {
  readonly session: Session;
  readonly secrets: SecretStore;
}): DisposableLike {
  const disposables = new DisposableStore();
  disposables.add(showConnection(deps));
  disposables.add(showLanguageStatus(deps.session));
  return disposables;
}
