/** Where the password of a database may come from is said to whoever it is missing for. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

test('the variable or the file that gave a password is known, so that a wrong one is found', async () => {
  const parsed = parseTarget('postgres://keeper@localhost/state');
  assert.ok(parsed.kind === 'target');
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-password-'));
  const file = path.join(folder, 'pgpass');
  await writeFile(file, 'localhost:*:*:keeper:kept\n', { mode: 0o600 });
  for (const [given, PGPASSWORD, password, from] of [
    ['typed', 'variable', 'typed', undefined],
    ['', 'variable', 'kept', file],
    [undefined, 'variable', 'variable', 'PGPASSWORD'],
    [undefined, '', 'kept', file],
  ] as const) {
    const source = passwordSource({
      target: parsed.target,
      given,
      environment: { PGPASSFILE: file, PGPASSWORD },
      ask: undefined,
      otherPlace: '',
      warn: (line) => assert.fail(line),
    });
    assert.equal(await source(), password);
    assert.equal(source.from, from);
  }
  await rm(folder, { recursive: true });
});
