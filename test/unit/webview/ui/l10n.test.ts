/** The result panel's page in other languages: looking up text, passing it to the page, and filling in values. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import ts from 'typescript-api';
import { createTranslate } from '#base/translate.ts';
import { copiedWords } from '#client/features/results/panel/copied-message.ts';
import { pageHtml } from '#client/ui/page-html.ts';
import { sourcesOf, textsOf, unknownTextsOf } from '#scripts/lib/texts.js';
import { languageOf } from '#webview/results/ui/l10n.ts';

const german = {
  'Run Again': 'Erneut ausführen',
  '{0} of {1}': 'von {1} Zeilen {0}',
  'Copied {0}': '{0} kopiert',
  '{0} rows': '{0} Zeilen',
  '{0} columns': '{0} Spalten',
};

suite("the page's texts", () => {
  const t = createTranslate(german);
  test('come from the table, with values in the order of the translation, or else are English', () => {
    assert.equal(t('Run Again'), 'Erneut ausführen');
    assert.equal(t('{0} of {1}', '5', 9), 'von 9 Zeilen 5');
    assert.equal(t('Row {0}', 7), 'Row 7');
  });
  test('keep values, and braces that are not placeholders', () => {
    assert.equal(t('Filter {0}', '{1} $& {0}'), 'Filter {1} $& {0}');
    assert.equal(t('{0} {1}', 'a'), 'a {1}');
    assert.equal(t('[{0}'), '[{0}');
  });
  test('are in the language for copies too, including numbers', () => {
    const words = (language: string, translations: Readonly<Record<string, string>>) =>
      copiedWords(
        { rows: 1_200, columns: 3, withNames: false },
        { language, translate: createTranslate(translations) },
      );
    assert.equal(words('de', german), '1.200 Zeilen × 3 Spalten kopiert');
    assert.equal(words('en', {}), 'Copied 1,200 rows × 3 columns');
  });
});

suite('the language of numbers and dates', () => {
  const cases: readonly [string, readonly string[], string][] = [
    ['en', ['en-GB', 'en'], 'en-GB'],
    ['de', ['en-US', 'de-AT'], 'de-AT'],
    ['de', ['en-US'], 'de'],
    ['pt-br', ['pt-PT'], 'pt-br'],
  ];
  for (const [editor, preferred, expected] of cases) {
    test(`${editor} with ${preferred.join()}`, () => assert.equal(languageOf(editor, preferred), expected));
  }
});

suite('the page', () => {
  const html = (translations: Readonly<Record<string, string>>) =>
    pageHtml({
      title: 'Identity Results',
      cspSource: 'https://page.test',
      scriptUri: 'https://page.test/results.js',
      styleUri: 'https://page.test/results.css',
      nonce: 'nonce',
      language: 'de',
      translations,
    });
  test('carries the translations as data that no text can terminate', () => {
    const hostile = { Close: '</script><script>alert(1)</script><!--', Hint: 'a & "b"' };
    const page = html(hostile);
    const [, table = ''] =
      /<script type="application\/json" id="translations">(.*?)<\/script>/.exec(page) ?? [];
    assert.deepEqual(JSON.parse(table), hostile);
    assert.equal(page.match(/<script/g)?.length, 2);
  });
});

suite('texts to translate', () => {
  test('are found in the page and in the client', () => {
    const [page, client] = [textsOf('client/webview'), textsOf('client/src')];
    for (const text of ['Run Again', 'All rows loaded', 'Sort Ascending', 'First {0}']) {
      assert.ok(page.has(text), text);
    }
    for (const text of ['Show Log', 'Copied {0}', 'Selected cells', '1 cell']) {
      assert.ok(client.has(text), text);
    }
  });
  test('are all literals at their uses in the page', () => {
    assert.deepEqual(unknownTextsOf('client/webview'), []);
  });
  test('cover the whole page: no element has its own English words', () => {
    const own: string[] = [];
    for (const file of sourcesOf('client/webview')) {
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
          const text = ts.isTemplateExpression(node)
            ? [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('…')
            : node.text;
          if (/\p{L}{2}/u.test(text) && !fixed.has(text) && isSaid(node))
            own.push(`${file.fileName}: ${text}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
    assert.deepEqual(own, []);
  });
});

/** Text that is the same in every language: SQL, formats, keys and input. */
const fixed = new Set([
  'NULL',
  'PNG',
  'SVG',
  'Aa',
  'true',
  'false',
  'Shift+Enter',
  'Alt+Shift+←',
  'Alt+Shift+→',
]);
const saidProperties = new Set(['label', 'title', 'placeholder', 'textContent']);
/** Functions that display their arguments, with the index of the first displayed argument. */
const saidFrom = new Map([
  ['element', 2],
  ['button', 0],
  ['iconButton', 1],
  ['heading', 1],
  ['labelFor', 1],
  ['submitButton', 0],
  ['openMenu', 0],
]);

/** Returns true if the page displays text unchanged, possibly through a conditional. */
function isSaid(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent) && parent.condition !== node) return isSaid(parent);
  if (ts.isParenthesizedExpression(parent)) return isSaid(parent);
  if (ts.isPropertyAssignment(parent)) return saidProperties.has(parent.name.getText());
  if (ts.isBinaryExpression(parent) && parent.right === node) {
    const { left } = parent;
    return ts.isPropertyAccessExpression(left) && saidProperties.has(left.name.text);
  }
  if (!ts.isCallExpression(parent)) return false;
  const from = saidFrom.get(parent.expression.getText());
  return from !== undefined && parent.arguments.findIndex((argument) => argument === node) >= from;
}
