/** Runs the steps of Test Connection with progress, then shows the findings on one page. */
import * as vscode from 'vscode';
import type { Step } from '#api/client/network/connection-test.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { commands } from '#client/contributions.ts';
import { openNetwork, readNetworkSettings } from '#client/session/network.ts';
import { type ClientDependencies, requireUsable } from '#client/session/open-client.ts';
import { saySecretOrigin } from '#client/ui/connection-labels.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { createWebviewPanel } from '#client/ui/shown/webview-panels.ts';
import { scopesOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { askAssumptions, type AssumptionsReport } from './assumptions.ts';
import { reportHtml } from './report-html.ts';
import { markdownOf, reportOf, titleOf, type Report } from './report.ts';

/** How long a request of the test waits where the service limits requests. */
const waitMaxMs = 60_000;

export class ConnectionTester implements vscode.Disposable {
  readonly #deps: ClientDependencies;
  readonly #version: string;
  #panel: vscode.WebviewPanel | undefined;
  #last: Report | undefined;

  constructor(deps: ClientDependencies, version: string) {
    this.#deps = deps;
    this.#version = version;
  }

  /** The last report as text. */
  get text(): string | undefined {
    return this.#last && markdownOf(this.#last);
  }

  /** @returns the report once it is shown, or undefined if the user cancels. */
  async test(profile: ConnectionProfile): Promise<Report | undefined> {
    const report = await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Testing {0}', profile.name),
        cancellable: true,
      },
      async (progress, signal) =>
        await this.probe(profile, { signal, stepDone: (title) => progress.report({ message: title }) }),
    );
    this.#show(report);
    return report;
  }

  /** Runs the test without opening a page. @throws UserAbort */
  async probe(
    profile: ConnectionProfile,
    options: {
      /** A secret that was entered but not stored yet. */
      readonly secret?: string | undefined;
      readonly signal: AbortSignal;
      /** Called after each step with its title. */
      readonly stepDone: (title: string) => void;
    },
  ): Promise<Report> {
    const found = await this.#run(profile, options);
    const secretOrigin =
      options.secret === undefined
        ? saySecretOrigin(profile, await this.#deps.secrets.originOf(profile)).replace(/^[^:]*: /, '')
        : vscode.l10n.t('entered, not stored yet');
    this.#last = reportOf({
      profile,
      ...found,
      way: this.#way(),
      secretOrigin,
      version: this.#version,
    });
    return this.#last;
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  async #run(
    profile: ConnectionProfile,
    { secret, signal, stepDone }: Parameters<ConnectionTester['probe']>[1],
  ): Promise<{ readonly steps: readonly Step[]; readonly assumptions: AssumptionsReport | undefined }> {
    requireUsable(profile);
    const { testConnection } = await import('#api/client/network/connection-test.ts');
    const network = readNetworkSettings();
    const { certificateFile } = network.dispatcher;
    const passphrase =
      certificateFile === undefined ? undefined : await this.#deps.secrets.passphrase(certificateFile);
    const steps: Step[] = [];
    const options = {
      baseUrl: profile.baseUrl,
      authUrl: profile.authUrl,
      environment: profile.environment,
      clientId: profile.clientId,
      clientSecret: async () => secret ?? (await this.#deps.secrets.require(profile)),
      clientAuthentication: profile.clientAuthentication,
      userAgent: this.#deps.userAgent,
      scopes: scopesOf(profile),
      signal,
    };
    const all = testConnection({
      ...options,
      network: { ...network.dispatcher, passphrase },
      ...(network.useEditorFetch ? { fetch } : {}),
      timeoutMs: network.requestTimeoutMs,
      logger: this.#deps.log,
    });
    for await (const step of all) {
      stepDone(titleOf(step.name));
      steps.push(step);
    }
    const failed = steps.filter(({ outcome }) => outcome.kind === 'failed').map(({ name }) => name);
    this.#deps.log.info(
      `tested "${profile.name}": ${failed.length === 0 ? 'everything works' : `failed: ${failed.join(', ')}`}`,
    );
    const isReadable = steps.some(({ name, outcome }) => name === 'models' && outcome.kind === 'ok');
    if (!isReadable) return { steps, assumptions: undefined };
    const opened = await openNetwork(network, passphrase);
    try {
      const rateLimit = {
        maxMs: waitMaxMs,
        onPause: (delayMs: number, isLimited: boolean) => stepDone(pauseWords(delayMs, isLimited)),
      };
      return { steps, assumptions: await askAssumptions({ ...options, ...opened.carrier, rateLimit }) };
    } finally {
      await opened.close();
    }
  }

  #way(): string {
    const { useEditorFetch, dispatcher } = readNetworkSettings();
    if (useEditorFetch) return vscode.l10n.t("by the editor's own fetch");
    const parts = [
      dispatcher.proxy === undefined
        ? vscode.l10n.t('without a proxy')
        : dispatcher.proxy === 'environment'
          ? vscode.l10n.t('through the proxies set in environment variables, if any')
          : vscode.l10n.t('through the proxy of the setting http.proxy'),
      ...(dispatcher.caFile === undefined ? [] : [vscode.l10n.t('with your own CA file')]),
      ...(dispatcher.certificateFile === undefined ? [] : [vscode.l10n.t('with a client certificate')]),
    ];
    return parts.join(', ');
  }

  #show(report: Report): void {
    const title = vscode.l10n.t('Connection test: {0}', report.name);
    if (this.#panel === undefined) {
      const panel = createWebviewPanel('identityQueries.connectionTest', title, vscode.ViewColumn.Active, {
        enableScripts: false,
        enableFindWidget: true,
        localResourceRoots: [],
        enableCommandUris: [
          commands.connectionCopyReport,
          commands.connectionTest,
          commands.connectionUpdateSecret,
          commands.networkUpdatePassphrase,
          'workbench.action.openSettings',
        ],
      });
      panel.onDidDispose(() => (this.#panel = undefined));
      this.#panel = panel;
    } else this.#panel.reveal();
    this.#panel.title = title;
    this.#panel.webview.html = reportHtml(report, {
      translate: (text, ...values) => vscode.l10n.t(text, ...values),
      language: vscode.env.language,
      nonce: crypto.randomUUID().replaceAll('-', ''),
    });
  }
}
