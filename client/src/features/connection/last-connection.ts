/**
 * Remembers the last connection per workspace and per user. The connection is identified by its target, since another
 * folder may reuse the name.
 */
import type { KeyValueStore } from '#base/key-value-store.ts';
import { isText, shapeOf } from '#base/values/shapes.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';

const storedUnder = 'identityQueries.lastConnectionKey';
/** Storage key of the last connection other than the sandbox, which the user can switch back to. */
const realStoredUnder = 'identityQueries.lastRealConnectionKey';

export interface Remembered {
  /** From `connectionKeyOf`. */
  readonly key: string;
  /** Distinguishes connections with the same target. */
  readonly name: string;
}

export class LastConnection {
  readonly #workspace: KeyValueStore;
  readonly #user: KeyValueStore;

  constructor(workspace: KeyValueStore, user: KeyValueStore) {
    this.#workspace = workspace;
    this.#user = user;
  }

  /** Returns undefined if there was no connection or the user disconnected it. */
  get(): Remembered | undefined {
    return this.#read(storedUnder);
  }

  /** The last connection other than the sandbox. */
  get real(): Remembered | undefined {
    return this.#read(realStoredUnder);
  }

  /** Remembers a connection, unless it comes from the environment, which defines it in each window. */
  async set(profile: ConnectionProfile | undefined): Promise<void> {
    const remembered = profile && { key: connectionKeyOf(profile), name: profile.name };
    const isKept = profile !== undefined && profile.source !== 'environment';
    // Store an empty object on disconnect, so that other workspaces' connections are not restored.
    await this.#workspace.update(storedUnder, isKept ? remembered : {});
    if (isKept) await this.#user.update(storedUnder, remembered);
    if (profile !== undefined && profile.source !== 'sandbox') {
      await this.#workspace.update(realStoredUnder, remembered);
      await this.#user.update(realStoredUnder, remembered);
    }
  }

  #read(place: string): Remembered | undefined {
    const value = this.#workspace.get(place) ?? this.#user.get(place);
    return isRemembered(value) ? value : undefined;
  }
}

/**
 * Returns the connection with the same target. Among several, prefers the one with the same name, then one from the
 * user's settings.
 */
export function sameConnection(
  remembered: Remembered | undefined,
  profiles: readonly ConnectionProfile[],
): ConnectionProfile | undefined {
  const same = profiles.filter((profile) => connectionKeyOf(profile) === remembered?.key);
  return (
    same.find(({ name }) => name === remembered?.name) ??
    same.find(({ folderEntry }) => folderEntry === undefined) ??
    same[0]
  );
}

const isRemembered = shapeOf<Remembered>({ key: isText, name: isText });
