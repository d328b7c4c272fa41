/**
 * Translated texts for code without the editor's API: in workers, in the language server, in tests. The extension, the
 * server and the workers set the translations before the first text; the default is English.
 */
import { createTranslate, type Translate, type Translations } from './translate.ts';

let current: Translations = {};
let inLanguage = createTranslate(current);

export function setTranslations(translations: Translations): void {
  current = translations;
  inLanguage = createTranslate(translations);
}

/** For a worker of this process. */
export const currentTranslations = (): Translations => current;

export const t: Translate = (message, ...values) => inLanguage(message, ...values);
