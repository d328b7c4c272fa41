/** The place of a connection, beside its name. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionPlace } from '#core/connections/connection-place.ts';

suite('place of a connection', () => {
  test('is its label and its environment', () => {
    assert.equal(connectionPlace(undefined, undefined), '');
    assert.equal(connectionPlace('EU', undefined), 'EU');
    assert.equal(connectionPlace(undefined, 'prod'), 'prod');
    assert.equal(connectionPlace('EU', 'prod'), 'EU · prod');
  });

  test('says once what the label and the environment both say', () => {
    assert.equal(connectionPlace('PROD', 'prod'), 'PROD');
    assert.equal(connectionPlace('prod', 'prod'), 'prod');
  });
});
