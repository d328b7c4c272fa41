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
  close(): Promise<void>;
}

/** Timeout for a condition; generous, for slow machines. */
const limitMs = 120_000;

const bundles = new Map<string, Promise<WebviewBundle>>();

export async function createWebviewPage(
  name: Parameters<typeof buildWebview>[0],
  receive: (raw: unknown) => Promise<void>,
  options: PageOptions & { readonly title: string },
): Promise<WebviewPage> {
  const bundle = bundles.get(name) ?? buildWebview(name);
  bundles.set(name, bundle);
  const { server, origin } = await serve(name, await bundle, options);
  const context = await options.browser.newContext({
    viewport: { width: options.width ?? 1_000, height: options.height ?? 420 },
    deviceScaleFactor: 1,
    // Contrast cannot be measured during a fade animation.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(limitMs);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text());
  });
  const received: unknown[] = [];
  await page.exposeFunction('sendToHost', async (text: string) => {
    const raw: unknown = JSON.parse(text);
    received.push(raw);
    await receive(raw);
  });
  await simulateEditor(page, options.theme ?? 'dark');
  let last: Promise<unknown> = Promise.resolve();
  return {
    page,
    received,
    problems,
    post: (message) => {
      const text = JSON.stringify(message);
      // One message at a time, because the editor preserves their order. A page that is unloading ignores messages.
      last = last.then(() =>
        page.evaluate((json) => window.postMessage(JSON.parse(json), '*'), text).catch(() => undefined),
      );
    },
    open: async () => {
      await page.goto(origin);
    },
    setTheme: (theme) =>
      page.evaluate((each) => {
        const scope = window as unknown as Record<string, (name: string) => void>;
        scope['applyTheme']?.(each);
      }, theme),
    close: async () => {
      await context.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  name: string,
  { files, texts }: WebviewBundle,
  options: PageOptions & { readonly title: string },
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const { port } = server.address() as AddressInfo; // a TCP server's address
    const origin = `http://127.0.0.1:${port}`;
    const body =
      url === '/'
        ? pageHtml({
            title: options.title,
            cspSource: origin,
            scriptUri: `${origin}/${name}.js`,
            styleUri: `${origin}/${name}.css`,
            nonce: 'test-nonce',
            language: options.language ?? 'en',
            // As in the extension.
            ...(name === 'results' && { waiting: 'Loading...' }),
            translations: pickTexts(texts, options.translations ?? {}),
          })
        : files.get(url);
    const type = url === '/' ? 'text/html' : url.endsWith('.css') ? 'text/css' : 'text/javascript';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address
  return { server, origin: `http://127.0.0.1:${port}` };
}

/** Provides the page with the editor's message channel and its theme. */
async function simulateEditor(page: Page, theme: ThemeName): Promise<void> {
  await page.addInitScript(
    ({ all, first }) => {
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
      document.addEventListener('DOMContentLoaded', () => apply(sessionStorage.getItem('theme') ?? first));
    },
    { all: themes, first: theme },
  );
}
