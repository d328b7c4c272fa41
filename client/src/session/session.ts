/**
 * Who we are connected to: the one owner of that fact. Views, the status bar and the language client listen; none of
 * them polls or asks another.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../api/client/client.ts';
import { AuthError, UserAbort } from '../../../api/client/errors.ts';
import type { SemanticModel } from '../../../api/contract/models.ts';
import { commands, contextKeys } from '../contributions.ts';
import { ExpectedError, failureOf } from '../ui/failure.ts';
import { DisposableStore } from '../util/disposables.ts';
import type { Logger } from '../util/logger.ts';
import type { ConnectionProfile } from './connection-profile.ts';
import type { SecretStore } from './secrets.ts';
import type { Settings } from './settings.ts';

export type ConnectionState =
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'connecting'; readonly profile: ConnectionProfile }
  | {
      readonly kind: 'connected';
      readonly profile: ConnectionProfile;
      readonly client: ServiceClient;
      readonly models: readonly SemanticModel[];
    }
  | {
      readonly kind: 'failed';
      readonly profile: ConnectionProfile;
      /** What failed and what to do next, fit to be shown. */
      readonly reason: string;
      /** Whether another secret may help. */
      readonly isAuthFailure: boolean;
    };

export interface SessionDependencies {
  readonly log: Logger;
  readonly secrets: SecretStore;
  readonly settings: () => Settings;
  readonly userAgent: string;
}

export class Session implements vscode.Disposable {
  readonly #deps: SessionDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeState = this.#disposables.add(new vscode.EventEmitter<ConnectionState>());
  #state: ConnectionState = { kind: 'disconnected' };
  #attempt: AbortController | undefined;

  readonly onDidChangeState = this.#onDidChangeState.event;

  constructor(deps: SessionDependencies) {
    this.#deps = deps;
    void vscode.commands.executeCommand('setContext', contextKeys.connection, this.#state.kind);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The client of the current connection. @throws ExpectedError when there is none, with what to do about it. */
  requireClient(): ServiceClient {
    const state = this.#state;
    switch (state.kind) {
      case 'connected':
        return state.client;
      case 'connecting':
        throw new ExpectedError(
          vscode.l10n.t('Still connecting to {0}. Try again in a moment.', state.profile.name),
        );
      case 'failed':
        throw new ExpectedError(
          vscode.l10n.t('Not connected to {0}: {1}', state.profile.name, state.reason),
          [{ title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry }],
        );
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
   * Connects, in place of whatever connection there was. Resolves when connected or failed; a later call wins over an
   * earlier one.
   */
  async connect(profile: ConnectionProfile): Promise<ConnectionState> {
    this.#attempt?.abort(new UserAbort('another connection was chosen'));
    const attempt = new AbortController();
    this.#attempt = attempt;
    await this.#setState({ kind: 'connecting', profile });
    const started = performance.now();
    let client: ServiceClient | undefined;
    try {
      client = await this.#createClient(profile);
      const models = await client.models.list({ signal: attempt.signal });
      if (this.#attempt !== attempt) {
        await client.close();
        return this.#state;
      }
      this.#deps.log.info(
        `connected to "${profile.name}" in ${Math.round(performance.now() - started)} ms, ${models.length} models`,
      );
      await this.#setState({ kind: 'connected', profile, client, models });
    } catch (error) {
      await client?.close();
      if (this.#attempt !== attempt) return this.#state;
      const failure = failureOf(error);
      const reason = failure.kind === 'cancelled' ? vscode.l10n.t('cancelled') : failure.message;
      this.#deps.log.warn(
        `connecting to "${profile.name}" failed: ${error instanceof Error ? error.name : 'error'}`,
      );
      await this.#setState({ kind: 'failed', profile, reason, isAuthFailure: error instanceof AuthError });
    }
    return this.#state;
  }

  async disconnect(): Promise<void> {
    this.#attempt?.abort(new UserAbort('disconnected'));
    this.#attempt = undefined;
    await this.#setState({ kind: 'disconnected' });
  }

  /** The state once no attempt to connect is under way. */
  async settled(): Promise<ConnectionState> {
    if (this.#state.kind !== 'connecting') return this.#state;
    return await new Promise((resolve) => {
      const listener = this.onDidChangeState((state) => {
        if (state.kind === 'connecting') return;
        listener.dispose();
        resolve(state);
      });
    });
  }

  /** Reads the models again. @throws ApiError when the service does not answer; the known models then stay. */
  async refreshModels(signal?: AbortSignal): Promise<void> {
    const client = this.requireClient();
    const models = await client.models.list({ signal });
    if (this.#state.kind === 'connected' && this.#state.client === client) {
      await this.#setState({ ...this.#state, models });
    }
  }

  dispose(): void {
    this.#attempt?.abort(new UserAbort('the window closes'));
    if (this.#state.kind === 'connected') void this.#state.client.close();
    this.#disposables.dispose();
  }

  /** The client and what it is made of are loaded when first needed, not when a window opens. */
  async #createClient(profile: ConnectionProfile): Promise<ServiceClient> {
    const { createClient } = await import('../../../api/client/client.ts');
    const settings = this.#deps.settings();
    return createClient({
      baseUrl: profile.baseUrl,
      authUrl: profile.authUrl,
      environment: profile.environment,
      clientId: profile.clientId,
      clientSecret: async () => {
        const secret = await this.#deps.secrets.get(profile);
        if (secret === undefined) {
          throw new ExpectedError(vscode.l10n.t('No client secret is stored for {0}.', profile.name), [
            { title: vscode.l10n.t('Update Secret'), command: commands.connectionUpdateSecret },
          ]);
        }
        return secret;
      },
      clientAuthentication: settings.clientAuthentication,
      timeoutMs: settings.requestTimeoutMs,
      logger: this.#deps.log,
      userAgent: this.#deps.userAgent,
    });
  }

  async #setState(state: ConnectionState): Promise<void> {
    const before = this.#state;
    this.#state = state;
    if (before.kind === 'connected' && !(state.kind === 'connected' && state.client === before.client)) {
      void before.client.close();
    }
    await vscode.commands.executeCommand('setContext', contextKeys.connection, state.kind);
    if (this.#state === state) this.#onDidChangeState.fire(state);
  }
}
