/** Addresses of own databases: what is taken from them, and what never shows. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseTarget, withUser, type Target } from '#base/postgres-address.ts';
import { parseAddress } from '#service/postgres/address.ts';

function targetOf(address: string): Target {
  const parsed = parseTarget(address);
  assert.equal(parsed.kind, 'target', address);
  return parsed.target;
}

suite('an address of PostgreSQL', () => {
  test('has defaults, and decodes its parts', () => {
    const target = targetOf('postgresql://re%40der@db.example.com/my%20data');
    assert.deepEqual(
      [target.host, target.port, target.user, target.database, target.tls],
      ['db.example.com', 5432, 're@der', 'my data', 'verify-full'],
    );
    assert.equal(targetOf('postgres://reader@localhost').database, 'reader');
    assert.equal(targetOf('postgres://reader@[::1]:5433/x').shown, 'reader@[::1]:5433/x');
  });

  test('encrypts as libpq means it; other hosts must prove who they are', () => {
    for (const [address, tls] of [
      ['postgres://u@localhost/d', 'prefer'],
      ['postgres://u@127.0.0.1/d', 'prefer'],
      ['postgres://u@/d?host=/var/run/postgresql', 'prefer'],
      ['postgres://u@10.0.0.1/d', 'verify-full'],
      ['postgres://u@db.example.com/d?sslmode=require', 'require'],
      ['postgres://u@db.example.com/d?sslmode=disable', 'disable'],
    ] as const)
      assert.equal(targetOf(address).tls, tls, address);
  });

  test('gives its password away separately, whatever is in it', () => {
    for (const [address, password, without] of [
      ['postgres://u:p@h/d', 'p', 'postgres://u@h/d'],
      ['postgres://u:p%40ss%3Aword@h:1/d?sslmode=require', 'p@ss:word', 'postgres://u@h:1/d?sslmode=require'],
      ['postgres://u:a:b@h/d', 'a:b', 'postgres://u@h/d'],
      ['postgres://u:S3CRET@@h/d', 'S3CRET@', 'postgres://u@h/d'],
      ['postgres://u:@h/d', undefined, 'postgres://u@h/d'],
    ] as const) {
      const parsed = parseTarget(address);
      assert.equal(parsed.kind, 'target', address);
      assert.equal(parsed.password, password);
      assert.equal(parsed.address, without);
      assert.doesNotMatch(JSON.stringify(parsed.target), /S3CRET|a:b|word/);
      assert.deepEqual(targetOf(parsed.address), parsed.target);
    }
  });

  test('with an @ in a name after the server is read where no password can be meant', () => {
    for (const [address, shown] of [
      ['postgres://u@h/a@b', 'u@h:5432/a@b'],
      ['postgres://h/d?user=a@b', 'a@b@h:5432/d'],
      ['postgres://u@[::1]/a@b', 'u@[::1]:5432/a@b'],
      ['postgres://h:5433/d?user=a%40b', 'a@b@h:5433/d'],
      ['postgres://u:p%2Fq%40r@h/d', 'u@h:5432/d'],
    ] as const)
      assert.equal(targetOf(address).shown, shown);
  });

  test('of a server with sample data shows no password either', () => {
    for (const address of ['postgres://bob:1234/S3CRET@h/db', 'postgres://bob:1234?S3CRET@h/db'])
      assert.equal(parseAddress(address), undefined);
    assert.equal(parseAddress('postgres://u:p@a,b:5433/d')?.shown, 'a,b:5433/d');
  });

  test('is identified without its port of the service, its password or its options', () => {
    const one = targetOf('postgres://u:p@h:5432/d').digest;
    assert.equal(targetOf('postgres://u@h/d?sslmode=require').digest, one);
    for (const other of ['postgres://v@h/d', 'postgres://u@h:5433/d', 'postgres://u@h/e', 'postgres://u@i/d'])
      assert.notEqual(targetOf(other).digest, one);
  });

  test('has another user for the same database, in every form that is accepted', () => {
    for (const address of [
      'postgres://owner@h/d',
      'postgresql://owner:p@h:5433/d?sslmode=require',
      'POSTGRES://owner@h',
      'postgres://h/d?user=owner&application_name=a%20b',
      'postgres://owner@[::1]:5433/my%20d%25',
      'postgres:///db?host=/var/run/postgresql',
      'postgres://o@/db?host=/s',
      'postgres://owner@?host=/s&port=5433',
      'postgres://',
      'postgres:///?dbname=',
      'postgres://h/ignored?dbname=d&user=',
    ]) {
      const { digest: before, ...target } = targetOf(address);
      for (const user of ['reader', 'Réa "d@er":/?#%', '']) {
        const { digest, ...changed } = targetOf(withUser(address, targetOf(address), user));
        const wanted = user === '' ? changed.user : user;
        const shown = target.shown.replace(target.user, () => wanted);
        assert.deepEqual(changed, { ...target, user: wanted, shown }, address);
        assert.equal(digest === before, wanted === target.user);
      }
    }
  });

  test('is refused in words that do not repeat it', () => {
    for (const address of [
      '',
      'S3CRET',
      'http://u:S3CRET@h/d',
      'postgres://u:S3CRET@a,b/d',
      'postgres://u:S3CRET@h/d#x',
      'postgres://u:S3CRET@h/d?options=-c',
      'postgres://u@h/d?password=S3CRET',
      'postgres://u:S3CRET@h/d?sslmode=maybe',
      'postgres://u:S3CRET@h:99999/d',
      'postgres://u:%zz@h/S3CRET',
      'postgres://bob:1234/S3CRET@h/db',
      'postgres://bob:1234?S3CRET@h/db',
      'postgres://bob:1234?sslmode=S3CRET@h/db',
      'postgres://bob:1234#S3CRET@h/db',
      'postgres://bob:1,2/S3CRET@h/db',
      'postgres://bob:/S3CRET@h/db',
      'postgres://bob:12@34/S3CRET@h/db',
      'postgres://bob@work:12/S3CRET@h/db',
      'postgres://b/ob:S3CRET@h/db',
      'postgres://b?ob:S3CRET@h/db',
      'postgres:///:S3CRET@h/db',
      'postgres://bob:[::1]/S3CRET@h/db',
    ]) {
      const parsed = parseTarget(address);
      assert.equal(parsed.kind, 'problem', address);
      assert.doesNotMatch(parsed.problem, /S3CRET|1234/);
    }
  });
});
