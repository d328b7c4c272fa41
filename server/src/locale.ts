/**
 * The translations for LSP's `locale`. Our catalogues are beside the bundle's folder, in `l10n`. Everything else is
 * English.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Translations } from '../../core/src/util/translate.ts';

const isBundle = !import.meta.filename.endsWith('.ts');
const folder = path.join(import.meta.dirname, isBundle ? '../l10n' : '../../l10n');

/** Languages whose regions share one catalogue. */
const languages: ReadonlySet<string> = new Set(['de', 'es', 'fr', 'ja']);
const simplifiedChinese: ReadonlySet<string> = new Set(['zh', 'zh-cn', 'zh-sg', 'zh-hans']);

/** The catalogue of a locale such as `de`, `de-AT`, `zh_CN` or `zh-Hans-CN`; undefined for English. */
export function catalogueLanguage(locale: string): string | undefined {
  const [language = '', region] = locale.toLowerCase().split(/[-_.]/);
  if (languages.has(language)) return language;
  return simplifiedChinese.has(region === undefined ? language : `${language}-${region}`)
    ? 'zh-cn'
    : undefined;
}

/** The language of numbers in the texts, as a BCP 47 tag. */
export const numberLocale = (locale: unknown): string => languageOf(locale) ?? 'en-US';

/** `locale` comes from the editor and may be anything. */
const languageOf = (locale: unknown): string | undefined =>
  typeof locale === 'string' ? catalogueLanguage(locale) : undefined;

export function loadTranslations(locale: unknown): Translations {
  const language = languageOf(locale);
  if (language === undefined) return {};
  try {
    // Our own file, which `scripts/l10n.js --check` has checked.
    return JSON.parse(
      readFileSync(path.join(folder, `bundle.l10n.${language}.json`), 'utf8'),
    ) as Translations;
  } catch {
    return {}; // a package without catalogues uses English
  }
}
