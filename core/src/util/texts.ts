/**
 * Translated texts for code without the editor's API: in workers, in the language server, in tests. The extension, the
 * server and the workers set the translations before the first text; the default is English, with its numbers and times.
 */
import { createTranslate, type Translate, type Translations } from './translate.ts';

let current: Translations = {};
let inLanguage = createTranslate(current);
let currentLocale = 'en-US';

/** @param locale of numbers and times, as a BCP 47 tag */
export function setTranslations(translations: Translations, locale = 'en-US'): void {
  current = translations;
  inLanguage = createTranslate(translations);
  currentLocale = locale;
}

/** The language of numbers and times in these texts. */
export const locale = (): string => currentLocale;

/** For a worker of this process. */
export const currentTranslations = (): Translations => current;

export const t: Translate = (message, ...values) => inLanguage(message, ...values);
