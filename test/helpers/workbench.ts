/**
 * Drives a real VS Code workbench in a browser, with the packaged extension installed, the way a user would. Elements
 * are found by role and name. Every wait has a condition and a timeout.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import {
  ensureCodeServer,
  ensurePackageInstalled,
  startCodeServer,
  workbenchUrl,
} from '#scripts/lib/code-server.js';
import { resultsFolder } from '#scripts/lib/paths.js';
import { borrowBrowser, type BorrowedBrowser } from './borrowed-browser.ts';
import { takePicture, takesAllThemes } from './pictures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Themes, each with the CSS class that the workbench gets. */
const themes = {
  'Default Dark Modern': 'vs-dark',
  'Default Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
} as const;
export type Theme = keyof typeof themes;

/** Windows are transparent, except in screenshots that set this style. */
export const paintedStyle = 'html { opacity: 1 !important; }';

/** Initial size of a window. */
export const windowSize = { width: 1440, height: 900 } as const;

export interface WorkbenchOptions {
  /** Prefix for screenshot names. */
  readonly name: string;
  /** Environment variables of the extension host, for example a connection. */
  readonly env?: NodeJS.ProcessEnv;
  readonly theme?: Theme;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Additional files in the workspace folder, by relative path. */
  readonly workspaceFiles?: Readonly<Record<string, string>>;
  /** Opens the folder in restricted mode. */
  readonly asksForTrust?: boolean;
  /** Another extension's folder, loaded from source in addition to ours; if set, notifications do not pop up. */
  readonly development?: string;
  /** Display language of the windows. Only our extension is translated. */
  readonly language?: string;
  /** Installs the extensions. Default: installs our package. */
  readonly install?: (extensionsFolder: string) => Promise<void>;
  /** Screenshot pixels per CSS pixel. */
  readonly deviceScaleFactor?: number;
  /** Sets the extension's log level to the most detailed one. */
  readonly logsEverything?: boolean;
}

/** Timeout for a condition; generous, for slow machines. Every wait ends as soon as its condition holds. */
const limitMs = 120_000;

/** Polling interval: short enough to go unnoticed, but long enough to leave the processor to the editor. */
const pollMs = 50;

export class Workbench {
  readonly page: Page;
  readonly workspace: string;
  /** Prefix for screenshot names. */
  name: string;
  readonly #options: WorkbenchOptions;
  readonly #close: () => Promise<void>;
  readonly #openPage: () => Promise<Page>;
  /** The editor server's data: settings, storage, logs. */
  readonly serverData: string;
  readonly #serverLog: () => string;

  constructor(parts: {
    page: Page;
    workspace: string;
    options: WorkbenchOptions;
    serverData: string;
    serverLog: () => string;
    openPage: () => Promise<Page>;
    close: () => Promise<void>;
  }) {
    this.page = parts.page;
    this.workspace = parts.workspace;
    this.name = parts.options.name;
    this.#options = parts.options;
    this.serverData = parts.serverData;
    this.#serverLog = parts.serverLog;
    this.#openPage = parts.openPage;
    this.#close = parts.close;
  }

  /** Opens another window on the same server, as for a second user. */
  async openWindow(): Promise<Workbench> {
    const page = await this.#openPage();
    return new Workbench({
      page,
      workspace: this.workspace,
      options: this.#options,
      serverData: this.serverData,
      serverLog: this.#serverLog,
      openPage: this.#openPage,
      close: () => page.close(),
    });
  }

  /** Runs a command by typing its title into the palette. */
  async runCommand(title: string): Promise<void> {
    await this.until(`the palette runs ${title}`, async () => {
      // A view that appears takes the focus, which closes the palette; the next attempt opens it again.
      await this.page.keyboard.press('F1');
      const isRun = await this.pickCommand(title).then(
        () => true,
        () => false,
      );
      // An open palette keeps the commands that there were when it opened.
      if (!isRun) await this.page.keyboard.press('Escape');
      return isRun;
    });
  }

  /** Chooses a command in the open palette. Fails within seconds if the palette closes in the meantime. */
  private async pickCommand(title: string): Promise<void> {
    const timeout = 5_000;
    await this.quickInput.fill(`>${title}`, { timeout });
    await this.quickPick(title).first().click({ timeout });
  }

  /** Chooses an entry from the context menu of a row. */
  async chooseInMenu(row: string | RegExp, entry: string): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item').filter({ hasText: entry }).first();
    // Redrawing a view closes its context menu.
    await this.until(`the menu of ${String(row)}`, async () => {
      if (await item.isVisible()) return true;
      await this.treeItem(row).first().click({ button: 'right', timeout: 10_000 });
      return await item.isVisible();
    });
    // The editor's menus ignore clicks right after they open, so hover to select and press Enter to confirm.
    await item.hover();
    await this.page.keyboard.press('Enter');
  }

  /** The text field of a quick pick or input box. */
  get quickInput(): Locator {
    return this.page.locator(
      '.quick-input-widget:visible input[type="text"], .quick-input-widget:visible input[type="password"]',
    );
  }

  /** A row of the open quick pick. */
  quickPick(text: string | RegExp): Locator {
    return this.page
      .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row')
      .filter({ hasText: text });
  }

  /** Opens a quick pick and chooses one of its rows. Retries if the quick pick closes because it lost the focus. */
  async choose(open: () => Promise<void>, text: string | RegExp): Promise<void> {
    const timeout = 10_000;
    await this.until(`${String(text)} is chosen`, async () => {
      try {
        await open();
        await this.quickPick(text).first().click({ timeout });
        return true;
      } catch {
        return false;
      }
    });
  }

  /** The validation message or prompt under the open input box. */
  get quickInputMessage(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-message');
  }

  async openIdentityView(): Promise<void> {
    const tab = this.page.getByRole('tab', { name: 'Identity Queries' });
    await tab.waitFor();
    const sideBar = this.page.locator('.part.sidebar');
    await this.until('the view of Identity Queries is open', async () => {
      const isOpen = (await tab.getAttribute('aria-selected')) === 'true' && (await sideBar.isVisible());
      // If the window, while starting, opens the view first, this click closes the view and the next one opens it.
      if (!isOpen) await tab.click();
      return await sideBar.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  treeItem(name: string | RegExp): Locator {
    return this.page.locator('.part.sidebar').getByRole('treeitem', { name });
  }

  /** The open notifications that contain the given text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-list-item').filter({ hasText: text });
  }

  /** Presses a notification button by key: notifications move as others appear and disappear, so a click may miss. */
  async answerNotification(text: string | RegExp, title: string): Promise<void> {
    await this.notificationButton(text, title).press('Enter');
  }

  notificationButton(text: string | RegExp, title: string): Locator {
    return this.notification(text).getByRole('button', { name: title, exact: true }).first();
  }

  /** The open modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** The rendered lines of the focused or named editor. */
  get editor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor[role="code"]').last();
  }

  /** Replaces the active editor's text. */
  async setEditorText(text: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(text);
  }

  get errorSquiggles(): Locator {
    return this.editor.locator('.squiggly-error');
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name });
  }

  statusBar(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** The status bar item of the connection, without the messages that are shown beside it. */
  connectionStatus(text: string | RegExp): Locator {
    return this.page
      .locator('[id="identity-queries.identity-queries.identityQueries.connection"]')
      .filter({ hasText: text });
  }

  /** The document inside the visible webview of our result panel. */
  get webview(): FrameLocator {
    return this.page
      .locator('iframe.webview.ready:visible')
      .first()
      .contentFrame()
      .locator('iframe#active-frame')
      .contentFrame();
  }

  async webviewText(text: string): Promise<void> {
    await this.until(`a webview shows ${text}`, async () => (await this.webviewsWith(text)) > 0);
  }

  /** Waits until a condition holds; `what` names it in the failure. */
  async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!(await condition())) {
      if (performance.now() > deadline) throw new assert.AssertionError({ message: `never: ${what}` });
      await setTimeout(pollMs);
    }
  }

  /** Changes the theme setting and waits until it is applied; open editors stay open. */
  async useTheme(theme: Theme): Promise<void> {
    await writeSettings(this.serverData, { ...this.#options, theme });
    await this.page.locator(`.monaco-workbench.${themes[theme]}`).waitFor();
  }

  /** Changes this workbench's settings; a later theme change restores the initial ones. */
  async useSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await writeSettings(this.serverData, {
      ...this.#options,
      settings: { ...this.#options.settings, ...settings },
    });
  }

  /** Like `useSettings`, and waits until they apply, with a light theme that shows it. */
  async applySettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const light = this.page.locator('.monaco-workbench.vs');
    // A window that has just opened may not watch the file yet.
    await this.until('the settings apply', async () => {
      await this.useSettings({ ...settings, 'workbench.colorTheme': 'Default Light Modern' });
      return await light.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Counts the webviews that show `text`. Queries only the inner frames, since the outer frames may load late. */
  async webviewsWith(text: string): Promise<number> {
    const drawn = this.page.frames().filter((frame) => frame.url().includes('/pre/fake.html'));
    const counts = await Promise.all(
      // Frames that were just closed show nothing.
      drawn.map((frame) =>
        frame
          .getByText(text)
          .count()
          .catch(() => 0),
      ),
    );
    return counts.filter((count) => count > 0).length;
  }

  /** Waits until the editor has stored that a tab is open. A window that closes earlier reopens without the tab. */
  async writtenTab(title: string): Promise<void> {
    await this.until(`the editor has written the tab ${title}`, () =>
      this.page.evaluate(findInStorage, title),
    );
  }

  /** Takes a screenshot in the dark theme, and with `--themes` also in the light and high-contrast themes. */
  async screenshots(name: string): Promise<void> {
    const all = ['Default Light Modern', 'Default High Contrast', 'Default Dark Modern'] as const;
    for (const theme of takesAllThemes ? all : all.slice(-1)) {
      if (takesAllThemes) await this.useTheme(theme);
      await this.screenshot(`${name}-${theme.split(' ')[1]?.toLowerCase() ?? ''}`);
    }
  }

  async screenshot(name: string, options: { readonly isFailure?: boolean } = {}): Promise<void> {
    await takePicture(this.page, `${this.name}-${name}`, { ...options, style: paintedStyle });
  }

  /** Waits until the editor's backup for a URI scheme contains exactly this unsaved text. */
  async backedUp(scheme: string, text: string): Promise<void> {
    await this.until(`the editor has kept ${text}`, async () => {
      const files = globSync(`**/Backups/*/${scheme}/*`, { cwd: this.serverData });
      // A file may disappear between the listing and the read.
      const read = (file: string) => readFile(path.join(this.serverData, file), 'utf8').catch(() => '');
      return (await Promise.all(files.map(read))).some((kept) => kept.endsWith(text));
    });
  }

  /** Process IDs of all extension hosts so far, newest last. */
  extensionHosts(): readonly number[] {
    return [...this.#serverLog().matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, id]) =>
      Number(id),
    );
  }

  /** The extension's log so far. */
  async log(): Promise<string> {
    const files = globSync('**/*Identity Queries.log', { cwd: path.join(this.serverData, 'data/logs') });
    const texts = await Promise.all(
      files.map((file) => readFile(path.join(this.serverData, 'data/logs', file), 'utf8')),
    );
    return texts.join('\n');
  }

  /** The logs of the extension, the editor, its server and its other extensions. */
  async allLogs(): Promise<string> {
    const folder = path.join(this.serverData, 'data/logs');
    const files = globSync('**/*.log', { cwd: folder });
    return (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join('\n');
  }

  /** Returns the paths of the editor's files that contain `text`, plus `browser storage` if it does. */
  async placesOf(text: string): Promise<readonly string[]> {
    const files = globSync('**/*', { cwd: this.serverData, withFileTypes: true })
      // The editor's list of built-in extensions contains any short word.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('extensions.builtin.'))
      .map((entry) => path.join(entry.parentPath, entry.name));
    const holding: string[] = [];
    for (const file of files) {
      // Files that were just deleted contain nothing.
      const content = await readFile(file, 'utf8').catch(() => '');
      if (content.includes(text)) holding.push(path.relative(this.serverData, file));
    }
    return (await this.page.evaluate(findInStorage, text)) ? [...holding, 'browser storage'] : holding;
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** Starts a workbench, runs a body with it, and keeps a screenshot and the log if the body fails. */
export async function withWorkbench(
  options: WorkbenchOptions,
  body: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const workbench = await openWorkbench(options);
  try {
    await watched(workbench, () => body(workbench));
  } finally {
    await workbench.close();
  }
}

/** Runs a body with an open workbench, and keeps a screenshot and the log if it fails. */
export async function watched(workbench: Workbench, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    await keepTraces(workbench);
    if (process.env['IDENTITY_QUERIES_KEEP_WINDOW'] !== undefined) await stayOpen(workbench, error);
    throw error;
  }
}

/** Leaves the failed workbench open for inspection in a browser until the run is stopped. */
async function stayOpen(workbench: Workbench, error: unknown): Promise<never> {
  process.stderr.write(`${inspect(error)}\nThe workbench stays at ${workbench.page.url()} until Ctrl+C.\n`);
  return new Promise<never>(() => undefined);
}

/** Takes a screenshot of the failure. If the window is closed, the original error must still surface. */
async function keepTraces(workbench: Workbench): Promise<void> {
  try {
    await workbench.screenshot('FAILED', { isFailure: true });
    await mkdir(resultsFolder, { recursive: true });
    await writeFile(path.join(resultsFolder, `${workbench.name}-FAILED.log`), await workbench.log());
  } catch (error) {
    process.stderr.write(`no picture of the failure: ${error instanceof Error ? error.message : ''}\n`);
  }
}

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const vscode = await ensureCodeServer();
  const scratch = await mkdtemp(path.join(tmpdir(), 'identity-queries-ui-'));
  const serverData = path.join(scratch, 'server');
  const workspace = path.join(scratch, 'access-reviews');
  await cp(path.join(root, 'media/sample-workspace'), workspace, { recursive: true });
  for (const [file, text] of Object.entries(options.workspaceFiles ?? {})) {
    await mkdir(path.dirname(path.join(workspace, file)), { recursive: true });
    await writeFile(path.join(workspace, file), text);
  }
  await writeSettings(serverData, options);
  const extensionsFolder = await extensionsOf(options, { vscode, scratch });
  const server = await startCodeServer({
    vscode,
    dataFolder: serverData,
    extensionsFolder,
    env: options.env ?? {},
    asksForTrust: options.asksForTrust ?? false,
    runsExtensionTests: options.development !== undefined,
    hasFewBuiltIns: true,
    ...(options.language === undefined ? {} : { language: options.language }),
  });
  let borrowed: BorrowedBrowser | undefined;
  let context: BrowserContext | undefined;
  const close = async () => {
    try {
      await context?.close();
      await borrowed?.release();
    } finally {
      await server.stop();
    }
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    borrowed = await borrowBrowser();
    const opened = await borrowed.browser.newContext({
      viewport: windowSize,
      deviceScaleFactor: options.deviceScaleFactor ?? 1,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context = opened;
    await opened.addInitScript(drawNothing);
    const logLevel =
      options.logsEverything === true ? { logLevel: 'identity-queries.identity-queries:trace' } : {};
    const development = options.development === undefined ? {} : { development: options.development };
    const openPage = async () => {
      const page = await opened.newPage();
      page.setDefaultTimeout(limitMs);
      await page.goto(workbenchUrl(server.origin, { folder: workspace, ...development, ...logLevel }));
      await page.locator('.monaco-workbench .part.statusbar').waitFor();
      await page.getByRole('tab', { name: 'Identity Queries' }).waitFor();
      return page;
    };
    const page = await openPage();
    return new Workbench({ page, workspace, options, serverData, serverLog: server.log, openPage, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function extensionsOf(
  { install }: WorkbenchOptions,
  { vscode, scratch }: { readonly vscode: string; readonly scratch: string },
): Promise<string> {
  if (install === undefined) return await ensurePackageInstalled(vscode);
  const folder = path.join(scratch, 'extensions');
  await install(folder);
  return folder;
}

/** Settings of a user who dismissed the welcome page and trusts the folder. */
async function writeSettings(serverData: string, options: WorkbenchOptions): Promise<void> {
  const settings = {
    'workbench.startupEditor': 'none',
    'workbench.colorTheme': options.theme ?? 'Default Dark Modern',
    'telemetry.telemetryLevel': 'off',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': true,
    'workbench.tips.enabled': false,
    'remote.autoForwardPorts': false,
    'window.commandCenter': true,
    // Frames are rendered on the CPU, so nothing may move while a test waits.
    'workbench.reduceMotion': 'on',
    'editor.cursorBlinking': 'solid',
    // What the text editor draws or asks for by itself, and no test looks at.
    'editor.minimap.enabled': false,
    'editor.occurrencesHighlight': 'off',
    'editor.selectionHighlight': false,
    'editor.stickyScroll.enabled': false,
    ...options.settings,
  };
  const folder = path.join(serverData, 'data/Machine');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

/**
 * Leaves the window transparent, since drawing it takes a quarter of its processor time and only screenshots look at
 * it. The editor lays it out as ever, and it takes clicks. Runs in each page.
 */
function drawNothing(): void {
  if (window !== window.top) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { opacity: 0; }');
  document.adoptedStyleSheets.push(sheet);
}

/** Returns true if the workbench's storage contains `text`. Runs in the page. */
async function findInStorage(text: string): Promise<boolean> {
  const answer = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('the storage is not read'));
    });
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith('vscode-web-state-db') !== true) continue;
    const database = await answer(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const values = await answer(database.transaction(store).objectStore(store).getAll());
        if (values.some((value) => String(value).includes(text))) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
}
