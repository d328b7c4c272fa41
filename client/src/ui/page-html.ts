/** HTML for a page with one of our scripts. The content security policy allows only the extension's two files. */
import type { Translations } from '#base/translate.ts';

export interface ScriptPage {
  readonly title: string;
  /** Source of the editor's local files (`webview.cspSource`). */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** A random value that is new for each page. */
  readonly nonce: string;
  readonly language: string;
  /** Shown until the script has something to draw. */
  readonly waiting?: string;
  /** Translations of the page's strings; empty for English. */
  readonly translations: Translations;
}

export function pageHtml(page: ScriptPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    // Exporting a chart as PNG draws the chart's SVG as an image.
    'img-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escape(page.language)}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${escape(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>${escape(page.title)}</title>
  </head>
  <body>
    ${page.waiting === undefined ? '' : `<p class="waiting">${escape(page.waiting)}</p>`}
    <!-- In the body, since a browser draws only what stands before a style that is still loading. -->
    <link rel="stylesheet" href="${escape(page.styleUri)}" />
    <script type="application/json" id="translations">${data(page.translations)}</script>
    <script nonce="${escape(page.nonce)}" src="${escape(page.scriptUri)}"></script>
  </body>
</html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Returns data as JSON, escaped so that it cannot close the surrounding element. */
function data(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
