/** The trusted certificates are parsed once per process, and again only for certificates of a connection's own. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { secureContextOf } from '#api/client/network/dispatcher.ts';

test('connections without own certificates share a context, others do not', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'context-'));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, rootCertificates[0] ?? '');
  try {
    const shared = await secureContextOf({});
    assert.equal(await secureContextOf({ caFile: '', useSystemCertificates: true }), shared);
    const own = await secureContextOf({ caFile });
    assert.notEqual(own, undefined);
    assert.notEqual(own, shared);
    assert.notEqual(await secureContextOf({ caFile }), own, 'the file may have changed');
    assert.equal(await secureContextOf({ useSystemCertificates: false }), undefined);
  } finally {
    await rm(folder, { recursive: true });
  }
});
