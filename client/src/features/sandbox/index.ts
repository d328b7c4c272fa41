/** Runs the local sandbox service: starts it once, on demand, and stops it when the last window using it closes. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import type { SharedService } from '#client/session/local-service/shared-service.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { showWarningMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';

export interface SandboxDependencies extends FeatureDependencies {
  readonly secrets: SecretStore;
}

export interface SandboxFeature extends DisposableLike {
  /** Returns the connection to the sandbox, if this window uses it. */
  readonly profile: () => ConnectionProfile | undefined;
  /** Starts the sandbox or joins a running one. @throws ExpectedError */
  readonly start: () => Promise<ConnectionProfile>;
}

export function registerSandbox(deps: SandboxDependencies): SandboxFeature {
  const { context, log, session, secrets } = deps;
  const disposables = new DisposableStore();
  let loading: Promise<SharedService> | undefined;
  let profile: ConnectionProfile | undefined;

  const setProfile = (value: typeof profile) => {
    profile = value;
    void vscode.commands.executeCommand('setContext', contextKeys.sandboxRunning, value !== undefined);
  };
  const isCurrent = (value: ConnectionProfile | undefined) =>
    session.state.kind !== 'disconnected' && session.state.profile === value;

  const load = async (): Promise<SharedService> => {
    const { SharedService } = await import('#client/session/local-service/shared-service.ts');
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath;
    const sandbox = disposables.add(
      new SharedService({
        folder,
        program: (leases) => ({
          script: vscode.Uri.joinPath(context.extensionUri, 'dist', 'sandbox', 'main.js').fsPath,
          args: ['--json', '--port', '0', '--data', folder, '--leases', leases],
          words: {
            didNotStart: (reason) =>
              new ExpectedError(vscode.l10n.t('The sandbox did not start: {0}', reason)),
            tooSlow: (seconds) => vscode.l10n.t('The sandbox did not start within {0} seconds.', seconds),
            inOtherWindow: vscode.l10n.t(
              'The sandbox runs in another window and cannot be reached from this one. Stop it there, then try again.',
            ),
          },
        }),
        onEnd: ({ isExpected }) => {
          const ended = profile;
          setProfile(undefined);
          log.warn(`sandbox ended${isExpected ? ', stopped from another window' : ''}`);
          if (!isCurrent(ended)) return;
          void session.disconnect();
          if (!isExpected) void offerRestart();
        },
      }),
    );
    return sandbox;
  };

  const start = async (): Promise<ConnectionProfile> => {
    const started = performance.now();
    loading ??= load();
    const sandbox = await loading;
    if (profile !== undefined && sandbox.address !== undefined) return profile;
    const address = await withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Starting the sandbox...') },
      () => sandbox.start(),
    );
    if (profile?.baseUrl === address.baseUrl) return profile;
    const created: ConnectionProfile = {
      name: vscode.l10n.t('Sandbox'),
      baseUrl: address.baseUrl,
      authUrl: address.authUrl,
      clientId: address.clientId,
      protected: false,
      // Safe, since all data in the sandbox is synthetic.
      allowChanges: true,
      allowPlainHttp: false,
      source: 'sandbox',
    };
    secrets.provide(created, sandbox.secret);
    log.info(`sandbox answers at ${address.baseUrl} after ${Math.round(performance.now() - started)} ms`);
    setProfile(created);
    return created;
  };

  disposables.add(
    registerCommand(log, commands.sandboxStop, [], async () => {
      const stopped = profile;
      setProfile(undefined);
      if (stopped !== undefined && isCurrent(stopped)) await session.disconnect();
      await (await loading)?.stop();
    }),
  );

  return { profile: () => profile, start, dispose: () => disposables.dispose() };
}

async function offerRestart(): Promise<void> {
  const again = vscode.l10n.t('Start Sandbox');
  const chosen = await showWarningMessage(vscode.l10n.t('The sandbox stopped unexpectedly.'), again);
  if (chosen === again) await vscode.commands.executeCommand(commands.sandboxStart);
}
