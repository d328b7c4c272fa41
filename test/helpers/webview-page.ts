/**
 * Opens one of our pages in a real browser, under its own content security policy. Only the editor around it is
 * simulated. Messages are converted to JSON and back, as in the editor.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { Translations } from '#base/translate.ts';
import { pageHtml } from '#client/ui/page-html.ts';
import { pickTexts } from '#client/ui/page-texts.ts';
import { buildWebview, type WebviewBundle } from './webview-bundle.ts';
import { themes, type ThemeName } from './webview-themes.ts';

export interface PageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly browser: Browser;
  /** The editor's language, for which the extension has `translations`. */
  readonly language?: string;
  readonly translations?: Translations;
}

export interface WebviewPage {
  readonly page: Page;
  /** Every message from the page, oldest first. */
  readonly received: unknown[];
  /** Page errors, policy violations and problems that the caller adds. */
  readonly problems: string[];
  /** Sends the page a message; messages arrive in order. */
  post(message: unknown): void;
  /** Loads the page; call it once the page's messages can be answered. */
  open(): Promise<void>;
  setTheme(theme: ThemeName): Promise<void>;
  /** Keeps later tests from using this page, for one that changes it for good. */
  spend(): void;
  close(): Promise<void>;
}

/** Timeout for a condition; generous, for slow machines. */
const limitMs = 120_000;

const bundles = new Map<string, Promise<WebviewBundle>>();

/** A page of a browser and the server of its document, which tests use one after the other. */
interface KeptPage {
  readonly page: Page;
  readonly origin: string;
  /** What the test that uses the page does with its messages and problems, and the page's document. */
  use: Use | undefined;
}

interface Use {
  readonly html: (origin: string) => string;
  readonly receive: (text: string) => Promise<void>;
  readonly report: (problem: string) => void;
}

/** Pages that no test uses, by their browser and bundle: opening one takes longer than most tests. */
const kept = new WeakMap<Browser, Map<string, KeptPage[]>>();

export async function createWebviewPage(
  name: Parameters<typeof buildWebview>[0],
  receive: (raw: unknown) => Promise<void>,
  options: PageOptions & { readonly title: string },
): Promise<WebviewPage> {
  const { browser } = options;
  const built = bundles.get(name) ?? buildWebview(name);
  bundles.set(name, built);
  const bundle = await built;
  const ofBrowser = kept.get(browser) ?? new Map<string, KeptPage[]>();
  kept.set(browser, ofBrowser);
  const free = ofBrowser.get(name) ?? [];
  ofBrowser.set(name, free);
  const used = free.pop() ?? (await keptPage(bundle, browser));
  const { page } = used;
  await page.setViewportSize({ width: options.width ?? 1_000, height: options.height ?? 420 });
  // Contrast cannot be measured during a fade animation.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const problems: string[] = [];
  const received: unknown[] = [];
  let isOver = false;
  let isSpent = false;
  used.use = {
    html: (origin) =>
      pageHtml({
        title: options.title,
        cspSource: origin,
        scriptUri: `${origin}/${name}.js`,
        styleUri: `${origin}/${name}.css`,
        nonce: 'test-nonce',
        language: options.language ?? 'en',
        // As in the extension.
        ...(name === 'results' && { waiting: 'Loading...' }),
        translations: pickTexts(bundle.texts, options.translations ?? {}),
      }),
    receive: async (text) => {
      const raw: unknown = JSON.parse(text);
      received.push(raw);
      await receive(raw);
    },
    report: (problem) => problems.push(problem),
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    page,
    received,
    problems,
    post: (message) => {
      const text = JSON.stringify(message);
      // One message at a time, because the editor preserves their order. A page that is unloading ignores messages.
      last = last.then(async () => {
        if (isOver) return;
        await page.evaluate((json) => window.postMessage(JSON.parse(json), '*'), text).catch(() => undefined);
      });
    },
    open: async () => {
      await page.goto(`${used.origin}/?theme=${options.theme ?? 'dark'}`);
    },
    setTheme: (theme) =>
      page.evaluate((each) => {
        const scope = window as unknown as Record<string, (name: string) => void>;
        scope['applyTheme']?.(each);
      }, theme),
    spend: () => {
      isSpent = true;
    },
    close: async () => {
      // Another test may use the page by now.
      if (isOver) return;
      isOver = true;
      await last;
      if (isSpent) {
        await page.context().close();
        return;
      }
      await page.evaluate(() => sessionStorage.clear());
      await page.mouse.move(0, 0);
      await page.goto('about:blank');
      used.use = undefined;
      free.push(used);
    },
  };
}

async function keptPage(bundle: WebviewBundle, browser: Browser): Promise<KeptPage> {
  const context = await browser.newContext({ deviceScaleFactor: 1 });
  const page = await context.newPage();
  page.setDefaultTimeout(limitMs);
  const { server, origin } = await serve(bundle, () => made.use);
  context.once('close', () => server.close());
  // It ends with the browser, at the latest.
  server.unref();
  const made: KeptPage = { page, origin, use: undefined };
  page.on('pageerror', (error) => made.use?.report(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) made.use?.report(message.text());
  });
  await page.exposeFunction('sendToHost', (text: string) => made.use?.receive(text));
  await simulateEditor(page);
  return made;
}

async function serve(
  { files }: WebviewBundle,
  use: () => Use | undefined,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const url = (request.url ?? '/').replace(/\?.*/, '');
    const body = url === '/' ? use()?.html(origin) : files.get(url);
    const type = url === '/' ? 'text/html' : url.endsWith('.css') ? 'text/css' : 'text/javascript';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address
  const origin = `http://127.0.0.1:${port}`;
  return { server, origin };
}

/** Provides the page with the editor's message channel and its theme. */
async function simulateEditor(page: Page): Promise<void> {
  await page.addInitScript((all) => {
    const scope = window as unknown as Record<string, unknown>;
    scope['acquireVsCodeApi'] = () => ({
      postMessage: (message: unknown) => {
        const send = scope['sendToHost'] as (text: string) => Promise<void>;
        void send(JSON.stringify(message));
      },
    });
    const apply = (name: string) => {
      const chosen = all[name as keyof typeof all];
      document.documentElement.removeAttribute('style');
      for (const [key, value] of Object.entries(chosen.variables)) {
        document.documentElement.style.setProperty(`--vscode-${key}`, value);
      }
      document.body.className = chosen.bodyClass;
      sessionStorage.setItem('theme', name);
    };
    scope['applyTheme'] = apply;
    const first = new URLSearchParams(location.search).get('theme');
    if (first === null) return; // an empty page between two tests
    document.addEventListener('DOMContentLoaded', () => apply(sessionStorage.getItem('theme') ?? first));
  }, themes);
}
