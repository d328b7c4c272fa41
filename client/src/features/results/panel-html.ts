/** The page of the result panel. Nothing runs or paints in it but our two files: the policy forbids the rest. */
import type { Translations } from '../../../../core/src/util/translate.ts';

export interface PanelPage {
  /** What the editor serves local files from (`webview.cspSource`). */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Unguessable, new for each page. */
  readonly nonce: string;
  readonly language: string;
  /** What the extension has in that language; English needs none. */
  readonly translations: Translations;
}

export function panelHtml(page: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    // A chart that is saved as PNG passes through an image of its own text.
    'img-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escape(page.language)}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${escape(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>Identity Results</title>
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

/** A block of data cannot be ended by what is in it. */
function data(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
