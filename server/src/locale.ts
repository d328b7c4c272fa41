/**
 * Loads the translations for LSP's `locale`. The bundle's `l10n` folder contains the supported languages; all other
 * locales use English.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Translations } from '#base/translate.ts';

const isBundle = !import.meta.filename.endsWith('.ts');
const folder = path.join(import.meta.dirname, isBundle ? '../l10n' : '../../l10n');

/** Languages with one set of translations for all regions. */
const languages: ReadonlySet<string> = new Set(['de', 'es', 'fr', 'ja']);
const simplifiedChinese: ReadonlySet<string> = new Set(['zh', 'zh-cn', 'zh-sg', 'zh-hans']);

/**
 * Returns the language of the translations for a locale such as `de`, `de-AT`, `zh_CN` or `zh-Hans-CN`; undefined for
 * English.
 */
export function catalogueLanguage(locale: string): string | undefined {
  const [language = '', region] = locale.toLowerCase().split(/[-_.]/);
  if (languages.has(language)) return language;
  return simplifiedChinese.has(region === undefined ? language : `${language}-${region}`)
    ? 'zh-cn'
    : undefined;
}

/** Returns the locale for formatting numbers in messages, as a BCP 47 tag. */
export const numberLocale = (locale: unknown): string => languageOf(locale) ?? 'en-US';

/** `locale` comes from the editor and is untrusted. */
const languageOf = (locale: unknown): string | undefined =>
  typeof locale === 'string' ? catalogueLanguage(locale) : undefined;

export function loadTranslations(locale: unknown): Translations {
  const language = languageOf(locale);
  if (language === undefined) return {};
  try {
    // `scripts/l10n.js --check` has validated this file.
    return JSON.parse(
      readFileSync(path.join(folder, `bundle.l10n.${language}.json`), 'utf8'),
    ) as Translations;
  } catch {
    return {}; // English, if the package has no translations
  }
}
