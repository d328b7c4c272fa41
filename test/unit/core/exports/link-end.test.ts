/** Expiry of an export's link. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linkEndOf } from '#core/exports/link-end.ts';

suite('the expiry of a link', () => {
  test('is counted from the time when the export was first seen completed', () => {
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000, urlTtlMinutes: 5 }), 301_000);
  });

  test('is the time when the export was first seen completed without a link', () => {
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000, linkGoneAt: 2_000 }), 2_000);
  });

  test('is unknown before that, after a failure, or if the service reports no lifetime', () => {
    assert.equal(linkEndOf({ status: 'accepted', urlTtlMinutes: 5 }), undefined);
    assert.equal(linkEndOf({ status: 'failed', completedAt: 1_000, urlTtlMinutes: 5 }), undefined);
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000 }), undefined);
    assert.equal(linkEndOf({ status: 'completed', urlTtlMinutes: 5 }), undefined);
  });
});
