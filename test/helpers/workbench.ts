/**
 * Drives a real VS Code workbench in a browser, with the packaged extension installed, by what a user sees, clicks and
 * types. Elements are found by role and name; every wait has a condition and a limit.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { chromium, type Browser, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { chromiumSwitches, ensureChromium } from '../../scripts/lib/chromium.js';
import {
  ensureCodeServer,
  ensurePackageInstalled,
  startCodeServer,
  workbenchUrl,
} from '../../scripts/lib/code-server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFolder = path.join(root, 'test-results');

/** Themes and the CSS class that the workbench has with each. */
const themes = {
  'Default Dark Modern': 'vs-dark',
  'Default Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
} as const;
export type Theme = keyof typeof themes;

export interface WorkbenchOptions {
  /** Prefix of its screenshots. */
  readonly name: string;
  /** Environment of the extension host, for example a connection. */
  readonly env?: NodeJS.ProcessEnv;
  readonly theme?: Theme;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Further files of the folder, by relative path. */
  readonly workspaceFiles?: Readonly<Record<string, string>>;
  /** The folder starts in restricted mode. */
  readonly asksForTrust?: boolean;
  /** The folder of another extension, loaded from source beside ours; notifications then do not pop up. */
  readonly development?: string;
  /** The language of its windows; ours is the only extension that has texts in it. */
  readonly language?: string;
  /** Fills the extensions folder; without it, the package is installed. */
  readonly install?: (extensionsFolder: string) => Promise<void>;
  /** Pixels of a screenshot for each pixel of the page. */
  readonly deviceScaleFactor?: number;
  /** The extension logs at its most detailed level. */
  readonly logsEverything?: boolean;
}

/** Time that a condition may take on a slow machine; every wait ends as soon as its condition holds. */
const limitMs = 120_000;

/** Time between two looks at a condition: short for people, and leaves the processor to the editor. */
const pollMs = 50;

export class Workbench {
  readonly page: Page;
  readonly workspace: string;
  /** Prefix of its screenshots. */
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

  /** Another window on the same server, as for a second user. */
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

  /** Runs a command by typing its title in the palette. */
  async runCommand(title: string): Promise<void> {
    await this.until(`the palette runs ${title}`, async () => {
      // A view that appears takes the focus and closes the palette; then open it again.
      await this.page.keyboard.press('F1');
      return await this.pickCommand(title).then(
        () => true,
        () => false,
      );
    });
  }

  /** Fails within seconds if the palette closes in the meantime. */
  private async pickCommand(title: string): Promise<void> {
    const timeout = 5_000;
    await this.quickInput.fill(`>${title}`, { timeout });
    await this.quickPick(title).first().click({ timeout });
  }

  /** Chooses an entry of a row's menu. */
  async chooseInMenu(row: string | RegExp, entry: string): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item').filter({ hasText: entry }).first();
    // A view that redraws closes the menu of a row.
    await this.until(`the menu of ${String(row)}`, async () => {
      if (await item.isVisible()) return true;
      await this.treeItem(row).first().click({ button: 'right', timeout: 10_000 });
      return await item.isVisible();
    });
    // The editor's menus ignore clicks in their first moments: hover to choose, press a key to confirm.
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

  /** Opens a quick pick and chooses one of its rows. A focus that moves meanwhile closes it: then it is opened again. */
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
      // A starting window may be opening the view right now: then this click closes it, and the next one opens it.
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

  /** Chooses a notification button by key: the list moves as notifications come and go, so a click may miss. */
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

  /** Error squiggles in the active editor. */
  get errorSquiggles(): Locator {
    return this.editor.locator('.squiggly-error');
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name });
  }

  statusBar(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
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

  /** Waits until any webview shows a text. */
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

  /** The number of webviews that show a text. Queries only the inner frames: the frame around one may start late. */
  async webviewsWith(text: string): Promise<number> {
    const drawn = this.page.frames().filter((frame) => frame.url().includes('/pre/fake.html'));
    const counts = await Promise.all(
      // A frame that just closed shows nothing.
      drawn.map((frame) =>
        frame
          .getByText(text)
          .count()
          .catch(() => 0),
      ),
    );
    return counts.filter((count) => count > 0).length;
  }

  /** Waits until the editor has stored that a tab is open: a window that closes earlier reopens without it. */
  async writtenTab(title: string): Promise<void> {
    await this.until(`the editor has written the tab ${title}`, () =>
      this.page.evaluate(findInStorage, title),
    );
  }

  /** A screenshot in the dark theme, and with `--themes` in the light and high contrast themes, too. */
  async screenshots(name: string): Promise<void> {
    const all = ['Default Light Modern', 'Default High Contrast', 'Default Dark Modern'] as const;
    const inAllThemes = process.env['IDENTITY_QUERIES_ALL_THEMES'] === '1';
    for (const theme of inAllThemes ? all : all.slice(-1)) {
      if (inAllThemes) await this.useTheme(theme);
      await this.screenshot(`${name}-${theme.split(' ')[1]?.toLowerCase() ?? ''}`);
    }
  }

  async screenshot(name: string): Promise<void> {
    const folder = path.join(resultsFolder, 'screenshots');
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({
      path: path.join(folder, `${this.name}-${name}.png`),
      animations: 'disabled',
    });
  }

  /** Waits until the editor's backup for a scheme holds exactly this unsaved text, not an earlier one. */
  async backedUp(scheme: string, text: string): Promise<void> {
    await this.until(`the editor has kept ${text}`, async () => {
      const files = globSync(`**/Backups/*/${scheme}/*`, { cwd: this.serverData });
      // A file may disappear between the listing and the read.
      const read = (file: string) => readFile(path.join(this.serverData, file), 'utf8').catch(() => '');
      return (await Promise.all(files.map(read))).some((kept) => kept.endsWith(text));
    });
  }

  /** Process ids of all extension hosts so far, newest last. */
  extensionHosts(): readonly number[] {
    return [...this.#serverLog().matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, id]) =>
      Number(id),
    );
  }

  /** The log of the extension so far. */
  async log(): Promise<string> {
    const files = globSync('**/*Identity Queries.log', { cwd: path.join(this.serverData, 'data/logs') });
    const texts = await Promise.all(
      files.map((file) => readFile(path.join(this.serverData, 'data/logs', file), 'utf8')),
    );
    return texts.join('\n');
  }

  /** All logs: of the extension, the editor, its server and its other extensions. */
  async allLogs(): Promise<string> {
    const folder = path.join(this.serverData, 'data/logs');
    const files = globSync('**/*.log', { cwd: folder });
    return (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join('\n');
  }

  /** The path of each editor file that contains the given text, and `browser storage` if that contains it. */
  async placesOf(text: string): Promise<readonly string[]> {
    const files = globSync('**/*', { cwd: this.serverData, withFileTypes: true })
      // The editor's list of built-in extensions contains any short word.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('extensions.builtin.'))
      .map((entry) => path.join(entry.parentPath, entry.name));
    const holding: string[] = [];
    for (const file of files) {
      // A file that was just deleted contains nothing.
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

/** Takes a screenshot at the failure; a closed window must not hide the cause. */
async function keepTraces(workbench: Workbench): Promise<void> {
  try {
    await workbench.screenshot('FAILED');
    await writeFile(path.join(resultsFolder, `${workbench.name}-FAILED.log`), await workbench.log());
  } catch (error) {
    process.stderr.write(`no picture of the failure: ${error instanceof Error ? error.message : ''}\n`);
  }
}

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const vscode = await ensureCodeServer();
  const executablePath = await ensureChromium();
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
    ...(options.language === undefined ? {} : { language: options.language }),
  });
  let browser: Browser | undefined;
  const close = async () => {
    try {
      await browser?.close();
    } finally {
      await server.stop();
    }
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    browser = await chromium.launch({ executablePath, args: chromiumSwitches });
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: options.deviceScaleFactor ?? 1,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const logLevel =
      options.logsEverything === true ? { logLevel: 'identity-queries.identity-queries:trace' } : {};
    const development = options.development === undefined ? {} : { development: options.development };
    const openPage = async () => {
      const page = await context.newPage();
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
    'window.commandCenter': true,
    ...options.settings,
  };
  const folder = path.join(serverData, 'data/Machine');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

/** Runs in the page: whether the workbench's storage contains the given text. */
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
