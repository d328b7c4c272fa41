/**
 * Translated texts for code without the editor's API: in the worker of results, in tests. The extension and the worker
 * set the translations before the first text; the default is English.
 */
import { createTranslate, type Translate, type Translations } from './translate.ts';

let inLanguage = createTranslate({});

export function setTranslations(translations: Translations): void {
  inLanguage = createTranslate(translations);
}

export const t: Translate = (message, ...values) => inLanguage(message, ...values);
