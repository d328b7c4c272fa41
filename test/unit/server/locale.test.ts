/** The language that the editor requests in `initialize`. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { textLimits } from '#server/language/checks/text-limits.ts';
import { catalogueLanguage, loadTranslations } from '#server/locale.ts';
import { startLanguageClient } from './language-client.ts';

suite('the language of a locale', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['en', undefined],
    ['en-GB', undefined],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['fr_CA.UTF-8', 'fr'],
    ['JA', 'ja'],
    ['zh-cn', 'zh-cn'],
    ['zh-Hans-CN', 'zh-cn'],
    ['zh_CN', 'zh-cn'],
    ['zh', 'zh-cn'],
    ['zh-tw', undefined],
    ['zh-Hant-TW', undefined],
    ['pt-br', undefined],
    ['../de', undefined],
    ['', undefined],
  ];
  for (const [locale, expected] of cases)
    test(`"${locale}"`, () => assert.equal(catalogueLanguage(locale), expected));

  test('has a catalogue, unless it is English or no locale at all', () => {
    for (const locale of ['de', 'es', 'fr', 'ja', 'zh-cn'])
      assert.ok(Object.keys(loadTranslations(locale)).length > 300, locale);
    for (const locale of ['en', 'tlh', undefined, 7, null]) assert.deepEqual(loadTranslations(locale), {});
  });
});

suite('the server', () => {
  const said = async (text: string, locale?: string): Promise<readonly string[]> => {
    const client = await startLanguageClient(undefined, undefined, locale === undefined ? {} : { locale });
    const uri = 'file:///query.isql';
    await client.open(uri, text);
    const { diagnostics } = await client.diagnostics(uri, 1);
    await client.stop();
    return diagnostics.map(({ code, message }) => `${String(code)}: ${messageOf(message)}`);
  };
  const text = 'SELECT a FROM b WHERE c = NULL';
  /** Too long for the server's own thread, so the worker parses it. */
  const long = Array.from(
    { length: 100 },
    (_, index) => `SELECT a FROM b WHERE a_column_with_a_name_${index} = NULL`,
  ).join(';\n');

  test('reports in German to a German editor', async () => {
    assert.deepEqual(await said(text, 'de'), [
      'NULL_COMPARISON: Ein Vergleich mit NULL ist nie wahr, auch nicht für NULL selbst. Schreiben Sie IS NULL.',
    ]);
  });

  test('formats numbers as in German', async () => {
    const [message = ''] = await said('SELECT 1;'.repeat(textLimits.statements + 1), 'de');
    assert.match(message, new RegExp(`^NOT_FULLY_CHECKED: .*${textLimits.statements.toLocaleString('de')}`));
    assert.match(message, /\d\.\d{3}/);
  });

  test('reports in German from the worker, too', async () => {
    const [message] = await said(text, 'de');
    const messages = await said(long, 'de-CH');
    assert.equal(messages.length, 100);
    assert.deepEqual([...new Set(messages)], [message]);
  });

  test('reports in English without a locale, and for a language that we do not ship', async () => {
    const english = [
      'NULL_COMPARISON: A comparison with NULL is never true, not even for NULL itself. Write IS NULL.',
    ];
    assert.deepEqual(await said(text), english);
    assert.deepEqual(await said(text, 'pt-br'), english);
  });
});

/** LSP also allows Markdown messages, which the server does not send. */
const messageOf = (message: unknown): string => (typeof message === 'string' ? message : '');
