/** Translates messages without the editor's API, with the signature of `vscode.l10n.t`. */

export type Translate = (message: string, ...values: readonly (string | number)[]) => string;

/** Translations by English text. */
export type Translations = Readonly<Record<string, string>>;

/** `{0}` is replaced by the first value, both in a message and in its translation. */
export function createTranslate(translations: Translations): Translate {
  return (message, ...values) => {
    const text = translations[message] ?? message;
    if (values.length === 0) return text;
    return text.replace(/\{(\d+)\}/g, (all, index: string) => String(values[Number(index)] ?? all));
  };
}

/**
 * Returns true if a text in this language takes its singular form for the count: for 1 and, in French, for 0 ("0 ligne").
 * English and the other translations say "0 rows". `Intl.PluralRules` would also decide for languages whose texts are
 * shown in English.
 */
export function isSingular(count: number, language: string): boolean {
  return count === 1 || (count === 0 && language.toLowerCase().split(/[-_]/)[0] === 'fr');
}
