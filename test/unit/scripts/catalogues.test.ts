/** Translations match the strings they translate. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  catalogueKinds,
  gapsOfCatalogue,
  problemsOfCatalogue,
  readCatalogue,
  translationsOf,
} from '#scripts/lib/catalogues.js';

const languages = ['de', 'es', 'fr', 'ja', 'zh-cn'];

suite('translation catalogues', () => {
  for (const { name, english, pattern } of catalogueKinds()) {
    test(`${name} exists in each language`, () => {
      assert.deepEqual(
        translationsOf(pattern).map(({ language }) => language),
        languages,
      );
    });
    for (const { file } of translationsOf(pattern)) {
      test(`${file} keeps required parts`, () => {
        assert.deepEqual(problemsOfCatalogue(english, readCatalogue(file)), []);
      });
    }
  }

  const faults: readonly (readonly [string, string, string, string])[] = [
    ['a lost placeholder', '{0} rows', 'Zeilen', 'placeholders differ: "{0} rows"'],
    ['another placeholder', '{0} of {1}', '{0} von {2}', 'placeholders differ: "{0} of {1}"'],
    ['a translated name', 'Replace with `email`', 'Durch `Post` ersetzen', 'quoted names differ'],
    ['another command', '[Run](command:a.run)', '[Los](command:a.stop)', 'links differ'],
    ['another setting', 'See #a.b#.', 'Siehe #a.c#.', 'settings differ'],
    ['a lost icon', '$(play) Run', 'Los', 'icons differ'],
    ['a lost space', ' and more', 'und mehr', 'outer spaces differ'],
  ];
  for (const [name, source, translated, problem] of faults) {
    test(`${name} is found`, () => {
      const [first, ...others] = problemsOfCatalogue({ [source]: source }, { [source]: translated });
      assert.ok(first?.startsWith(problem), first);
      assert.deepEqual(others, []);
    });
  }

  test('missing and unused texts are found', () => {
    assert.deepEqual(gapsOfCatalogue({ Run: 'Run' }, { Walk: 'Gehen' }), [
      'not translated: "Run"',
      'no longer used: "Walk"',
    ]);
  });

  test('placeholders may be reordered', () => {
    assert.deepEqual(problemsOfCatalogue({ a: '{0} of {1}' }, { a: 'von {1}: {0}' }), []);
  });
});
