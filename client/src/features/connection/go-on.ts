/** Restores the window's connection on startup. */
import { errorName } from '#base/errors.ts';
import { sandboxKey, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { isUnanswered } from '#core/connections/folder-entry.ts';
import { connectTo } from './choose-connection.ts';
import type { ConnectionDependencies } from './dependencies.ts';
import { sameConnection } from './last-connection.ts';
import type { ManageDependencies } from './manage-connections.ts';

/** Connects to the environment's connection if there is one, otherwise to the last one, including the sandbox. */
export async function goOn(
  { session, startSandbox, startOwn, log }: ConnectionDependencies,
  manage: ManageDependencies,
  fromEnvironment: ConnectionProfile | undefined,
): Promise<void> {
  const remembered = manage.last.get();
  if (fromEnvironment !== undefined) await session.connect(fromEnvironment);
  else if (remembered?.key === sandboxKey) {
    try {
      await session.connect(await startSandbox());
    } catch (error) {
      log.warn(`the sandbox was not started again: ${errorName(error)}`);
    }
  } else if (remembered?.key.startsWith('local-') === true) {
    try {
      const profile = await startOwn(remembered.key);
      if (profile !== undefined) await session.connect(profile);
    } catch (error) {
      log.warn(`the service over an own database was not started again: ${errorName(error)}`);
    }
  } else {
    const profile = sameConnection(remembered, manage.known());
    if (profile !== undefined && isUnanswered(profile))
      void import('./tell-changed.ts').then(({ tellChanged }) =>
        tellChanged(profile, (changed) => connectTo(changed, manage)),
      );
    else if (profile !== undefined) await session.connect(profile);
  }
}
