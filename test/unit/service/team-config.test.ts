/** The configuration of a team's service: what is read, and where a mistake is said to be. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { holdFolder } from '#service/leases.ts';
import { OwnDatabaseError } from '#service/own-data/database.ts';
import { readConfig } from '#service/team/config.ts';
import { createPrivateAuthority } from '../../helpers/forward-proxy.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'team-config-'));
after(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'service.yaml');
writeFileSync(path.join(folder, 'password'), 'geheim\nnot this\n');
writeFileSync(path.join(folder, 'empty'), '\n');

const whole = `listen: 0.0.0.0:8080
public-url: https://queries.example.com/
state:
  address: postgres://keeper@db/state
  password-file: password
instance:
  name: a
  address: http://10.0.0.5:8080
sources:
  hr:
    database: postgres://reader@db/hr
    schemas: [public, hr]
    classes:
      hr.people.id: identifier
    running: 8
`;

async function read(text: string) {
  writeFileSync(file, text);
  return await readConfig(file);
}

suite('the configuration of a team’s service', () => {
  test('is read, with files relative to its folder', async () => {
    const { listen, publicUrl, state, sources, instance } = await read(whole);
    assert.deepEqual(listen, { host: '0.0.0.0', port: 8_080 });
    assert.equal(publicUrl, 'https://queries.example.com');
    assert.deepEqual([state.place.kind, state.password], ['database', 'geheim']);
    assert.deepEqual(instance, { name: 'a', address: 'http://10.0.0.5:8080' });
    const [hr] = sources;
    assert.deepEqual(
      [hr?.name, hr?.schemas, hr?.mostRunning, hr?.timeoutMs, [...(hr?.chosen.classes ?? [])]],
      ['hr', ['public', 'hr'], 8, 30_000, [['hr.people.id', 'identifier']]],
    );
  });

  test('needs the address that clients call, encrypted, where other machines can reach it', async () => {
    const without = whole.replace(/^public-url.*\n/m, '');
    await assert.rejects(read(without), /nothing encrypts.*`public-url`/);
    writeFileSync(path.join(folder, 'cert'), '');
    const tls = `${without}tls: { certificate: cert, key: cert }\n`;
    await assert.rejects(read(tls), /Add `public-url` .* no other host name is answered/);
    await assert.rejects(read(whole.replace('https:', 'http:')), /must begin with https:/);
    for (const listen of ['127.0.0.1', '[::1]'])
      await read(
        whole
          .replace(/^listen.*/, `listen: '${listen}:8080'`)
          .replace(/^public-url.*/m, `public-url: http://${listen}`),
      );
  });

  test('says what is wrong with a certificate', async () => {
    const put = (name: string, content: string) => writeFileSync(path.join(folder, name), content);
    await createPrivateAuthority(folder);
    const [cert, key] = ['server.pem', 'server.key'];
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    put('other.key', other.export({ type: 'pkcs8', format: 'pem' }).toString());
    put('none', 'no PEM');
    const tls = (certificate: string, own: string) =>
      read(`${whole}tls:\n  certificate: ${certificate}\n  key: ${own}\n`);
    assert.ok((await tls(cert, key)).tls);
    await assert.rejects(tls('none', key), /:17:16: this file has no certificate in PEM/);
    await assert.rejects(tls(cert, 'none'), /:18:8: this file has no key in PEM/);
    await assert.rejects(tls(cert, 'other.key'), /:18:8: this file is not the key of the certificate\.$/);
  });

  test('may say a thing once, twice, or with a byte order mark before it', async () => {
    writeFileSync(path.join(folder, 'marked'), '\uFEFFgeheim\r\n');
    const text = whole
      .replace('password-file: password', 'password-file: marked')
      .replace('schemas: [public, hr]', 'schemas: &both [public, hr, hr]');
    const { state, sources } = await read(
      `\uFEFF${text}  it:\n    database: postgres://reader@db/it\n    schemas: *both\n`,
    );
    assert.equal(state.password, 'geheim');
    assert.deepEqual(
      sources.map(({ schemas }) => schemas),
      [
        ['public', 'hr'],
        ['public', 'hr'],
      ],
    );
  });

  test('leaves a slot for the others', async () => {
    await assert.rejects(read(whole.replace('running: 8', 'running: 1')), /from 2 to 200/);
  });

  test('has a digest that changes with the sources, and not with the instance', async () => {
    const { digest } = await read(whole);
    assert.equal((await read(whole.replace('name: a', 'name: b'))).digest, digest);
    assert.notEqual((await read(whole.replace('running: 8', 'running: 9'))).digest, digest);
  });

  test('finds the one private address of this machine, or says what there is', async () => {
    const isPrivate = (address: string): boolean =>
      /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address);
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && isPrivate(address))
      .map(({ address }) => address);
    const text = whole.replace('http://10.0.0.5:8080', 'auto');
    if (own.length === 1) assert.equal((await read(text)).instance.address, `http://${String(own[0])}:8080`);
    else await assert.rejects(read(text), /:8:12: `auto` needs one address/);
    await assert.rejects(
      read(text.replace('0.0.0.0:8080', '127.0.0.1:8080')),
      /:8:12: `auto` needs one address.*This machine has/,
    );
  });

  test('of the container files is accepted', async () => {
    const shipped = path.resolve(import.meta.dirname, '../../../service/container');
    for (const name of ['service.yaml', 'mapping.yaml'])
      writeFileSync(path.join(folder, name), readFileSync(path.join(shipped, name)));
    // Where the container has its secrets and its private address.
    const text = readFileSync(path.join(shipped, 'service.yaml'), 'utf8')
      .replaceAll('/run/secrets/', `${folder}/`)
      .replace('address: auto', 'address: http://10.0.0.5:8080');
    for (const name of ['keeper', 'reader']) writeFileSync(path.join(folder, name), 'x\n');
    const { state, sources, listen } = await read(text);
    assert.equal(state.place.kind, 'database');
    assert.deepEqual([sources.length, listen.port], [1, 8_080]);
  });

  const mistakes: readonly (readonly [
    what: string,
    from: string,
    to: string,
    place: string,
    complaint: RegExp,
  ])[] = [
    ['an unknown member', 'listen:', 'lisen:', '1:1', /"lisen" is not known here.*There are: listen/],
    ['an unknown member of a source', 'running: 8', 'runing: 8', '15:5', /There are: database, password-file/],
    ['a port that is none', '0.0.0.0:8080', '0.0.0.0:99999', '1:9', /an address and a port/],
    ['a number that is none', 'running: 8', 'running: many', '15:14', /whole number from 2 to 200/],
    ['an open address without encryption', 'public-url: https://queries.example.com/\n', '', '1:9', /nothing encrypts/],
    ['an open address that is told as one of this machine', 'https://queries.example.com/', 'http://127.0.0.1:8080', '2:13', /must begin with https:.*other machines/],
    ['a password in an address', 'reader@db/hr', 'reader:geheim@db/hr', '11:15', /has a password in it.*password-file/],
    ['a password in the address of the state', 'keeper@db', 'keeper:geheim@db', '3:1', /has a password in it/],
    ['no address of a database', '    database: postgres://reader@db/hr\n', '', '11:5', /`hr` needs `database`/],
    ['a missing file', 'password-file: password', 'password-file: nothing', '5:18', /nothing cannot be used/],
    ['a class that is none', 'identifier', 'id', '14:21', /is not a class/],
    ['a preset that is none', 'running: 8', 'preset: oracle', '15:13', /no preset "oracle".*postgresql/],
    ['two sources of the identity model', 'running: 8', 'preset: postgresql\n    mapping: m.yaml', '16:14', /Choose one/],
    ['a public address of an instance without encryption', '10.0.0.5', 'a.example.com', '8:12', /must be https/],
    ['a name of a source with spaces', '  hr:\n', '  h r:\n', '10:3', /1 to 60 letters/],
    ['a list that is none', '[public, hr]', 'public', '12:14', /must be a list of names/],
    ['a character that no text of a database has', '[public, hr]', String.raw`[public, "h\0r"]`, '12:23', /a NUL character/],
    ['a port alone', '0.0.0.0:8080', '8080', '1:9', /`listen` must be a text, in quotes/],
    ['an empty file', 'password-file: password', 'password-file: empty', '5:18', /first line of the file is empty/],
    ['an alias within itself', '[public, hr]', '&a [*a]', '12:18', /cannot be within/],
    ['a state that is neither', 'postgres://keeper@db/state', 'postgre://keeper@db/state', '3:1', /a folder, or an address that begins with postgres:/],
    ['an alias of nothing', '[public, hr]', '*both', '1:1', /alias without its anchor/],
    ['aliases that grow', '[public, hr]', `[&a [x], &b [${'*a,'.repeat(20)}], &c [${'*b,'.repeat(20)}], ${'*c,'.repeat(20)}]`, '1:1', /too many aliases/],
    ['an alias within what it stands for', '[public, hr]', '&both [public, [*both]]', '12:30', /cannot be within/],
    ['no sources', whole.slice(whole.indexOf('sources:')), '', '1:1', /needs `sources`/],
    ['something that is not YAML', 'running: 8', 'running: "', '16:1', /not YAML/],
  ]; // oxfmt-ignore
  for (const [what, from, to, place, complaint] of mistakes)
    test(`names the place of ${what}`, async () => {
      assert.ok(whole.includes(from));
      await assert.rejects(read(whole.replace(from, to)), (error: unknown) => {
        assert.ok(error instanceof OwnDatabaseError);
        assert.equal(error.message.startsWith(`${file}:${place}: `), true, error.message);
        assert.match(error.message, complaint);
        assert.doesNotMatch(error.message, /geheim/);
        return true;
      });
    });

  test('names a folder of the state that is a file', () => {
    assert.throws(
      () => holdFolder(path.join(folder, 'password')),
      /password cannot be used: a file has this name\.$/,
    );
  });

  test('is not taken for one that another process serves if its lock cannot be made', () => {
    const [unwritable, damaged] = ['unwritable', 'damaged'].map((name) => path.join(folder, name));
    assert.ok(unwritable !== undefined && damaged !== undefined);
    mkdirSync(path.join(unwritable, 'running.sqlite'), { recursive: true });
    assert.throws(() => holdFolder(unwritable), /unwritable cannot be used: running.sqlite is a folder\.$/);
    mkdirSync(damaged);
    writeFileSync(path.join(damaged, 'running.sqlite'), 'no database, but some other text');
    assert.throws(
      () => holdFolder(damaged),
      /damaged cannot be used: running\.sqlite: file is not a database\.$/,
    );
  });
});
