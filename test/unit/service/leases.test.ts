/** Leases of windows that leave while the service looks at them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { hasLiveLease, isSecretOfLease } from '#service/leases.ts';

suite('a folder of leases', () => {
  test('that was removed, since its database was forgotten, has none', () => {
    const folder = path.join(tmpdir(), `no-leases-${process.pid}`);
    assert.equal(hasLiveLease(folder), false);
    assert.equal(isSecretOfLease(folder, 'x'), false);
  });

  test('from which a window leaves while its lease is read knows no secret of it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'leases-'));
    try {
      // It is listed, and gone when it is read.
      symlinkSync(path.join(folder, 'gone'), path.join(folder, String(process.pid)));
      assert.equal(isSecretOfLease(folder, 'x'), false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
