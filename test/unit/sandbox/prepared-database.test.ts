/** The sandbox's prepared database: part of the packages, whose builds are equal to the byte. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { databaseDump } from '../../../sandbox/prepare.ts';

test('two databases prepared at different times are identical byte for byte', async () => {
  const digests = [];
  for (let turn = 0; turn < 2; turn += 1)
    digests.push(
      createHash('sha256')
        .update(await databaseDump())
        .digest('hex'),
    );
  assert.equal(digests[1], digests[0]);
});
