/**
 * What the connections in addresses of saved queries stand for. An address names its connection; what is kept of one
 * belongs to the service behind it, whatever it is called, also while nobody is connected.
 */
import type { Memento } from 'vscode';
import { connectionKeyOf, type ConnectionProfile } from '../../session/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import type { DisposableLike } from '../../util/disposables.ts';

const storedUnder = 'identityQueries.savedQueries.connectionKeys';
/** Names remembered; those used longest ago go first. */
const maxNames = 100;

export class ConnectionKeys implements DisposableLike {
  readonly #session: Pick<Session, 'state'>;
  readonly #memento: Memento;
  readonly #configured: () => readonly ConnectionProfile[];
  readonly #listener: DisposableLike;

  constructor(deps: {
    readonly session: Pick<Session, 'state' | 'onDidChangeState'>;
    /** Remembers connections that are in no settings: the sandbox, and that of the process environment. */
    readonly memento: Memento;
    readonly configured: () => readonly ConnectionProfile[];
  }) {
    this.#session = deps.session;
    this.#memento = deps.memento;
    this.#configured = deps.configured;
    this.#listener = deps.session.onDidChangeState((state) => {
      if (state.kind === 'connected') this.#remember(state.profile);
    });
  }

  /** The key of the connection of this name; undefined where nobody was connected to it here. */
  get(name: string): string | undefined {
    const { state } = this.#session;
    const current = state.kind === 'disconnected' ? undefined : state.profile;
    if (current?.name === name) return connectionKeyOf(current);
    const configured = this.#configured().find((profile) => profile.name === name);
    return configured === undefined ? this.#read().get(name) : connectionKeyOf(configured);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #remember(profile: ConnectionProfile): void {
    if (profile.source === 'settings') return;
    const keys = this.#read();
    const key = connectionKeyOf(profile);
    if (keys.get(profile.name) === key) return;
    keys.delete(profile.name);
    keys.set(profile.name, key);
    void this.#memento.update(storedUnder, [...keys].slice(-maxNames));
  }

  #read(): Map<string, string> {
    const value = this.#memento.get<unknown>(storedUnder);
    const pairs = Array.isArray(value) ? value.filter(isPair) : [];
    return new Map(pairs);
  }
}

function isPair(value: unknown): value is [name: string, key: string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
