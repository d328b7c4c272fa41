/**
 * Remembers the targets of connection names, including former names. URIs of saved queries contain a connection name,
 * so a connection renamed in the settings or the form is recognized by its target.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import {
  connectionKeyOf,
  serviceKeyOf,
  type ConnectionProfile,
} from '#core/connections/connection-profile.ts';
import { nameNow, type Home, type Named } from '#core/connections/renamed-connections.ts';
import type { Session } from './session.ts';

const storedUnder = 'identityQueries.connectionNames';
/** Maximum number of former names to remember; the least recently seen are dropped. */
const maxGone = 100;

export class ConnectionNames implements DisposableLike {
  readonly #session: Pick<Session, 'state' | 'onDidChangeState'>;
  readonly #memento: vscode.Memento;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  #known: readonly ConnectionProfile[] = [];
  /** The last known connections, serialized to detect changes. */
  #told = '';

  /** Fires when a name has been added, has been removed, or has a new target. */
  readonly onDidChange = this.#onDidChange.event;

  /** @param memento the workspace state, since another workspace's settings may reuse a name. */
  constructor(session: Pick<Session, 'state' | 'onDidChangeState'>, memento: vscode.Memento) {
    this.#session = session;
    this.#memento = memento;
    this.#disposables.add(
      session.onDidChangeState((state) => {
        if (state.kind === 'connected') this.#remember([...this.#known, state.profile]);
      }),
    );
  }

  /** Records the current connections. Called whenever the settings or the current connection change. */
  update(known: readonly ConnectionProfile[]): void {
    this.#known = known;
    this.#remember(known);
    const named = JSON.stringify(this.#named());
    if (named === this.#told) return;
    this.#told = named;
    this.#onDidChange.fire();
  }

  /** Returns the key of the connection with this name, or undefined if it was never used here. */
  keyOf(name: string): string | undefined {
    return this.#named().find((each) => each.name === name)?.key ?? this.#read().get(name);
  }

  /** Returns the name of the connection with this key, or undefined if it is unknown here. */
  nameOf(key: string): string | undefined {
    const gone = [...this.#read()].find(([, each]) => each === key)?.[0];
    return this.#named().find((each) => each.key === key)?.name ?? gone;
  }

  /**
   * Returns the current name of the connection that has or had this name, or undefined if it no longer exists.
   * @param home the target of the connection, in case the name was reused.
   */
  nameNow(name: string, home?: Home): string | undefined {
    return nameNow({ name, home }, this.#named(), this.#read());
  }

  /** Returns the connection with this current or former name, if it can be chosen. @param home as for `nameNow`. */
  find(name: string, home?: Home): ConnectionProfile | undefined {
    const now = nameNow({ name, home }, this.#known.map(namedOf), this.#read());
    return this.#known.find((profile) => profile.name === now);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Returns all connections, the current one first, since the settings may already define its name differently. */
  #named(): readonly Named[] {
    const { state } = this.#session;
    const current = state.kind === 'disconnected' ? [] : [state.profile];
    return [...current, ...this.#known].map(namedOf);
  }

  #remember(present: readonly ConnectionProfile[]): void {
    const keys = this.#read();
    let isChanged = false;
    for (const profile of present) {
      const key = connectionKeyOf(profile);
      if (keys.get(profile.name) === key) continue;
      keys.delete(profile.name);
      keys.set(profile.name, key);
      isChanged = true;
    }
    if (!isChanged) return;
    const isPresent = (name: string) => present.some((profile) => profile.name === name);
    const gone = [...keys.keys()].filter((name) => !isPresent(name));
    for (const name of gone.slice(0, Math.max(0, gone.length - maxGone))) keys.delete(name);
    void this.#memento.update(storedUnder, [...keys]);
  }

  /** Returns the stored names in the order in which they were first seen. */
  #read(): Map<string, string> {
    const value = this.#memento.get<unknown>(storedUnder);
    return new Map(Array.isArray(value) ? value.filter(isPair) : []);
  }
}

export function homeOf(profile: ConnectionProfile): Home {
  return { key: connectionKeyOf(profile), service: serviceKeyOf(profile) };
}

function namedOf(profile: ConnectionProfile): Named {
  return { name: profile.name, ...homeOf(profile) };
}

function isPair(value: unknown): value is [name: string, key: string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
