/** Numbers and times in messages follow the messages' language. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTranslations } from '#base/texts.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { sizeText } from '#base/words/size-text.ts';
import { outcomeMessage } from '#core/controls/outcome-messages.ts';
import { outcomeWords } from '#core/history/outcome-labels.ts';
import { comparisonNotes } from '#core/rows/compare/compare-sides.ts';

describe('words in a language', () => {
  afterEach(() => setTranslations({}));

  const run = {
    ...{ id: '1', startedAt: 0, title: 'Query', sql: 'SELECT 1', model: 'm', connection: 'c' },
    ...{ parameters: [], outcome: 'rows', rowCount: 1_234, ms: 1_500 },
  } as unknown as Parameters<typeof outcomeWords>[0]; // no other members are read
  const judged = {
    ...{ outcome: 'pass', judged: { by: undefined } },
    rows: { read: 1_234, total: 1_234, isAll: true, waived: 0, known: 0 },
  } as unknown as Parameters<typeof outcomeMessage>[1]; // no other members are read
  const rules = { statusColumn: undefined } as unknown as Parameters<typeof outcomeMessage>[0]['rules'];
  const summary = {
    duplicates: { keys: 1_234, rowsBefore: 2_345, rowsAfter: 3_456 },
    nullKeys: { before: 0, after: 0 },
  } as unknown as Parameters<typeof comparisonNotes>[0];
  const said = () => [
    sizeText(1_500 * 1_024),
    sizeText(999 * 1_024),
    outcomeWords(run),
    outcomeMessage({ rules }, judged),
    ...comparisonNotes(summary, { pairs: [], onlyBefore: [], onlyAfter: [] }, ['id']),
  ];

  it('are English by default', () => {
    assert.deepEqual(said(), [
      '1.5 MB',
      '999 KB',
      '1,234 rows in 1.5 s',
      '1,234 rows.',
      '1,234 duplicate keys (2,345 rows before, 3,456 after). Equal rows are paired; the others count as added and removed.',
    ]);
    assert.match(pauseWords(0), /\d\d:\d\d:\d\d\.$/);
  });

  it('name the columns of files that are compared by what their values are', () => {
    const pair = (name: string, kind: 'boolean' | 'time') => ({ name, kind, type: '', before: 0, after: 0 });
    const pairs = [pair('active', 'boolean'), pair('since', 'time')];
    const none = { ...summary, duplicates: { keys: 0, rowsBefore: 0, rowsAfter: 0 } };
    assert.deepEqual(comparisonNotes(none, { pairs, onlyBefore: [], onlyAfter: [] }, ['id']), [
      'Compared as times: since',
      'Compared as booleans, where t is true: active',
    ]);
  });

  it('have German numbers and times in German', () => {
    setTranslations({}, 'de');
    assert.deepEqual(said(), [
      '1,5 MB',
      '999 KB',
      '1.234 rows in 1,5 s',
      '1.234 rows.',
      '1.234 duplicate keys (2.345 rows before, 3.456 after). Equal rows are paired; the others count as added and removed.',
    ]);
    assert.match(pauseWords(0), /\d\d:\d\d:\d\d\.$/);
  });

  it('do not read the locale before the first number or time', () => {
    let reads = 0;
    setTranslations({}, () => {
      reads += 1;
      return 'de';
    });
    assert.equal(reads, 0);
    assert.equal(sizeText(1_500 * 1_024), '1,5 MB');
    assert.equal(reads, 1);
  });
});
