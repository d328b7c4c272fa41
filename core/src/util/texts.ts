/**
 * Words in the editor's language for what runs without the editor's API too: in the worker of results, in tests. The
 * extension and the worker say once, before the first text, what there is in that language; until then it is English.
 */
import { createTranslate, type Translate, type Translations } from './translate.ts';

let inLanguage = createTranslate({});

export function setTranslations(translations: Translations): void {
  inLanguage = createTranslate(translations);
}

export const t: Translate = (message, ...values) => inLanguage(message, ...values);
