/**
 * Translated strings for code without the editor's API: in workers, in the language server and in tests. The extension,
 * the server and the workers set the translations before the first string is used. The default is English, with US
 * formats for numbers and times.
 */
import { createTranslate, type Translate, type Translations } from './translate.ts';

let current: Translations = {};
let inLanguage = createTranslate(current);
let currentLocale: () => string = () => 'en-US';

/**
 * @param locale for numbers and times, as a BCP 47 tag. A function is not called before the first use: the first locale
 * that a process reads takes 20 ms or more.
 */
export function setTranslations(translations: Translations, locale: string | (() => string) = 'en-US'): void {
  current = translations;
  inLanguage = createTranslate(translations);
  currentLocale = typeof locale === 'string' ? () => locale : locale;
}

/** Returns the locale for numbers and times in these strings. */
export const locale = (): string => currentLocale();

/** Returns the current translations, to be passed to a worker. */
export const currentTranslations = (): Translations => current;

export const t: Translate = (message, ...values) => inLanguage(message, ...values);
