/** Where the password of a database may come from is said to whoever it is missing for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTarget } from '#base/postgres-address.ts';
import { PasswordMissingError, passwordSource } from '#service/own-data/password.ts';

test('a missing password is advised where it can be given, for each who asks', async () => {
  const parsed = parseTarget('postgres://keeper@localhost/state');
  assert.ok(parsed.kind === 'target');
  const find = passwordSource({
    target: parsed.target,
    given: undefined,
    environment: { PGPASSFILE: '/no/such/file' },
    ask: undefined,
    otherPlace: 'set the variable PLACE',
    warn: () => undefined,
  });
  await assert.rejects(find(), (error) => {
    assert.ok(error instanceof PasswordMissingError);
    assert.match(error.advice, /password file \(PGPASSFILE\), or set the variable PLACE\.$/);
    return true;
  });
});
