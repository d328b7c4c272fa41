/**
 * The result panel's real page in a real browser, served by the real host half: only the editor in between is
 * simulated. Messages pass through JSON, as on the editor's channel.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createLocalData } from '../../core/src/rows/local-data.ts';
import type { ResultDataFactory } from '../../core/src/rows/result-data-factory.ts';
import type { Aggregate } from '../../core/src/rows/rows.ts';
import { createWorkerData } from '../../core/src/rows/worker/worker-data.ts';
import { type HostMessage } from '../../panel-protocol/messages.ts';
import { type RunHeader } from '../../core/src/runs/run-header.ts';
import { parsePanelMessage } from '../../panel-protocol/panel-message.ts';
import { pickTexts } from '../../client/src/features/results/panel/page-texts.ts';
import { panelHtml } from '../../client/src/features/results/panel/panel-html.ts';
import { Result } from '../../client/src/features/results/result.ts';
import { ResultsPanel } from '../../client/src/features/results/panel/results-panel.ts';
import { createTranslate, type Translations } from '../../core/src/util/translate.ts';
import { chromiumSwitches, ensureChromium } from '../../scripts/lib/chromium.js';
import { buildResults, type ResultsBundle } from './results-bundle.ts';
import { themes, type ThemeName } from './webview-themes.ts';

export interface ResultsPage {
  readonly page: Page;
  readonly panel: ResultsPanel;
  readonly factory: ResultDataFactory;
  /** Clipboard contents, oldest first. */
  readonly copied: string[];
  /** Selections reported to the status bar, oldest first. */
  readonly selections: (Aggregate | undefined)[];
  /** Every message from the page, oldest first. */
  readonly received: unknown[];
  /** Failures: page errors, policy violations, unknown messages, host errors. */
  readonly problems: string[];
  newResult(header?: Partial<RunHeader>): Result;
  setTheme(theme: ThemeName): Promise<void>;
  /** Simulates hiding and showing the view: the page restarts with only its stored state. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

let bundle: Promise<ResultsBundle> | undefined;

async function serve(
  { files, texts }: ResultsBundle,
  options: { readonly language?: string; readonly translations?: Translations },
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const origin = `http://127.0.0.1:${port}`;
    const body =
      url === '/'
        ? panelHtml({
            cspSource: origin,
            scriptUri: `${origin}/results.js`,
            styleUri: `${origin}/results.css`,
            nonce: 'test-nonce',
            language: options.language ?? 'en',
            translations: pickTexts(texts, options.translations ?? {}),
          })
        : files.get(url);
    const type = url === '/' ? 'text/html' : url.endsWith('.css') ? 'text/css' : 'text/javascript';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { server, origin: `http://127.0.0.1:${port}` };
}

export async function openResultsPage(
  options: {
    readonly theme?: ThemeName;
    readonly width?: number;
    readonly height?: number;
    /** Keeps the rows in a worker, as in the extension; otherwise in this thread. */
    readonly useWorker?: boolean;
    readonly browser?: Browser;
    /** The editor's language, with the extension's translations. */
    readonly language?: string;
    readonly translations?: Translations;
  } = {},
): Promise<ResultsPage> {
  bundle ??= buildResults();
  const { server, origin } = await serve(await bundle, options);
  const browser =
    options.browser ??
    (await chromium.launch({
      executablePath: await ensureChromium(),
      args: chromiumSwitches,
    }));
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1_000, height: options.height ?? 420 },
    deviceScaleFactor: 1,
    // Contrast cannot be measured during a fade.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text());
  });

  const copied: string[] = [];
  const selections: (Aggregate | undefined)[] = [];
  const received: unknown[] = [];
  const factory =
    options.useWorker === true
      ? createWorkerData(new URL('../../core/src/rows/worker/worker-main.ts', import.meta.url))
      : createLocalData();
  const panel = new ResultsPanel({
    copy: (text) => {
      copied.push(text);
      return Promise.resolve();
    },
    failed: (what, error) =>
      problems.push(`host: ${what}: ${error instanceof Error ? error.message : String(error)}`),
    textOptions: () => ({ nullText: 'NULL', guardFormulas: true, tableName: 'stale_admins' }),
    identify: (globalId) =>
      Promise.resolve(globalId.startsWith('0') ? undefined : `Account: ${globalId.slice(0, 4)}`),
    showDetails: (details) => received.push({ kind: 'details shown', details }),
    openRecord: (globalId) => received.push({ kind: 'record opened', globalId }),
    export: () => received.push({ kind: 'export asked' }),
    savePicture: (_result, picture) => {
      received.push({ ...picture, kind: 'saved picture' });
      return Promise.resolve();
    },
    group: (_result, grouping) => {
      received.push({ kind: 'grouped', grouping });
      return Promise.resolve();
    },
    addToQuery: (_result, added) => {
      received.push({ ...added, kind: 'added to query' });
      return Promise.resolve();
    },
    language: options.language ?? 'en',
    translate: createTranslate(options.translations ?? {}),
    selected: (aggregate) => selections.push(aggregate),
  });
  let last: Promise<unknown> = Promise.resolve();
  const post = (message: HostMessage) => {
    const text = JSON.stringify(message);
    // In sequence, because the editor's channel keeps the order. A page that is unloading ignores messages.
    last = last.then(() =>
      page.evaluate((json) => window.postMessage(JSON.parse(json), '*'), text).catch(() => undefined),
    );
  };
  await page.exposeFunction('sendToHost', async (text: string) => {
    const raw: unknown = JSON.parse(text);
    received.push(raw);
    const message = parsePanelMessage(raw);
    if (message === undefined) problems.push(`message of no known shape: ${text}`);
    else await panel.receive(message);
  });
  await page.addInitScript(
    ({ all, first }) => {
      const scope = window as unknown as Record<string, unknown>;
      scope['acquireVsCodeApi'] = () => ({
        postMessage: (message: unknown) => {
          const send = scope['sendToHost'] as (text: string) => Promise<void>;
          void send(JSON.stringify(message));
        },
        getState: (): unknown => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      });
      const apply = (name: string) => {
        const theme = all[name as keyof typeof all];
        document.documentElement.removeAttribute('style');
        for (const [key, value] of Object.entries(theme.variables)) {
          document.documentElement.style.setProperty(`--vscode-${key}`, value);
        }
        document.body.className = theme.bodyClass;
        sessionStorage.setItem('theme', name);
      };
      scope['applyTheme'] = apply;
      document.addEventListener('DOMContentLoaded', () => apply(sessionStorage.getItem('theme') ?? first));
    },
    { all: themes, first: options.theme ?? 'dark' },
  );
  panel.attach(post);
  await page.goto(origin);

  let resultCount = 0;
  return {
    page,
    panel,
    factory,
    copied,
    selections,
    received,
    problems,
    newResult(header = {}) {
      resultCount += 1;
      const result: Result = new Result({
        id: `result-${resultCount}`,
        key: `file:///${resultCount}`,
        header: { title: 'stale-admins', parameters: [], ...header },
        factory,
        changed: () => panel.draw(),
      });
      panel.show(result);
      return result;
    },
    setTheme: (theme) =>
      page.evaluate((name) => {
        const scope = window as unknown as Record<string, (name: string) => void>;
        scope['applyTheme']?.(name);
      }, theme),
    async reload() {
      panel.attach(post);
      await page.reload();
    },
    async close() {
      await context.close();
      if (options.browser === undefined) await browser.close();
      for (const result of [...panel.results]) panel.remove(result);
      await factory.dispose();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
