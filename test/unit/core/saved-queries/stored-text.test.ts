/** Normalizations by a service after which text still counts as the same. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isOnlyReshaped, StoredForm, storedFormOf } from '#core/saved-queries/stored-text.ts';

const sent = "\nSELECT 'caf\u0065\u0301'  \nFROM accounts\t\n\n";

const forms: readonly (readonly [string, string])[] = [
  ['as it is', sent],
  ['with other line ends', sent.replaceAll('\n', '\r\n')],
  ['without the end', sent.trimEnd()],
  ['without both ends', sent.trim()],
  ['without spaces at line ends', sent.replace(/[ \t]+\n/g, '\n')],
  ['with one line end', `${sent.trimEnd()}\n`],
  ['with composed accents', sent.normalize('NFC')],
  ['with separate accents', sent.normalize('NFC').normalize('NFD')],
  ['in every way', "SELECT 'caf\u00e9'\nFROM accounts\n"],
];

suite('texts as a service stores them', () => {
  for (const [how, stored] of forms) {
    test(`${how} the text is the same as sent`, () => assert.equal(isOnlyReshaped(sent, stored), true));
  }

  for (const [what, stored] of [
    ['another word', sent.replace('accounts', 'account')],
    ['one line', sent.replace(/\n/g, ' ')],
    ['other spaces inside a line', sent.replace('FROM ', 'FROM  ')],
    ['capitals', sent.toUpperCase()],
    ['nothing', ''],
  ] as const) {
    test(`with ${what} the text is different`, () => assert.equal(isOnlyReshaped(sent, stored), false));
  }

  test('composed accents that are stored as separate ones are the same, alone and with a trimmed end', () => {
    for (const stored of ["SELECT 'cafe\u0301'\n", "SELECT 'cafe\u0301'"])
      assert.equal(isOnlyReshaped("SELECT 'caf\u00e9'\n", stored), true);
  });

  test('the stored form of one text predicts that of the next', () => {
    const form = new StoredForm();
    assert.equal(form.apply('SELECT 1 \n'), 'SELECT 1 \n');
    form.learn('SELECT 1', 'SELECT 1');
    form.learn('SELECT 2 \n', 'SELECT 2');
    form.learn('SELECT 3', 'SELECT 4');
    assert.equal(form.apply('  SELECT 5\n\n'), '  SELECT 5');
  });

  test('a long text of spaces is compared immediately', () => {
    const spaces = `SELECT 1${' '.repeat(200_000)}`;
    assert.equal(storedFormOf(`${spaces}x`, `${spaces}y`), undefined);
    assert.equal(isOnlyReshaped(`${spaces}\n`, 'SELECT 1'), true);
    assert.equal(isOnlyReshaped(`${spaces}2`, 'SELECT 12'), false);
  });
});
