/** Translations without the editor's API, in the shape of `vscode.l10n.t`. */

export type Translate = (message: string, ...values: readonly (string | number)[]) => string;

/** By the English text. */
export type Translations = Readonly<Record<string, string>>;

/** `{0}` in a message, and in its translation, is the first value. */
export function createTranslate(translations: Translations): Translate {
  return (message, ...values) => {
    const text = translations[message] ?? message;
    if (values.length === 0) return text;
    return text.replace(/\{(\d+)\}/g, (all, index: string) => String(values[Number(index)] ?? all));
  };
}
