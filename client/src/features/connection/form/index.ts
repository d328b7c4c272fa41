/** Open connection forms: one page each, including the connection test. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DisposableLike } from '#base/disposables.ts';
import { forLabel } from '#base/shown-text/for-places.ts';
import { commands } from '#client/contributions.ts';
import { writeConnection } from '#client/session/connection-settings.ts';
import { saySecretOrigin } from '#client/ui/connection-labels.ts';
import { pageHtml } from '#client/ui/page-html.ts';
import { translationsOfPage } from '#client/ui/page-texts.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import {
  setStatusBarMessage,
  showInformationMessage,
  showWarningMessage,
} from '#client/ui/shown/notifications.ts';
import { createWebviewPanel } from '#client/ui/shown/webview-panels.ts';
import { secretKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { asWritten, connectionOfFolder } from '#core/connections/folder-entry.ts';
import type { Answers } from '#core/connections/form/form-types.ts';
import type { ConnectionFormState } from '#panel-protocol/connection-form.ts';
import { connectTo } from '../choose-connection.ts';
import type { ConnectionDependencies } from '../dependencies.ts';
import { settled } from '../folder-question.ts';
import { isCurrent, type ManageDependencies } from '../manage-connections.ts';
import type { ConnectionTester } from '../test-report/index.ts';
import { parseFormRequest } from './form-request.ts';
import { ConnectionForm, type Candidate, type TestOutcome } from './form-state.ts';
import { linkedCommands, testOutcome } from './test-outcome.ts';

interface OpenForm {
  readonly panel: vscode.WebviewPanel;
  readonly form: ConnectionForm;
}

export class ConnectionForms implements DisposableLike {
  readonly #deps: ConnectionDependencies;
  readonly #manage: ManageDependencies;
  readonly #tester: () => Promise<ConnectionTester>;
  /** Open forms, keyed by the name of the edited connection; undefined for a new connection. */
  readonly #open = new Map<string | undefined, OpenForm>();
  /** Input from pages that were closed without saving, without secrets; kept until the window closes. */
  readonly #drafts = new Map<string | undefined, Answers>();
  #isDisposed = false;

  constructor(
    deps: ConnectionDependencies,
    manage: ManageDependencies,
    tester: () => Promise<ConnectionTester>,
  ) {
    this.#deps = deps;
    this.#manage = manage;
    this.#tester = tester;
  }

  /**
   * Opens the page, or shows it if it is already open. @param profile the connection to edit; undefined for a new one.
   */
  async show(profile: ConnectionProfile | undefined): Promise<void> {
    const old = profile && asWritten(profile);
    const storedSecret = old && (await this.#storedSecret({ ...old, secretSource: undefined }));
    // Check after the last await, so that two concurrent requests open only one page.
    const open = this.#open.get(profile?.name);
    if (open === undefined) this.#openPage(profile, old, storedSecret);
    else open.panel.reveal();
  }

  /**
   * For tests: handles a message as if the newest page had sent it. Returns the resulting state, or undefined if no
   * form is open.
   */
  async receive(raw: unknown): Promise<ConnectionFormState | undefined> {
    const request = parseFormRequest(raw);
    const newest = [...this.#open.values()].at(-1);
    if (newest === undefined || request === undefined) return undefined;
    await newest.form.receive(request);
    return [...this.#open.values()].includes(newest) ? newest.form.state : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const { panel } of [...this.#open.values()]) panel.dispose();
  }

  #openPage(
    profile: ConnectionProfile | undefined,
    old: ConnectionProfile | undefined,
    storedSecret: string | undefined,
  ): void {
    const key = profile?.name;
    const title =
      old === undefined ? vscode.l10n.t('Add Connection') : vscode.l10n.t('Edit {0}', forLabel(old.name));
    const assets = vscode.Uri.joinPath(this.#deps.context.extensionUri, 'dist', 'webview');
    const panel = createWebviewPanel('identityQueries.connectionForm', title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [assets],
      enableCommandUris: linkedCommands,
      // The input, including the secret, exists only in the page until the user saves.
      retainContextWhenHidden: true,
    });
    let isOpen = true;
    const form = new ConnectionForm({
      title,
      old,
      draft: this.#drafts.get(key),
      hasStoredSecret: storedSecret !== undefined,
      secretHint: (keepsSecret) => {
        if (storedSecret === undefined) return vscode.l10n.t('It goes to the secret storage of this editor.');
        return keepsSecret
          ? `${storedSecret} ${vscode.l10n.t('Leave it empty to keep this one.')}`
          : vscode.l10n.t(
              'The stored secret is only for the previous addresses and client ID. Enter the secret for the new ones.',
            );
      },
      others: () => this.#manage.known().filter(({ name }) => name !== key),
      test: async (candidate, signal, stepDone) => await this.#test(candidate, profile, { signal, stepDone }),
      save: async (candidate, failure) => await this.#save(candidate, profile, failure),
      close: () => void panel.dispose(),
      show: (state) => {
        if (isOpen) void panel.webview.postMessage(state);
      },
    });
    this.#open.set(key, { panel, form });
    panel.onDidDispose(() => {
      isOpen = false;
      this.#open.delete(key);
      form.dispose();
      this.#keep(key, { title, draft: form.draft });
    });
    panel.webview.onDidReceiveMessage((raw: unknown) => {
      const request = parseFormRequest(raw);
      if (request === undefined) this.#deps.log.warn('connection form sent a message of no known shape');
      else if (isOpen) void form.receive(request);
    });
    const uri = (file: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(assets, file)).toString();
    panel.webview.html = pageHtml({
      title,
      cspSource: panel.webview.cspSource,
      scriptUri: uri('connection.js'),
      styleUri: uri('connection.css'),
      nonce: randomBytes(16).toString('base64url'),
      language: vscode.env.language,
      translations: translationsOfPage(
        vscode.Uri.joinPath(assets, 'connection.texts.json').fsPath,
        vscode.l10n.bundle,
      ),
    });
  }

  /** Returns the source of a secret that is available without asking, or undefined. */
  async #storedSecret(profile: ConnectionProfile): Promise<string | undefined> {
    const { secrets } = this.#deps;
    if (await secrets.needsToBeAsked(profile)) return undefined;
    return saySecretOrigin(profile, await secrets.originOf(profile));
  }

  /** Keeps the input of a closed page until the form is opened again, and notifies the user. */
  #keep(
    key: string | undefined,
    { title, draft }: { readonly title: string; readonly draft: Answers | undefined },
  ): void {
    this.#drafts.delete(key);
    if (draft === undefined || this.#isDisposed) return;
    this.#drafts.set(key, draft);
    const goOn = vscode.l10n.t('Continue');
    const discard = vscode.l10n.t('Discard');
    void showInformationMessage(
      vscode.l10n.t(
        '{0}: nothing is saved. Your input is kept until the window closes, but not the secret.',
        title,
      ),
      goOn,
      discard,
    ).then(async (chosen) => {
      if (chosen === discard && !this.#open.has(key)) this.#drafts.delete(key);
      if (chosen === goOn)
        await vscode.commands.executeCommand(
          key === undefined ? commands.connectionAdd : commands.connectionEdit,
          key,
        );
    });
  }

  /** Tests the connection. As when connecting, a folder's entry only gets the permissions that the user allowed. */
  async #test(
    { profile, secret }: Candidate,
    old: ConnectionProfile | undefined,
    progress: { readonly signal: AbortSignal; readonly stepDone: (title: string) => void },
  ): Promise<TestOutcome | undefined> {
    const allowed = await settled(this.#inForce(profile, old), this.#manage.folderAnswers);
    if (allowed === undefined) return undefined;
    const tester = await this.#tester();
    return testOutcome(await tester.probe(allowed, { ...progress, secret }));
  }

  /** @param failure why the test of this input failed: it is saved all the same, with a warning. */
  async #save(
    candidate: Candidate,
    old: ConnectionProfile | undefined,
    failure: string | undefined,
  ): Promise<void> {
    const saved = await this.#write(candidate, old);
    const { session, log } = this.#deps;
    if (failure === undefined)
      setStatusBarMessage(`$(check) ${vscode.l10n.t('"{0}" is saved.', forLabel(saved.name))}`, 5_000);
    else void this.#warn(saved, failure);
    const isInUse = isCurrent(session, saved) || (old !== undefined && isCurrent(session, old));
    if (old !== undefined && !isInUse) return;
    // Not awaited: the page closes now, and a failure is shown as for any connection.
    connectTo(saved, {
      ...this.#manage,
      askedFor: (profile) => this.#manage.askedFor(profile, failure !== undefined),
    }).catch((error: unknown) => presentFailure(log, commands.connectionConnect, error));
  }

  async #warn({ name }: ConnectionProfile, failure: string): Promise<void> {
    const edit = vscode.l10n.t('Edit Connection...');
    const chosen = await showWarningMessage(
      vscode.l10n.t('"{0}" is saved, but its test failed. {1}', name, failure),
      edit,
    );
    if (chosen === edit) await vscode.commands.executeCommand(commands.connectionEdit, name);
  }

  /** Writes the new secret, then the settings, then deletes the old secret, so that no failure loses anything. */
  async #write(
    { setting, profile, secret }: Candidate,
    old: ConnectionProfile | undefined,
  ): Promise<ConnectionProfile> {
    const { secrets } = this.#deps;
    const others = this.#manage.known().filter(({ name }) => name !== old?.name);
    if (secret !== undefined) await secrets.set(profile, secret);
    await writeConnection(setting, old?.name);
    const isOtherSecret =
      old !== undefined && (profile.secretSource !== undefined || secretKeyOf(old) !== secretKeyOf(profile));
    if (isOtherSecret) await secrets.forget(old, others);
    return this.#inForce(profile, old);
  }

  #inForce(profile: ConnectionProfile, old: ConnectionProfile | undefined): ConnectionProfile {
    return old?.folderEntry === undefined
      ? profile
      : connectionOfFolder(profile, old.folderEntry, (digest) => this.#manage.folderAnswers.of(digest));
  }
}
