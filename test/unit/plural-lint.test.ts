/** The rule that a text with a number has a singular: plants violations and expects reports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countedText } from '#base/words/counted-text.ts';
import { pluralProblems } from '#scripts/lib/plurals.js';

const found = (code: string): number => pluralProblems('core/src/planted.ts', `${code}\n`).length;

describe('plurals', () => {
  for (const code of [
    'const text = `${rows.length} rows`;',
    'const text = `${count} saved queries read`;',
    'const text = `${count.toLocaleString("en")} new differences`;',
    "const text = t('{0} cells were cut.', count);",
    "const text = t('Read {1} lines of {0}.', file, lines);",
    "const text = isLast ? t('{0} files', count) : t('{0} folders', count);",
  ])
    it(`need a singular: ${code}`, () => assert.ok(found(code) > 0));

  for (const code of [
    "const text = t(isSingular(count, language) ? '{0} row' : '{0} rows', count);",
    "const text = count === 1 ? '1 row' : `${count} rows`;",
    "if (count === 1) return '1 row';\nreturn `${count} rows`;",
    'const text = `at most ${rowsMax} rows`;',
    "const text = t('{0} of {1} checks differ.', differing, all);",
    "const text = t('{0} contains rows.', file);",
    'const text = `${program} runs in your folder`;',
    "const text = countedText(rows.length, 'row');",
  ])
    it(`are fine: ${code}`, () => assert.equal(found(code), 0));

  it('are chosen by the number', () => {
    assert.equal(countedText(1, 'row'), '1 row');
    assert.equal(countedText(0, 'row'), '0 rows');
    assert.equal(countedText(1, 'query', 'queries'), '1 query');
    assert.equal(countedText(12_000, 'query', 'queries'), '12,000 queries');
  });
});
