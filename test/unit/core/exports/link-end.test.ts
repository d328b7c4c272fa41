/** When the link of an export expires. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linkEndOf } from '../../../../core/src/exports/link-end.ts';

suite('the end of a link', () => {
  test('its minutes are counted from when it was seen completed', () => {
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000, urlTtlMinutes: 5 }), 301_000);
  });

  test('there is none before, after a failure, or where the service does not say how long', () => {
    assert.equal(linkEndOf({ status: 'accepted', urlTtlMinutes: 5 }), undefined);
    assert.equal(linkEndOf({ status: 'failed', completedAt: 1_000, urlTtlMinutes: 5 }), undefined);
    assert.equal(linkEndOf({ status: 'completed', completedAt: 1_000 }), undefined);
    assert.equal(linkEndOf({ status: 'completed', urlTtlMinutes: 5 }), undefined);
  });
});
