/** When the link of an export expires. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linkEndOf } from '../../../../core/src/exports/link-end.ts';

suite('the expiry of a link', () => {
  test('its lifetime counts from when it was seen completed', () => {
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000, urlTtlMinutes: 5 }), 301_000);
  });

  test('is unknown before that, after a failure, or if the service reports no lifetime', () => {
    assert.equal(linkEndOf({ status: 'accepted', urlTtlMinutes: 5 }), undefined);
    assert.equal(linkEndOf({ status: 'failed', completedAt: 1_000, urlTtlMinutes: 5 }), undefined);
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000 }), undefined);
    assert.equal(linkEndOf({ status: 'completed', urlTtlMinutes: 5 }), undefined);
  });
});
