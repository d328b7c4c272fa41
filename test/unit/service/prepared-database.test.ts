/** The sandbox's prepared database ships in the packages, so two builds must be byte-identical. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { preparedName, stampBytes } from '#service/assets.ts';
import { databaseDump, prepareDatabase } from '#service/build/prepare.ts';

const folder = fileURLToPath(new URL('../../../dist/sandbox', import.meta.url));

test('a database prepared now is byte-identical to the one in the build', async () => {
  // Does nothing if the build is current.
  await prepareDatabase(folder);
  const built = (await readFile(path.join(folder, preparedName))).subarray(stampBytes);
  const bytes = await promisify(brotliDecompress)(built);
  assert.ok(bytes.equals(await databaseDump()));
});
