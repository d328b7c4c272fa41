/** The connection commands. */
import * as vscode from 'vscode';
import type { MissingScope } from '#api/client/requests/token.ts';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { readNetworkSettings } from '#client/session/network.ts';
import type { Session } from '#client/session/session.ts';
import { anything, given, text } from '#client/ui/arguments.ts';
import { chooseCommand } from '#client/ui/choose-command.ts';
import type { RegisterCommand } from '#client/ui/register-command.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { connectTo, pickConnection, pickProfile, promptForSecret } from './choose-connection.ts';
import type { ConnectionDependencies } from './dependencies.ts';
import type { ConnectionForms } from './form/index.ts';
import { sameConnection } from './last-connection.ts';
import type { ManageDependencies } from './manage-connections.ts';
import type { ConnectionTester } from './test-report/index.ts';

/** Result of the state command, as plain data. */
export interface StateSnapshot {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly source?: string | undefined;
  readonly key?: string | undefined;
  readonly isProtected?: boolean | undefined;
  readonly allowChanges?: boolean | undefined;
  /** While connected, the reason that nothing can be saved or changed. */
  readonly withoutWrite?: MissingScope | undefined;
  readonly failure?: string | undefined;
  readonly reason?: string | undefined;
  readonly models?: number | undefined;
  /** While connected, the reason that the service is unreachable. */
  readonly unreachable?: string | undefined;
}

const named = [given(text)] as const;

export class ConnectionCommands implements DisposableLike {
  readonly #deps: ConnectionDependencies;
  readonly #manage: ManageDependencies;
  readonly #disposables = new DisposableStore();
  #tester: Promise<ConnectionTester> | undefined;
  #forms: Promise<ConnectionForms> | undefined;

  constructor(deps: ConnectionDependencies, manage: ManageDependencies) {
    this.#deps = deps;
    this.#manage = manage;
  }

  register(on: RegisterCommand): void {
    on(commands.connectionConnect, named, (name) => this.#choose(name));
    on(commands.connectionAdd, [], () => this.#add());
    on(commands.connectionEdit, named, (name) => this.#edit(name));
    on(commands.connectionForm, [anything], async (request) => (await this.#requireForms()).receive(request));
    on(commands.connectionSignOut, named, (name) => this.#signOut(name));
    on(commands.connectionDelete, named, (name) => this.#delete(name));
    on(commands.connectionReview, named, (name) => this.#review(name));
    on(commands.connectionDisconnect, [], () => this.#disconnect());
    on(commands.connectionRetry, [], () => this.#retry());
    on(commands.connectionEnterSecret, [], () => {
      const secret = { command: commands.connectionUpdateSecret, label: vscode.l10n.t('Client Secret') };
      const label = vscode.l10n.t('Passphrase of the Client Certificate');
      const passphrase = { label, command: commands.networkUpdatePassphrase };
      const hasCertificate = readNetworkSettings().dispatcher.certificateFile !== undefined;
      return chooseCommand(vscode.l10n.t('Enter Secret'), hasCertificate ? [secret, passphrase] : [secret]);
    });
    on(commands.connectionUpdateSecret, [], () => this.#updateSecret());
    on(commands.connectionTest, named, (name) => this.#test(name));
    on(commands.connectionCopyReport, [], () => this.#copyReport());
    on(commands.connectionMoveSecrets, [], () => this.#moveSecrets());
    on(commands.networkUpdatePassphrase, [], () => this.#updatePassphrase());
    on(commands.sandboxStart, [], () => this.#startSandbox());
    on(commands.sandboxSwitch, [], () => this.#switchSandbox());
    on(commands.localServiceStop, [], () => {
      const { sandboxProfile, ownProfiles } = this.#deps;
      const sandbox = { label: vscode.l10n.t('Sandbox'), command: commands.sandboxStop };
      const own = { label: vscode.l10n.t('Service over Your PostgreSQL'), command: commands.ownDataStop };
      return chooseCommand(vscode.l10n.t('Stop'), [
        ...(sandboxProfile() === undefined ? [] : [sandbox]),
        ...(ownProfiles().length === 0 ? [] : [own]),
      ]);
    });
    on(commands.ownDataConnect, named, (key) => this.#connectOwn(key));
    on(commands.connectionState, [], () => snapshotOf(this.#deps.session));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #current(): ConnectionProfile | undefined {
    const { state } = this.#deps.session;
    return state.kind === 'disconnected' ? undefined : state.profile;
  }

  /** The name of the current connection, if it is in the settings, from which it may have been removed. */
  get #currentInSettings(): string | undefined {
    const profiles = this.#manage.known().filter(({ source }) => source === 'settings');
    return profiles.find(({ name }) => name === this.#current?.name)?.name;
  }

  async #connect(profile: ConnectionProfile): Promise<void> {
    await connectTo(profile, this.#manage);
  }

  /** @throws ExpectedError if no connection has this name. */
  #byName(name: string): ConnectionProfile {
    const found =
      this.#manage.known().find((profile) => profile.name === name) ?? this.#deps.names.find(name);
    if (found === undefined) throw new ExpectedError(vscode.l10n.t('There is no connection "{0}".', name));
    return found;
  }

  async #choose(name: string | undefined): Promise<void> {
    const profile =
      name === undefined
        ? await pickConnection(this.#manage.known(), this.#deps.session)
        : this.#byName(name);
    if (profile !== undefined) await this.#connect(profile);
  }

  async #add(): Promise<void> {
    await (await this.#requireForms()).show(undefined);
  }

  async #edit(name: string | undefined): Promise<void> {
    const { chooseToEdit } = await import('./manage-connections.ts');
    const profile = await chooseToEdit(name ?? this.#currentInSettings, this.#manage);
    if (profile !== undefined) await (await this.#requireForms()).show(profile);
  }

  async #signOut(name: string | undefined): Promise<void> {
    const { signOut } = await import('./manage-connections.ts');
    await signOut(name, this.#manage);
  }

  async #delete(name: string | undefined): Promise<void> {
    const { remove } = await import('./manage-connections.ts');
    await remove(name, this.#manage);
  }

  async #review(name: string | undefined): Promise<void> {
    const { review } = await import('./manage-connections.ts');
    await review(name, this.#manage);
  }

  async #disconnect(): Promise<void> {
    await this.#manage.last.set(undefined);
    await this.#deps.session.disconnect();
  }

  async #retry(): Promise<void> {
    const profile = this.#current;
    if (profile?.source === 'sandbox') {
      await this.#startSandbox();
      return;
    }
    if (profile?.source === 'local') {
      const again = await this.#deps.startOwn(connectionKeyOf(profile));
      if (again !== undefined) await this.#connect(again);
      return;
    }
    // Use the current settings, which may have changed since the last attempt.
    const fresh = this.#manage
      .known()
      .find((each) => each.name === profile?.name && each.source === profile.source);
    if (profile !== undefined) await this.#connect(fresh ?? profile);
    else await vscode.commands.executeCommand(commands.connectionConnect);
  }

  async #updateSecret(): Promise<void> {
    const profile =
      this.#current ??
      (await pickProfile(this.#manage.known(), undefined, vscode.l10n.t('Enter Client Secret')));
    if (profile?.source === 'sandbox')
      throw new ExpectedError(vscode.l10n.t('The sandbox creates its own client secret.'));
    if (profile?.source === 'local')
      throw new ExpectedError(vscode.l10n.t('The service on this machine creates its own client secret.'));
    if (profile?.secretSource !== undefined) {
      const { secretFromElsewhere } = await import('./manage-connections.ts');
      throw secretFromElsewhere(profile);
    }
    if (profile !== undefined && (await promptForSecret(profile, this.#deps.secrets)))
      await this.#connect(profile);
  }

  async #test(name: string | undefined): Promise<unknown> {
    const profile =
      name === undefined
        ? (this.#current ??
          (await pickProfile(this.#manage.known(), undefined, vscode.l10n.t('Test Connection'))))
        : this.#byName(name);
    if (profile === undefined) return undefined;
    return await (await this.#requireTester()).test(profile);
  }

  #requireTester(): Promise<ConnectionTester> {
    return (this.#tester ??= import('./test-report/index.ts').then((module) =>
      this.#disposables.add(new module.ConnectionTester(this.#deps, this.#deps.version)),
    ));
  }

  #requireForms(): Promise<ConnectionForms> {
    return (this.#forms ??= import('./form/index.ts').then((module) =>
      this.#disposables.add(
        new module.ConnectionForms(this.#deps, this.#manage, () => this.#requireTester()),
      ),
    ));
  }

  async #copyReport(): Promise<void> {
    const report = (await this.#requireTester()).text;
    if (report === undefined) throw new ExpectedError(vscode.l10n.t('No connection has been tested yet.'));
    await vscode.env.clipboard.writeText(report);
    setStatusBarMessage(vscode.l10n.t('Report copied.'), 3_000);
  }

  async #moveSecrets(): Promise<void> {
    const { moveAllSecrets } = await import('./manage-connections.ts');
    await moveAllSecrets(this.#deps.secrets);
  }

  async #updatePassphrase(): Promise<void> {
    const file = readNetworkSettings().dispatcher.certificateFile;
    if (file === undefined)
      throw new ExpectedError(
        vscode.l10n.t('No client certificate is set (identityQueries.network.clientCertificate).'),
      );
    const { promptForPassphrase } = await import('./manage-connections.ts');
    const isGiven = await promptForPassphrase(file, this.#deps.secrets);
    const { state } = this.#deps.session;
    if (isGiven && state.kind === 'failed') await this.#connect(state.profile);
  }

  async #startSandbox(): Promise<void> {
    await this.#connect(await this.#deps.startSandbox());
  }

  async #connectOwn(key: string | undefined): Promise<void> {
    const { connectOwn, startOwn } = this.#deps;
    const profile = key === undefined ? await connectOwn() : await startOwn(key);
    if (profile !== undefined) await this.#connect(profile);
  }

  /** Switches to the sandbox, or back to the previous service. */
  async #switchSandbox(): Promise<void> {
    if (this.#current?.source !== 'sandbox') {
      await this.#startSandbox();
      return;
    }
    const real = this.#manage.known().filter(({ source }) => source !== 'sandbox');
    const [only] = real.length === 1 && real[0]?.folderEntry === undefined ? real : [];
    const back = sameConnection(this.#manage.last.real, real) ?? only;
    if (back !== undefined) await this.#connect(back);
    else await vscode.commands.executeCommand(commands.connectionConnect);
  }
}

function snapshotOf(session: Session): StateSnapshot {
  const { state } = session;
  if (state.kind === 'disconnected') return { kind: state.kind };
  const { profile } = state;
  return {
    kind: state.kind,
    name: profile.name,
    source: profile.source,
    key: connectionKeyOf(profile),
    isProtected: profile.protected,
    allowChanges: profile.allowChanges,
    ...(state.kind === 'failed' ? { failure: state.failure, reason: state.reason } : {}),
    ...(state.kind === 'connected'
      ? {
          models: state.models.length,
          withoutWrite: state.withoutWrite,
          unreachable: session.unreachable,
        }
      : {}),
  };
}
