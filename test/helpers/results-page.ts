/**
 * The result panel's real page in a real browser, connected to the real host code. Only the editor between them is
 * simulated. Messages are converted to JSON and back, as in the editor.
 */
import type { Page } from 'playwright-core';
import { createTranslate } from '#base/translate.ts';
import { ResultsPanel } from '#client/features/results/panel/results-panel.ts';
import { Result } from '#client/features/results/result.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { type RunHeader } from '#core/runs/run-header.ts';
import { type HostMessage } from '#panel-protocol/messages.ts';
import { parsePanelMessage } from '#panel-protocol/panel-message.ts';
import { createWebviewPage, type PageOptions } from './webview-page.ts';
import type { ThemeName } from './webview-themes.ts';

export interface ResultsPage {
  readonly page: Page;
  readonly panel: ResultsPanel;
  readonly factory: ResultDataFactory;
  /** Clipboard contents, oldest first. */
  readonly copied: string[];
  /** Every message from the page, oldest first. */
  readonly received: unknown[];
  /** Failures: page errors, policy violations, unknown messages, host errors. */
  readonly problems: string[];
  newResult(header?: Partial<RunHeader>): Result;
  setTheme(theme: ThemeName): Promise<void>;
  /** Simulates hiding and showing the view: the page loads again. */
  reload(): Promise<void>;
  /** Keeps later tests from using this page, for one that changes it for good. */
  spend(): void;
  close(): Promise<void>;
}

/** One worker for all pages, as in the extension: it starts as long as a page does. It does not keep the process alive. */
let inWorker: ResultDataFactory | undefined;

export async function openResultsPage(
  options: PageOptions & {
    /** Keeps the rows in a worker, as in the extension, instead of this thread. */
    readonly useWorker?: boolean;
  },
): Promise<ResultsPage> {
  const receive = async (raw: unknown): Promise<void> => {
    const message = parsePanelMessage(raw);
    if (message === undefined) shown.problems.push(`message of no known shape: ${JSON.stringify(raw)}`);
    else await panel.receive(message);
  };
  const shown = await createWebviewPage('results', receive, { ...options, title: 'Identity Results' });
  const { page, received, problems } = shown;

  const copied: string[] = [];
  if (options.useWorker === true)
    inWorker ??= createWorkerData(new URL('../../core/src/rows/worker/worker-main.ts', import.meta.url));
  const factory = (options.useWorker === true ? inWorker : undefined) ?? createLocalData();
  const panel = new ResultsPanel({
    copy: async (text) => {
      copied.push(await text);
    },
    failed: (what, error) =>
      problems.push(`host: ${what}: ${error instanceof Error ? error.message : String(error)}`),
    textOptions: () => ({ nullText: 'NULL', guardFormulas: true, tableName: 'stale_admins' }),
    copiesNames: () => false,
    identify: (globalId) =>
      Promise.resolve(globalId.startsWith('0') ? undefined : `Account: ${globalId.slice(0, 4)}`),
    showDetails: (details) => received.push({ kind: 'details shown', details }),
    openRecord: (globalId) => received.push({ kind: 'record opened', globalId }),
    focused: () => undefined,
    whatChanged: ({ id }) => received.push({ kind: 'what changed', result: id }),
    maximize: () => received.push({ kind: 'maximized' }),
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
  });
  const post = (message: HostMessage) => shown.post(message);
  panel.attach(post);
  await shown.open();

  let resultCount = 0;
  return {
    page,
    panel,
    factory,
    copied,
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
    setTheme: (theme) => shown.setTheme(theme),
    spend: () => shown.spend(),
    async reload() {
      panel.attach(post);
      await page.reload();
    },
    async close() {
      await shown.close();
      for (const result of [...panel.results]) panel.remove(result);
      if (factory !== inWorker) await factory.dispose();
    },
  };
}
