/** How connections to a database are encrypted: never weaker than libpq would for the same address. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { parseTarget } from '#base/postgres-address.ts';
import { tlsAttempts, TlsFileError } from '#service/own-data/encryption.ts';

const home = mkdtempSync(path.join(tmpdir(), 'encryption-'));
after(() => rmSync(home, { recursive: true }));
const root = path.join(home, 'authority.crt');
const [authority = ''] = rootCertificates;
writeFileSync(root, authority);

/** What is checked of the server: its chain of certificates, and its name. */
async function checked(parameters: string, host = 'db.example.com'): Promise<readonly string[]> {
  const parsed = parseTarget(`postgres://u@${host}/d?${parameters}`);
  assert.ok(parsed.kind === 'target');
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  try {
    return (await tlsAttempts(parsed.target)).map((options) => {
      if (options === false) return 'plain';
      if (options.rejectUnauthorized !== true) return 'nothing';
      return options.checkServerIdentity === undefined ? 'name' : 'chain';
    });
  } finally {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  }
}

const isUnix = process.platform !== 'win32'; // elsewhere, the home folder comes from another variable

suite('the encryption of an address', { skip: !isUnix }, () => {
  test('checks what its sslmode says', async () => {
    assert.deepEqual(await checked('sslmode=disable'), ['plain']);
    assert.deepEqual(await checked('sslmode=allow'), ['plain', 'nothing']);
    assert.deepEqual(await checked('sslmode=prefer'), ['nothing', 'plain']);
    assert.deepEqual(await checked('sslmode=require'), ['nothing']);
    assert.deepEqual(await checked(`sslmode=require&sslrootcert=${root}`), ['chain']);
    assert.deepEqual(await checked(`sslmode=verify-ca&sslrootcert=${root}`), ['chain']);
    assert.deepEqual(await checked('sslmode=verify-full'), ['name']);
  });

  test('never accepts any name of an authority that certifies everyone', async () => {
    assert.deepEqual(await checked('sslrootcert=system', 'localhost'), ['name']);
    assert.deepEqual(await checked('sslrootcert=system&sslmode=verify-full'), ['name']);
    for (const mode of ['disable', 'prefer', 'require', 'verify-ca'])
      await assert.rejects(checked(`sslrootcert=system&sslmode=${mode}`), TlsFileError, mode);
    await assert.rejects(checked('sslmode=verify-ca'), /needs sslrootcert=FILE/);
  });

  test('says which file has no certificate, no key or another key', async () => {
    const made = (name: string, content: string): string => {
      const file = path.join(home, name);
      writeFileSync(file, content);
      return file;
    };
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    const newKey = (more: object) =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ ...pem, ...more })
        .toString();
    const none = made('none', 'a text');
    const key = made('key', newKey({}));
    const locked = made('locked', newKey({ cipher: 'aes-256-cbc', passphrase: 'x' }));
    for (const [parameters, told] of [
      [`sslmode=verify-full&sslrootcert=${none}`, `${none} has no certificate in PEM`],
      [`sslmode=require&sslcert=${none}&sslkey=${key}`, `${none} has no certificate in PEM`],
      [`sslmode=require&sslcert=${root}&sslkey=${none}`, `${none} has no key in PEM`],
      [
        `sslmode=require&sslcert=${root}&sslkey=${locked}`,
        `${locked} has no key in PEM that can be read without`,
      ],
      [`sslmode=require&sslcert=${root}&sslkey=${key}`, `${key} is not the key of the certificate`],
    ] as const)
      await assert.rejects(
        checked(parameters),
        (error: unknown) =>
          error instanceof TlsFileError &&
          error.message.includes(`the file ${told}`) &&
          error.cause instanceof Error &&
          told.startsWith(error.file ?? '-'),
        parameters,
      );
  });

  test('uses the certificate in the usual file', async () => {
    const usual = path.join(home, '.postgresql');
    mkdirSync(usual);
    writeFileSync(path.join(usual, 'root.crt'), authority);
    try {
      assert.deepEqual(await checked('sslmode=require'), ['chain']);
      assert.deepEqual(await checked('sslmode=verify-ca'), ['chain']);
      // What does not use it is not kept from connecting.
      writeFileSync(path.join(usual, 'root.crt'), '');
      assert.deepEqual(await checked('sslmode=disable'), ['plain']);
      assert.deepEqual(await checked(`sslmode=disable&sslcert=${usual}`), ['plain']);
      assert.deepEqual(await checked('sslmode=allow'), ['plain', 'nothing']);
      assert.deepEqual(await checked('sslmode=prefer'), ['nothing', 'plain']);
      assert.deepEqual(await checked('sslmode=verify-full&sslrootcert=system'), ['name']);
      for (const mode of ['require', 'verify-ca', 'verify-full'])
        await assert.rejects(checked(`sslmode=${mode}`), /root\.crt has no certificate in PEM/, mode);
    } finally {
      rmSync(usual, { recursive: true });
    }
  });
});
