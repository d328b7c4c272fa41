/** Core's translations, words for a connection, and display of invisible characters, for the page. All exports are pure. */
export { connectionPlace } from '../core/src/connections/connection-place.ts';
export { escapeHidden } from '../core/src/shown-text/hidden-characters.ts';
export { createTranslate, type Translations } from '../core/src/util/translate.ts';
