/** Selects the translations that a page displays, which are a fifteenth of all translations. */
import { readFileSync } from 'node:fs';
import type { Translations } from '#base/translate.ts';

/**
 * Returns the translations of the strings listed in `textsFile`, which the build writes next to the page's script. The
 * file is read synchronously, because the page is created synchronously; it is 6 KB, and not read for English.
 */
export function translationsOfPage(textsFile: string, translations: Translations | undefined): Translations {
  if (translations === undefined) return {};
  return pickTexts(readTexts(textsFile) ?? Object.keys(translations), translations);
}

export function pickTexts(texts: readonly string[], translations: Translations): Translations {
  return Object.fromEntries(
    texts.flatMap((text) => {
      const translated = translations[text];
      return translated === undefined ? [] : [[text, translated]];
    }),
  );
}

/** Returns undefined if the file cannot be read, so that the page gets all translations. */
function readTexts(file: string): readonly string[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[]; // our own build wrote it
  } catch {
    return undefined;
  }
}
