/** Translations match the strings they translate. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  catalogueKinds,
  gapsOfCatalogue,
  problemsOfCatalogue,
  readCatalogue,
  translationProblems,
  translationsOf,
} from '#scripts/lib/catalogues.js';
import { readGlossary, wordProblemsOf } from '#scripts/lib/glossary.js';
import { recordOf, staleOf, type MadeFrom } from '#scripts/lib/made-from.js';

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

test('no translation has a problem', () => {
  assert.deepEqual(translationProblems(), []);
});

suite('a glossary', () => {
  const glossary = readGlossary();

  test('has each term in each language', () => {
    const missing = Object.entries(glossary.terms).flatMap(([term, words]) =>
      ['english', ...languages]
        .filter((language) => !words[language])
        .map((language) => `${term}: ${language}`),
    );
    assert.deepEqual(missing, []);
    assert.deepEqual(Object.keys(glossary.never).sort(), languages);
  });

  const faults: readonly (readonly [string, string, string])[] = [
    ['de', 'Run the saved query.', 'Führen Sie die gesicherte Suche aus.'],
    ['de', 'Earlier run of {0}', 'Früherer Lauf von {0}'],
    ['de', 'Resolve the conflict.', 'Lösen Sie den Konflikt.'],
    ['fr', 'Not sent: {0}', 'Non envoyé : {0}'],
    ['fr', 'The job is known.', 'La tâche est connue.'],
    ['fr', 'It was not sent.', 'Elle n’a pas été envoyée.'],
    ['es', 'the outcome is unknown', 'se desconoce el desenlace'],
    ['es', 'Show Log', 'Mostrar log'],
    ['ja', 'Add parentheses.', '括弧を追加してください。'],
    ['ja', 'The control failed.', '管理項目は不合格です。'],
    ['zh-cn', 'You are seeing earlier data.', '您看到的是较早的数据。'],
    ['zh-cn', 'Relations: {0}.', '关联：{0}。'],
  ];
  for (const [language, source, translated] of faults) {
    test(`refuses, in ${language}: ${translated}`, () => {
      const problems = wordProblemsOf(language, { [source]: source }, { [source]: translated }, glossary);
      assert.notDeepEqual(problems, []);
    });
  }

  test('leaves names alone: fields, directives, options, SQL and code', () => {
    const texts = {
      '"controls" must be an object.': '„controls“ muss ein Objekt sein.',
      'Write FETCH FIRST 5 ROWS ONLY.': 'Schreiben Sie FETCH FIRST 5 ROWS ONLY.',
      'See `saved queries`.': 'Siehe `saved queries`.',
    };
    const english = Object.fromEntries(Object.keys(texts).map((text) => [text, text]));
    assert.deepEqual(wordProblemsOf('de', english, texts, glossary), []);
  });
});

suite('the record of what a translation was made from', () => {
  const recorded = (english: Record<string, string>, translated: Record<string, string>): MadeFrom =>
    recordOf({ english, translated }, {}, new Set());
  const before = recorded({ title: 'Show rows' }, { title: 'Zeilen anzeigen' });
  const reworded = { english: { title: 'Show rows only to you' } };

  test('finds an English text that changed while its translation did not', () => {
    const translation = { ...reworded, translated: { title: 'Zeilen anzeigen' } };
    const stale = [{ key: 'title', why: 'English changed' }];
    assert.deepEqual(staleOf(translation, before), stale);
    // Recording does not hide it; saying that it is still right does.
    assert.deepEqual(staleOf(translation, recordOf(translation, before, new Set())), stale);
    assert.deepEqual(staleOf(translation, recordOf(translation, before, new Set(['title']))), []);
  });

  test('takes a text that was translated anew', () => {
    const translation = { ...reworded, translated: { title: 'Zeilen nur Ihnen anzeigen' } };
    assert.deepEqual(staleOf(translation, before), [{ key: 'title', why: 'unrecorded' }]);
    assert.deepEqual(staleOf(translation, recordOf(translation, before, new Set())), []);
  });

  test('finds a translation that was carried over to a reworded text of the code', () => {
    const was = recorded({ 'Show rows': 'Show rows' }, { 'Show rows': 'Zeilen anzeigen' });
    const key = 'Show rows only to you';
    const translation = { english: { [key]: key }, translated: { [key]: 'Zeilen anzeigen' } };
    const stale = [{ key, why: 'carried over' }];
    assert.deepEqual(staleOf(translation, was), stale);
    const after = recordOf(translation, was, new Set());
    assert.deepEqual(staleOf(translation, after), stale);
    assert.deepEqual(staleOf(translation, recordOf(translation, after, new Set([key]))), []);
  });

  test('knows nothing of two texts with one translation, and forgets removed texts', () => {
    const english = { Run: 'Run', Execute: 'Execute' };
    const both = recorded(english, { Run: 'Ausführen', Execute: 'Ausführen' });
    const left = { english: { Run: 'Run' }, translated: { Run: 'Ausführen' } };
    assert.deepEqual(staleOf(left, both), []);
    assert.equal(Object.keys(recordOf(left, both, new Set())).length, 1);
  });
});
