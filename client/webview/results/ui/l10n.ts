/**
 * The page's words in the editor's language. English is the key, as with `vscode.l10n.t`; what the extension has
 * translations of comes with the page (`panel-html.ts`). Numbers and dates follow the same language.
 */
import { createTranslate, type Translations } from '../../../../panel-protocol/texts.ts';

/** The editor's language, as the person's own system writes it where it says so: `en-GB` rather than `en`. */
export function languageOf(editor: string, preferred: readonly string[]): string {
  return preferred.find((one) => one.toLowerCase().split('-')[0] === editor.toLowerCase()) ?? editor;
}

// Pure parts of the page are tested without one.
const page = typeof document === 'undefined' ? undefined : document;

export const t = createTranslate(translationsOf(page?.getElementById('translations')?.textContent ?? '{}'));
export const language = languageOf(
  page?.documentElement.lang ?? 'en',
  page === undefined ? [] : navigator.languages,
);

function translationsOf(json: string): Translations {
  return JSON.parse(json) as Translations; // the extension wrote it into its own page
}
