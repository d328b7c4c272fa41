/** The page for an auditor: text from outside is text, and it is small. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlOf } from '#core/controls/reports/html.ts';
import { hostileReport } from '#test/helpers/hostile-report.ts';

describe('the HTML report', () => {
  it('has only its own tags and attributes, whatever the texts', () => {
    const [plain, hostile] = [htmlOf(hostileReport(12, 'plain')), htmlOf(hostileReport(12))];
    const tagsOf = (page: string) =>
      page.match(/<\/?[a-z][^>]*>/g)?.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
    assert.deepEqual(tagsOf(hostile), tagsOf(plain));
    assert.doesNotMatch(hostile, /<script|<img|[\u0007\u202e]/);
    assert.equal(plain.match(/<script|<link|<img|<iframe|@import|url\(/), null);
  });

  it('says what an auditor asks for', () => {
    const page = htmlOf(hostileReport(5, 'plain'));
    for (const words of [
      'c0ffeec0ffee',
      'Waived rows',
      '2027-01-31',
      '4211',
      'counted 2026-11-30 00:00 UTC by SELECT count(*) FROM accounts',
      '2026-10-01 00:00 UTC',
      '0123456789ab',
      'How to verify',
      '<dt>Last commit</dt>',
      'the control was changed after it.',
      '<strong>Failed</strong>: MFA-01 plain (plain) (3 new rows)',
      'The last 30 runs',
    ])
      assert.ok(page.includes(words), words);
  });

  it('is complete without a history, and without anything', () => {
    const { history: _, ...report } = hostileReport(3, 'plain');
    assert.doesNotMatch(htmlOf(report), /New since|undefined|null/);
    assert.doesNotMatch(htmlOf({ ...report, results: [], problems: [] }), /undefined|null/);
  });

  it('says how many waived rows are left out', () => {
    const report = hostileReport(1, 'plain');
    const withWaived = (count: number) =>
      htmlOf({
        ...report,
        results: report.results.map((result) => ({
          ...result,
          digests: Array.from({ length: count }, (_, index) => ({
            digest: String(index),
            state: 'waived' as const,
            owner: 'audit',
            expires: '2027-01-31',
            reason: 'known',
          })),
        })),
      });
    assert.match(withWaived(5_002), /<p>2 more are in the JSON report\.<\/p>/);
    assert.doesNotMatch(withWaived(5_000), /more are in the JSON report/);
  });

  it('says how many rows are left out', () => {
    const report = hostileReport(2, 'plain');
    const withRows = (total?: number) =>
      htmlOf({
        ...report,
        results: report.results.map((result) => ({
          ...result,
          rows: {
            ...{ read: 1, counted: 1, waived: 0, known: 0, isAll: total !== undefined },
            ...(total === undefined ? {} : { total }),
          },
        })),
      });
    assert.match(withRows(16), /<p>The first 1 row of 16\.<\/p>/);
    assert.match(withRows(), /<p>The first 1 row\. There may be more\.<\/p>/);
    assert.doesNotMatch(withRows(1), /The first/);
  });

  it('stays below 5 MB with 10,000 controls', () => {
    const page = htmlOf(hostileReport(10_000, 'A control about administrators without MFA'));
    assert.ok(Buffer.byteLength(page) < 5_000_000, String(Buffer.byteLength(page)));
  });
});
