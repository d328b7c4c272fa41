/** The connection where people look for it: the status bar, and the language status of queries. */
import type { Session } from '../../session/session.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import { showConnection } from './connection-item.ts';
import { showLanguageStatus } from './language-status.ts';

export function registerStatus(deps: { readonly session: Session }): DisposableLike {
  const disposables = new DisposableStore();
  disposables.add(showConnection(deps.session));
  disposables.add(showLanguageStatus(deps.session));
  return disposables;
}
