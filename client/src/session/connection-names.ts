/**
 * What the names of connections stand for, also those that are gone. Addresses of saved queries name their connection;
 * a connection that gets another name in the settings, by hand or by the form, is told by what it connects to.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '../../../core/src/util/disposables.ts';
import {
  connectionKeyOf,
  serviceKeyOf,
  type ConnectionProfile,
} from '../../../core/src/connections/connection-profile.ts';
import { nameNow, type Home, type Named } from '../../../core/src/connections/renamed-connections.ts';
import type { Session } from './session.ts';

const storedUnder = 'identityQueries.connectionNames';
/** Names remembered that no connection has any more; those seen longest ago go first. */
const maxGone = 100;

export class ConnectionNames implements DisposableLike {
  readonly #session: Pick<Session, 'state' | 'onDidChangeState'>;
  readonly #memento: vscode.Memento;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  #known: readonly ConnectionProfile[] = [];
  /** What there was when it was last told. */
  #told = '';

  /** Fires when a name came, went or stands for something else. */
  readonly onDidChange = this.#onDidChange.event;

  /** @param memento of the workspace: settings of another one may use the same name for something else. */
  constructor(session: Pick<Session, 'state' | 'onDidChangeState'>, memento: vscode.Memento) {
    this.#session = session;
    this.#memento = memento;
    this.#disposables.add(
      session.onDidChangeState((state) => {
        if (state.kind === 'connected') this.#remember([...this.#known, state.profile]);
      }),
    );
  }

  /** Takes in the connections that there are now; called whenever the settings or the current one changed. */
  update(known: readonly ConnectionProfile[]): void {
    this.#known = known;
    this.#remember(known);
    const named = JSON.stringify(this.#named());
    if (named === this.#told) return;
    this.#told = named;
    this.#onDidChange.fire();
  }

  /** The key of the connection of this name; undefined where nobody was connected to it here. */
  keyOf(name: string): string | undefined {
    return this.#named().find((each) => each.name === name)?.key ?? this.#read().get(name);
  }

  /** What the connection of this key is called; undefined when it is not known here. */
  nameOf(key: string): string | undefined {
    const gone = [...this.#read()].find(([, each]) => each === key)?.[0];
    return this.#named().find((each) => each.key === key)?.name ?? gone;
  }

  /**
   * What the connection of this name is called now; undefined when there is none any more.
   * @param home what it connected to, where the same name may stand for something else by now.
   */
  nameNow(name: string, home?: Home): string | undefined {
    return nameNow({ name, home }, this.#named(), this.#read());
  }

  /** The connection that has this name, or had it, among those that can be chosen. @param home as of `nameNow`. */
  find(name: string, home?: Home): ConnectionProfile | undefined {
    const now = nameNow({ name, home }, this.#known.map(namedOf), this.#read());
    return this.#known.find((profile) => profile.name === now);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** The current one first: the settings may say something else of its name already. */
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

  /** In the order in which they were first seen. */
  #read(): Map<string, string> {
    const value = this.#memento.get<unknown>(storedUnder);
    return new Map(Array.isArray(value) ? value.filter(isPair) : []);
  }
}

/** What a connection connects to. */
export function homeOf(profile: ConnectionProfile): Home {
  return { key: connectionKeyOf(profile), service: serviceKeyOf(profile) };
}

function namedOf(profile: ConnectionProfile): Named {
  return { name: profile.name, ...homeOf(profile) };
}

function isPair(value: unknown): value is [name: string, key: string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
