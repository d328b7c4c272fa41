/** A page with one of our scripts. The content policy allows only the extension's two files. */
import type { Translations } from '../../../core/src/util/translate.ts';

export interface ScriptPage {
  readonly title: string;
  /** The source of local files in the editor (`webview.cspSource`). */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** A random value, new for each page. */
  readonly nonce: string;
  readonly language: string;
  /** Translations of the page's own texts; English needs none. */
  readonly translations: Translations;
}

export function pageHtml(page: ScriptPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    // A chart becomes a PNG by drawing its own SVG as an image.
    'img-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escape(page.language)}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${escape(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>${escape(page.title)}</title>
    <link rel="stylesheet" href="${escape(page.styleUri)}" />
  </head>
  <body>
    <script type="application/json" id="translations">${data(page.translations)}</script>
    <script nonce="${escape(page.nonce)}" src="${escape(page.scriptUri)}"></script>
  </body>
</html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Escapes data so that it cannot close its block. */
function data(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
