/**
 * The single owner of the connection state. Views, status bar and language client subscribe to it; none of them polls
 * or queries another.
 */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { UserAbort } from '#api/client/errors.ts';
import type { MissingScope } from '#api/client/requests/token.ts';
import type { SemanticModel } from '#api/contract/models.ts';
import { DisposableStore } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { countedText } from '#base/words/counted-text.ts';
import { connectionKeyOf, scopesOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError, type FailureAction, type Recover } from '#core/failures/failure.ts';
import { commands, contextKeys } from '../contributions.ts';
import {
  connectionFailureOf,
  isAway,
  isTrouble,
  notConnected,
  type ConnectionFailure,
  type FailureKind,
} from './connection-failure.ts';
import { openClient, type ClientDependencies } from './open-client.ts';

export type ConnectionState =
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'connecting'; readonly profile: ConnectionProfile }
  | {
      readonly kind: 'connected';
      readonly profile: ConnectionProfile;
      readonly client: ServiceClient;
      readonly models: readonly SemanticModel[];
      /** Time at which the models were read, in milliseconds since 1970. */
      readonly modelsReadAt: number;
      /** The reason that nothing can be saved or changed; undefined if writing is possible, as far as is known. */
      readonly withoutWrite?: MissingScope | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly profile: ConnectionProfile;
      /** The failure and its remedy, in words that are safe to show. */
      readonly reason: string;
      readonly failure: FailureKind;
      /** Remedies other than connecting again. */
      readonly actions: readonly FailureAction[];
      /** Whether a different secret may help. */
      readonly isAuthFailure: boolean;
      /** Whether a later attempt may succeed without a change. */
      readonly mayPass: boolean;
    };

/** Why the service is away while connected. */
export type Away = Pick<ConnectionFailure, 'reason' | 'short'>;

export interface SessionDependencies extends ClientDependencies {
  readonly log: Logger;
}

export class Session implements vscode.Disposable {
  readonly #deps: SessionDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeState = this.#disposables.add(new vscode.EventEmitter<ConnectionState>());
  #state: ConnectionState = { kind: 'disconnected' };
  #attempt: AbortController | undefined;
  readonly #onDidResume = this.#disposables.add(new vscode.EventEmitter<void>());
  #isResuming = false;

  readonly #onDidChangeReach = this.#disposables.add(new vscode.EventEmitter<void>());
  #away: Away | undefined;
  /** The client that finds out if the whole service is unavailable. */
  #confirming: ServiceClient | undefined;
  /** Ends the requests to an unreachable service. */
  #reachCheck: AbortController | undefined;

  readonly onDidChangeState = this.#onDidChangeState.event;
  /**
   * Fires when the current connection's service becomes unreachable or reachable again, or a request to connect to the
   * unreachable service again has failed.
   */
  readonly onDidChangeReach = this.#onDidChangeReach.event;

  constructor(deps: SessionDependencies) {
    this.#deps = deps;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /**
   * The reason that the service is unreachable or unavailable even though connected; undefined if it responds, as far as
   * is known.
   */
  get unreachable(): string | undefined {
    return this.away?.reason;
  }

  /** Like `unreachable`, also in short. */
  get away(): Away | undefined {
    return this.#state.kind === 'connected' ? this.#away : undefined;
  }

  /** Connects for a command that needs the service; undefined if that can't help. */
  get recover(): Recover | undefined {
    const { kind } = this.#state;
    return kind === 'connecting' || this.mayConnect ? () => this.ready() : undefined;
  }

  /** Whether there is a connection, or another attempt may succeed. */
  get mayConnect(): boolean {
    const state = this.#state;
    return state.kind === 'connected' || (state.kind === 'failed' && state.mayPass);
  }

  /** The name of the connected connection. */
  get connectionName(): string | undefined {
    const state = this.#state;
    return state.kind === 'connected' ? state.profile.name : undefined;
  }

  /** Returns the client of the current connection. @throws ExpectedError with the remedy if there is none. */
  requireClient(): ServiceClient {
    const state = this.#state;
    switch (state.kind) {
      case 'connected':
        return state.client;
      case 'connecting':
        throw new ExpectedError(
          vscode.l10n.t('Still connecting to {0}. Try again in a moment.', state.profile.name),
          [],
          { recover: this.recover },
        );
      case 'failed':
        throw notConnected(state, this.recover);
      case 'disconnected':
        throw new ExpectedError(
          vscode.l10n.t('Not connected. Connect to a service, or start the local sandbox.'),
          [
            { title: vscode.l10n.t('Connect...'), command: commands.connectionConnect },
            { title: vscode.l10n.t('Start Sandbox'), command: commands.sandboxStart },
          ],
        );
      default:
        return state satisfies never;
    }
  }

  /**
   * Connects, replacing the current connection. Resolves when connected or failed; the last concurrent call wins. The
   * connection to an unavailable service stays, with its data, until a new attempt succeeds or is refused.
   */
  async connect(profile: ConnectionProfile): Promise<ConnectionState> {
    this.#attempt?.abort(new UserAbort('another connection was chosen'));
    const attempt = new AbortController();
    this.#attempt = attempt;
    const kept = this.#clientToKeep(profile);
    if (kept === undefined) await this.#setState({ kind: 'connecting', profile });
    const started = performance.now();
    let client: ServiceClient | undefined;
    let withoutWrite: MissingScope | undefined = scopesOf(profile).includes('write')
      ? undefined
      : 'not-asked';
    try {
      const opened = await openClient(profile, this.#deps, {
        onAccessLost: (error) => this.#loseAccess(opened, error),
        onReach: (failure) => this.#noteReach(opened, failure),
        onGrantedScopes: (scopes) => {
          const hasWrite = scopes.includes('write');
          withoutWrite = hasWrite ? undefined : 'refused';
          this.#deps.log.info(
            `connection "${profile.name}": the token endpoint ${hasWrite ? 'granted' : 'refused'} the write scope`,
          );
          const state = this.#state;
          if (state.kind === 'connected' && state.client === opened)
            void this.#setState({ ...state, withoutWrite });
        },
      });
      client = opened;
      const models = await client.models.list({ signal: attempt.signal, onLeftOut: this.#noteLeftOut });
      if (this.#attempt !== attempt) {
        await client.close();
        return this.#state;
      }
      this.#deps.log.info(
        `connected to "${profile.name}" in ${Math.round(performance.now() - started)} ms, ${countedText(models.length, 'model')}`,
      );
      const modelsReadAt = Date.now();
      await this.#setState({ kind: 'connected', profile, client, models, modelsReadAt, withoutWrite });
    } catch (error) {
      await client?.close();
      if (this.#attempt !== attempt) return this.#state;
      if ((isAway(error) || isTrouble(error)) && this.#isCurrent(kept)) this.#noteStillAway(kept, error);
      else await this.#fail(profile, error);
    }
    return this.#state;
  }

  async disconnect(): Promise<void> {
    this.#attempt?.abort(new UserAbort('disconnected'));
    this.#attempt = undefined;
    await this.#setState({ kind: 'disconnected' });
  }

  /**
   * Restores the window's connection. `work` may have to start its target first. `settled` waits for that too, so that
   * restored editors do not report a missing connection and views do not offer a different one.
   * @param isExpected whether there is a connection to restore
   */
  async resume(work: () => Promise<void>, isExpected: boolean): Promise<void> {
    this.#isResuming = true;
    const publish = (kind: ConnectionState['kind']) =>
      void vscode.commands.executeCommand('setContext', contextKeys.connection, kind);
    if (isExpected) publish('connecting');
    try {
      await work();
    } finally {
      this.#isResuming = false;
      if (this.#state.kind === 'disconnected') publish('disconnected');
      this.#onDidResume.fire();
    }
  }

  /** Resolves with the state once no connection attempt is running. */
  async settled(): Promise<ConnectionState> {
    const isUnderWay = () =>
      this.#state.kind === 'connecting' || (this.#state.kind === 'disconnected' && this.#isResuming);
    if (!isUnderWay()) return this.#state;
    return await new Promise((resolve) => {
      const settle = () => {
        if (isUnderWay()) return;
        for (const listener of listeners) listener.dispose();
        resolve(this.#state);
      };
      const listeners = [this.onDidChangeState(settle), this.#onDidResume.event(settle)];
    });
  }

  /** Like `settled`, after another attempt if the last one failed and may succeed now. */
  async ready(): Promise<ConnectionState> {
    if (this.#state.kind === 'failed' && this.#state.mayPass) void this.connect(this.#state.profile);
    return await this.settled();
  }

  readonly #noteLeftOut = (problems: readonly string[]): void => {
    for (const problem of problems) this.#deps.log.warn(`not all models could be read: ${problem}`);
  };

  /** Rereads the models. @throws ApiError if the service does not respond; the known models are kept. */
  async refreshModels(signal?: AbortSignal): Promise<void> {
    const client = this.requireClient();
    const models = await client.models.list({ signal, onLeftOut: this.#noteLeftOut });
    if (this.#state.kind === 'connected' && this.#state.client === client)
      await this.#setState({ ...this.#state, models, modelsReadAt: Date.now() });
  }

  /**
   * Applies changed display settings and permissions, and reconnects if the scopes or the paging changed. A profile with a different
   * URL or client is a different connection.
   */
  updateProfile(profile: ConnectionProfile): void {
    const state = this.#state;
    if (state.kind === 'disconnected' || state.kind === 'connecting') return;
    const isSame = connectionKeyOf(state.profile) === connectionKeyOf(profile);
    if (!isSame || isDeepStrictEqual(state.profile, profile)) return;
    if (!isSameClient(state.profile, profile)) void this.connect(profile);
    else void this.#setState({ ...state, profile });
  }

  dispose(): void {
    this.#attempt?.abort(new UserAbort('the window closes'));
    this.#reachCheck?.abort(new UserAbort('the window closes'));
    if (this.#state.kind === 'connected') void this.#state.client.close();
    this.#disposables.dispose();
  }

  /** Returns the current client if its service is unreachable and this profile connects in the same way. */
  #clientToKeep(profile: ConnectionProfile): ServiceClient | undefined {
    const state = this.#state;
    if (state.kind !== 'connected' || this.#away === undefined) return undefined;
    const isSame =
      connectionKeyOf(state.profile) === connectionKeyOf(profile) && isSameClient(state.profile, profile);
    return isSame ? state.client : undefined;
  }

  #isCurrent(client: ServiceClient | undefined): client is ServiceClient {
    return this.#state.kind === 'connected' && this.#state.client === client;
  }

  /** Called when the service is still away after a request to connect again. */
  #noteStillAway(client: ServiceClient, error: unknown): void {
    if (this.#away === undefined) return; // it has responded to the kept client in the meantime
    this.#away = connectionFailureOf(error);
    this.#endReachCheck();
    this.#checkReach(client);
    this.#onDidChangeReach.fire();
  }

  /** Called when the credentials stop working during a session and the user must act. */
  #loseAccess(client: ServiceClient, error: Error): void {
    const state = this.#state;
    if (state.kind === 'connected' && state.client === client) void this.#fail(state.profile, error);
  }

  /**
   * Records whether the service is reachable. The connection is kept even if it is not, since loaded data stays usable.
   */
  #noteReach(client: ServiceClient, error: Error | undefined): void {
    if (!this.#isCurrent(client)) return;
    if (isTrouble(error)) this.#confirmTrouble(client);
    else if (isAway(error)) this.#noteAway(client, error);
    else this.#setReach(undefined);
  }

  #noteAway(client: ServiceClient, error: unknown): void {
    this.#setReach(connectionFailureOf(error));
    this.#checkReach(client);
  }

  /**
   * Requests the models after an error of the service, a foreign page or half a response, which can also concern one
   * request only: a gateway ends a long query with 504.
   */
  #confirmTrouble(client: ServiceClient): void {
    if (this.#confirming === client || this.#away !== undefined) return;
    this.#confirming = client;
    void client.models
      .list()
      .then(
        () => undefined,
        (error: unknown) => {
          if ((isTrouble(error) || isAway(error)) && this.#isCurrent(client)) this.#noteAway(client, error);
        },
      )
      .finally(() => {
        if (this.#confirming === client) this.#confirming = undefined;
      });
  }

  /** Requests the models until the service responds, so that its state changes without a request of the user. */
  #checkReach(client: ServiceClient): void {
    if (this.#reachCheck !== undefined) return;
    const check = new AbortController();
    this.#reachCheck = check;
    void import('./reach-check.ts').then(({ reachAgain }) => reachAgain(client, check.signal));
  }

  #endReachCheck(): void {
    this.#reachCheck?.abort(new UserAbort('the service responds, or was requested now'));
    this.#reachCheck = undefined;
  }

  #setReach(away: Away | undefined): void {
    const wasReached = this.#away === undefined;
    this.#away = away;
    if (wasReached === (away === undefined)) return;
    if (away === undefined) this.#endReachCheck();
    void vscode.commands.executeCommand('setContext', contextKeys.serviceAway, away !== undefined);
    this.#onDidChangeReach.fire();
  }

  async #fail(profile: ConnectionProfile, error: unknown): Promise<void> {
    const { kind, reason, actions, mayPass } = connectionFailureOf(error, profile);
    this.#deps.log.warn(`connection "${profile.name}" failed: ${kind}, ${nameOf(error)}`);
    const isAuthFailure = kind === 'secret';
    await this.#setState({ kind: 'failed', profile, reason, failure: kind, actions, isAuthFailure, mayPass });
  }

  async #setState(state: ConnectionState): Promise<void> {
    const before = this.#state;
    this.#state = state;
    if (before.kind === 'connected' && !(state.kind === 'connected' && state.client === before.client)) {
      void before.client.close();
      this.#setReach(undefined);
    }
    await vscode.commands.executeCommand('setContext', contextKeys.connection, state.kind);
    if (this.#state === state) this.#onDidChangeState.fire(state);
  }
}

/** Returns only the error's class and stable code, because messages may quote the user or the service. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}

/** A client's scopes, and how it signs in, sends values and reads results, are fixed at its creation. */
function isSameClient(one: ConnectionProfile, other: ConnectionProfile): boolean {
  return (
    isDeepStrictEqual(scopesOf(one), scopesOf(other)) &&
    isDeepStrictEqual(one.executePaging, other.executePaging) &&
    one.executeValues === other.executeValues &&
    one.clientAuthentication === other.clientAuthentication
  );
}
