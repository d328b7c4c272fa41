/** Lines of code lenses of a conflict fit in a small window, in every language. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fittingLenses, lensesFit } from '#client/features/saved-queries/conflicts/fitting-lenses.ts';
import { readCatalogue } from '#scripts/lib/catalogues.js';

describe('code lenses of a conflict', () => {
  for (const language of ['en', 'de', 'es', 'fr', 'ja', 'zh-cn']) {
    const catalogue = language === 'en' ? {} : readCatalogue(`l10n/bundle.l10n.${language}.json`);
    const own = (english: string): string => (catalogue[english] ?? english).replace('{0}', '12');

    it(`fit: ${language}`, () => {
      const ways = ['Merge', 'Save Mine', 'Take Theirs', 'Compare'].map((way) => ({ title: own(way) }));
      const shown = fittingLenses(ways, own('More...'));
      assert.ok(shown.length >= (language === 'en' ? 4 : 2), shown.map(({ title }) => title).join(' | '));
      for (const titles of [
        [...shown.map(({ title }) => title), own('More...')],
        ['Save Merged as Version {0}', 'Undo Merge', 'Compare'].map(own),
        ['Keep Mine', 'Keep Theirs', 'Keep Both'].map(own),
      ])
        assert.ok(lensesFit(titles), titles.join(' | '));
    });
  }
});
