/** The singular form of texts with a number. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTranslations } from '#base/texts.ts';
import { isSingular } from '#base/translate.ts';
import { outcomeWords } from '#core/history/outcome-labels.ts';
import { readCatalogue } from '#scripts/lib/catalogues.js';

suite('the singular', () => {
  const cases: readonly [string, readonly number[]][] = [
    ['en-US', [1]],
    ['de', [1]],
    ['es', [1]],
    ['fr', [0, 1]],
    ['fr-CA', [0, 1]],
    ['pt-br', [1]],
  ];
  for (const [language, counts] of cases) {
    test(`in ${language} is for ${counts.join(' and ')}`, () => {
      assert.deepEqual(
        [0, 1, 2, 1.5].filter((count) => isSingular(count, language)),
        counts,
      );
    });
  }

  for (const [language, texts] of [
    ['de', ['0 Zeilen', '1 Zeile', '2 Zeilen']],
    ['fr', ['0 ligne', '1 ligne', '2 lignes']],
  ] as const) {
    test(`of rows in ${language}: ${texts.join(', ')}`, (context) => {
      setTranslations(readCatalogue(`l10n/bundle.l10n.${language}.json`), language);
      context.after(() => setTranslations({}));
      const said = [0, 1, 2].map((rowCount) =>
        outcomeWords({
          id: '1',
          startedAt: 0,
          ms: 5,
          title: 'Query',
          documentUri: 'file:///a.identity.sql',
          connection: 'A',
          connectionKey: 'a',
          model: 'm',
          sql: 'SELECT 1',
          sha256: '',
          parameters: [],
          outcome: 'rows',
          rowCount,
        }),
      );
      assert.deepEqual(
        said.map((text) => text.split(/ (?:in|en) /)[0]),
        texts,
      );
    });
  }
});
