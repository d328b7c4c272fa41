/** The local service from inside the editor: started on demand, never twice, gone with the window. */
import * as vscode from 'vscode';
import { commands, contextKeys } from '../../contributions.ts';
import type { ConnectionProfile } from '../../session/connection-profile.ts';
import type { SecretStore } from '../../session/secrets.ts';
import type { Session } from '../../session/session.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';

export interface SandboxDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly secrets: SecretStore;
}

export interface SandboxFeature extends DisposableLike {
  /** The connection to the running sandbox, if there is one. */
  readonly profile: () => ConnectionProfile | undefined;
}

export function registerSandbox(deps: SandboxDependencies): SandboxFeature {
  const { context, log, session, secrets } = deps;
  const disposables = new DisposableStore();
  let running: { readonly process: SandboxProcess; readonly profile: ConnectionProfile } | undefined;
  let starting: Promise<ConnectionProfile> | undefined;

  const setRunning = (value: typeof running) => {
    running = value;
    void vscode.commands.executeCommand('setContext', contextKeys.sandboxRunning, value !== undefined);
  };

  const start = async (): Promise<ConnectionProfile> => {
    const started = performance.now();
    const process = await startSandboxProcess({
      script: vscode.Uri.joinPath(context.extensionUri, 'dist', 'sandbox', 'main.js').fsPath,
      dataFolder: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath,
    });
    const profile: ConnectionProfile = {
      name: vscode.l10n.t('Sandbox'),
      baseUrl: process.baseUrl,
      authUrl: process.authUrl,
      clientId: process.clientId,
      protected: false,
      // Nothing of it is real.
      allowChanges: true,
      allowPlainHttp: false,
      source: 'sandbox',
    };
    secrets.setTransient(profile, process.clientSecret);
    log.info(`sandbox listens at ${process.baseUrl} after ${Math.round(performance.now() - started)} ms`);
    setRunning({ process, profile });
    void process.ended.then((reason) => {
      if (running?.process !== process) return;
      setRunning(undefined);
      log.warn(`sandbox ended: ${reason}`);
      const isOurs = session.state.kind !== 'disconnected' && session.state.profile === profile;
      if (!isOurs) return;
      void session.disconnect();
      void offerRestart(vscode.l10n.t('The sandbox ended unexpectedly ({0}).', reason));
    });
    return profile;
  };

  disposables.add(
    registerCommand(log, commands.sandboxStart, async () => {
      const profile =
        running?.profile ??
        (await vscode.window.withProgress(
          { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Starting the sandbox...') },
          async () => {
            starting ??= start().finally(() => (starting = undefined));
            return await starting;
          },
        ));
      await session.connect(profile);
    }),
  );
  disposables.add(
    registerCommand(log, commands.sandboxStop, async () => {
      const current = running;
      if (current === undefined) return;
      setRunning(undefined);
      if (session.state.kind !== 'disconnected' && session.state.profile === current.profile)
        await session.disconnect();
      await current.process.stop();
    }),
  );
  disposables.add({ dispose: () => void running?.process.stop() });

  return { profile: () => running?.profile, dispose: () => disposables.dispose() };
}

async function offerRestart(message: string): Promise<void> {
  const again = vscode.l10n.t('Start Sandbox');
  const chosen = await vscode.window.showWarningMessage(message, again);
  if (chosen === again) await vscode.commands.executeCommand(commands.sandboxStart);
}
