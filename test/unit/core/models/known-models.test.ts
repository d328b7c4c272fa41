/** When known models are read again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelsAgeMax } from '#core/models/known-models.ts';

const listed = { name: 'public', description: '', listsTables: true };
const other = { name: 'platform_identity', description: '' };

test('models are read again after five minutes where the service lists its tables', () => {
  assert.deepEqual(modelsAgeMax(60, [listed]), { ms: 5 * 60_000, isListed: true });
  assert.deepEqual(modelsAgeMax(2, [listed]), { ms: 2 * 60_000, isListed: true });
  for (const models of [[other], [listed, other], []])
    assert.deepEqual(modelsAgeMax(60, models), { ms: 60 * 60_000, isListed: false });
});

test('models are not read again by themselves if the person wants it so', () => {
  for (const minutes of [0, -1, Number.NaN, '5', undefined])
    assert.equal(modelsAgeMax(minutes, [listed]), undefined);
});
