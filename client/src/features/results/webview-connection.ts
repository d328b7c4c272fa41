/** Ties a webview of the editor to the host's half of a result panel. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Logger } from '../../util/logger.ts';
import { Handshake } from './handshake.ts';
import { panelHtml } from './panel-html.ts';
import type { ResultsPanel } from './results-panel.ts';

export interface WebviewDependencies {
  readonly extensionUri: vscode.Uri;
  readonly log: Logger;
  /** The page did not come up in time. It may still come later. */
  readonly stuck: (panel: ResultsPanel) => void;
}

/** How long a page may take to say that it is there; a busy machine needs a second or two. */
const handshakeMs = 15_000;

export function webviewOptions(deps: WebviewDependencies): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [assets(deps)] };
}

export function connectWebview(
  webview: vscode.Webview,
  panel: ResultsPanel,
  deps: WebviewDependencies,
): vscode.Disposable {
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(assets(deps), file)).toString();
  const handshake = new Handshake(handshakeMs, () => {
    deps.log.warn(`result panel did not come up within ${handshakeMs / 1_000} s`);
    deps.stuck(panel);
  });
  const receive = async (raw: unknown) => {
    const { parsePanelMessage } = await import('./panel-message.ts');
    const message = parsePanelMessage(raw);
    if (message?.kind === 'ready') handshake.arrived();
    if (message === undefined) deps.log.warn('result panel sent a message of no known shape');
    else await panel.receive(message);
  };
  const listener = webview.onDidReceiveMessage((raw: unknown) => void receive(raw));
  panel.attach((message) => {
    // False when the webview is hidden: it asks for everything when it is shown again.
    webview.postMessage(message).then(undefined, (error: unknown) => {
      deps.log.warn(
        `result panel was not reached: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  });
  webview.html = panelHtml({
    cspSource: webview.cspSource,
    scriptUri: uri('results.js'),
    styleUri: uri('results.css'),
    nonce: randomBytes(16).toString('base64url'),
    language: vscode.env.language,
    translations: vscode.l10n.bundle ?? {},
  });
  return new vscode.Disposable(() => {
    handshake.dispose();
    listener.dispose();
    panel.detach();
  });
}

function assets(deps: WebviewDependencies): vscode.Uri {
  return vscode.Uri.joinPath(deps.extensionUri, 'dist', 'webview');
}
