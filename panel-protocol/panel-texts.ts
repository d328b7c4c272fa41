/** Core's translations and display of invisible characters, for the page. All exports are pure. */
export { escapeHidden } from '../core/src/shown-text/hidden-characters.ts';
export { createTranslate, type Translations } from '../core/src/util/translate.ts';
