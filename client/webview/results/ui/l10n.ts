/**
 * The page's strings in the editor's language. English strings are the keys, as with `vscode.l10n.t`; the translations
 * come with the page (`page-html.ts`). Numbers and dates use the same language.
 */
import { createTranslate, type Translations } from '#panel-protocol/panel-texts.ts';

/** Returns the editor's language, with the system's region if available: `en-GB` rather than `en`. */
export function languageOf(editor: string, preferred: readonly string[]): string {
  return preferred.find((one) => one.toLowerCase().split('-')[0] === editor.toLowerCase()) ?? editor;
}

// Unit tests run without a page.
const page = typeof document === 'undefined' ? undefined : document;

export const t = createTranslate(translationsOf(page?.getElementById('translations')?.textContent ?? '{}'));
export const language = languageOf(
  page?.documentElement.lang ?? 'en',
  page === undefined ? [] : navigator.languages,
);

function translationsOf(json: string): Translations {
  return JSON.parse(json) as Translations; // the extension embedded it in the page
}
