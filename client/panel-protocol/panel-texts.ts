/** Core's translations, words for a connection, and display of invisible characters, for the page. All exports are pure. */
export { connectionPlace } from '#core/connections/connection-place.ts';
export { escapeHidden } from '#base/shown-text/hidden-characters.ts';
export { createTranslate, isSingular, type Translations } from '#base/translate.ts';
export { clockText, exactMomentText, recordedText } from '#base/words/moment-text.ts';
