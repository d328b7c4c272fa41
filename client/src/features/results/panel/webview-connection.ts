/** Connects an editor webview to the host side of a result panel. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { pageHtml } from '#client/ui/page-html.ts';
import { translationsOfPage } from '#client/ui/page-texts.ts';
import type { TextFallback } from '../as-text/text-fallback.ts';
import { Handshake } from './handshake.ts';
import type { ResultsPanel } from './results-panel.ts';

export interface WebviewDependencies {
  readonly extensionUri: vscode.Uri;
  readonly log: Logger;
  readonly fallback: TextFallback;
}

/**
 * Timeout for a page to load. Loading usually takes a second or two, but ten or more on a busy machine or a slow
 * network. Opening results as text too early would cover the panel.
 */
const handshakeMs = 30_000;

export interface WebviewConnection extends DisposableLike {
  /** Called when the page is shown or hidden. The editor unloads a hidden page and reloads it when it is shown. */
  setVisible(isVisible: boolean): void;
}

export function webviewOptions(deps: WebviewDependencies): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [assets(deps)] };
}

export function connectWebview(
  webview: vscode.Webview,
  panel: ResultsPanel,
  deps: WebviewDependencies,
): WebviewConnection {
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(assets(deps), file)).toString();
  const handshake = new Handshake(handshakeMs, () => {
    deps.log.warn(`result panel did not come up within ${handshakeMs / 1_000} s`);
    deps.fallback.begin(panel);
  });
  let isVisible = true;
  handshake.begin();
  const receive = async (raw: unknown) => {
    const { parsePanelMessage } = await import('#panel-protocol/panel-message.ts');
    const message = parsePanelMessage(raw);
    if (message?.kind === 'ready') {
      handshake.end();
      deps.fallback.end(panel);
    }
    if (message === undefined) deps.log.warn('result panel sent a message of no known shape');
    else await panel.receive(message);
  };
  const listener = webview.onDidReceiveMessage((raw: unknown) => void receive(raw));
  panel.attach((message) => {
    // Resolves to false if the webview is hidden; the page requests the state when it is shown again.
    webview.postMessage(message).then(undefined, (error: unknown) => {
      deps.log.warn(
        `result panel was not reached: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  });
  webview.html = pageHtml({
    title: 'Identity Results',
    cspSource: webview.cspSource,
    scriptUri: uri('results.js'),
    styleUri: uri('results.css'),
    nonce: randomBytes(16).toString('base64url'),
    language: vscode.env.language,
    waiting: vscode.l10n.t('Loading...'),
    translations: translationsOfPage(
      vscode.Uri.joinPath(assets(deps), 'results.texts.json').fsPath,
      vscode.l10n.bundle,
    ),
  });
  return {
    setVisible(isNow) {
      if (isNow === isVisible) return;
      isVisible = isNow;
      if (isNow) {
        handshake.begin();
      } else {
        handshake.end();
        panel.unload();
      }
    },
    dispose() {
      handshake.dispose();
      listener.dispose();
      deps.fallback.end(panel);
      panel.detach();
    },
  };
}

function assets(deps: WebviewDependencies): vscode.Uri {
  return vscode.Uri.joinPath(deps.extensionUri, 'dist', 'webview');
}
