/**
 * Remembers which connection was used, first for the workspace, then for the user: by what it connects to. A name alone
 * says nothing: another folder may have given it to something else.
 */
import type { Memento } from 'vscode';
import {
  connectionKeyOf,
  type ConnectionProfile,
} from '../../../../core/src/connections/connection-profile.ts';

const storedUnder = 'identityQueries.lastConnectionKey';
/** The last one that is not the sandbox: what to switch back to. */
const realStoredUnder = 'identityQueries.lastRealConnectionKey';

export interface Remembered {
  /** `connectionKeyOf` */
  readonly key: string;
  /** Tells apart what connects to the same. */
  readonly name: string;
}

export class LastConnection {
  readonly #workspace: Memento;
  readonly #user: Memento;

  constructor(workspace: Memento, user: Memento) {
    this.#workspace = workspace;
    this.#user = user;
  }

  /** Undefined when there was none or the person left it. */
  get(): Remembered | undefined {
    return this.#read(storedUnder);
  }

  /** The last connection that was not the sandbox. */
  get real(): Remembered | undefined {
    return this.#read(realStoredUnder);
  }

  /** A connection of the process environment is not remembered: it is there, or it is not. */
  async set(profile: ConnectionProfile | undefined): Promise<void> {
    const remembered = profile && { key: connectionKeyOf(profile), name: profile.name };
    const isKept = profile !== undefined && profile.source !== 'environment';
    // Empty, where somebody left: what another workspace was connected to does not count then.
    await this.#workspace.update(storedUnder, isKept ? remembered : {});
    if (isKept) await this.#user.update(storedUnder, remembered);
    if (profile !== undefined && profile.source !== 'sandbox') {
      await this.#workspace.update(realStoredUnder, remembered);
      await this.#user.update(realStoredUnder, remembered);
    }
  }

  #read(place: string): Remembered | undefined {
    const value = this.#workspace.get<unknown>(place) ?? this.#user.get<unknown>(place);
    return isRemembered(value) ? value : undefined;
  }
}

/** The one of these that connects to the same; of several the one of that name, then one of the user's own. */
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

function isRemembered(value: unknown): value is Remembered {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    'name' in value &&
    typeof value.key === 'string' &&
    typeof value.name === 'string'
  );
}
