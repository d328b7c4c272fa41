/** The translations that a page displays: one fifteenth of all translations. */
import { readFileSync } from 'node:fs';
import type { Translations } from '../../../core/src/util/translate.ts';

/**
 * `textsFile` lists the page's texts; the build writes it beside the page's script. The page is created synchronously,
 * so the file is read synchronously: 6 KB, and none in English.
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

/** Undefined if the file cannot be read: then the page gets all texts. */
function readTexts(file: string): readonly string[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[]; // written by our build
  } catch {
    return undefined;
  }
}
