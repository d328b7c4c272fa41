/** Parsing entries of `identityQueries.connections`: accepted members, and every reason for a rejection. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { sayConnectionProblem } from '#core/connections/connection-messages.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import {
  connectionFields,
  parseConnection,
  profileOf,
  secretFieldsOf,
  type ConnectionProblem,
  type ConnectionSetting,
} from '#core/connections/parse-connection.ts';

const entry: ConnectionSetting = {
  name: 'Production',
  baseUrl: 'https://api.{environment}.example.com',
  authUrl: 'https://auth.prod.example.com/token',
  clientId: 'reader',
};

suite('parseConnection', () => {
  test('leaves permissions and marks off unless they are set', () => {
    const parsed = parseConnection(entry, new Set());
    assert.equal(parsed.kind, 'profile');
    assert.deepEqual(
      [parsed.profile.protected, parsed.profile.allowChanges, parsed.profile.allowPlainHttp],
      [false, false, false],
    );
    assert.equal(parsed.profile.secretSource, undefined);
  });

  test('accepts a field of its own that begins with x-', () => {
    assert.equal(parseConnection({ ...entry, 'x-team': 'reviews' }, new Set()).kind, 'profile');
  });

  test('accepts every property', () => {
    const parsed = parseConnection(
      {
        ...entry,
        environment: 'stage',
        label: 'STAGE',
        colour: 'orange',
        protected: true,
        allowChanges: true,
        scopes: 'read',
        secretCommand: ['vault', 'read', '-field=secret'],
      },
      new Set(['Other']),
    );
    assert.equal(parsed.kind, 'profile');
    const { profile } = parsed;
    assert.deepEqual(profile.secretSource, { kind: 'command', command: ['vault', 'read', '-field=secret'] });
    assert.deepEqual(
      [profile.label, profile.colour, profile.protected, profile.allowChanges, profile.scopes],
      ['STAGE', 'orange', true, true, 'read'],
    );
  });

  test('accepts plain http outside this machine only if explicitly allowed', () => {
    const plain = { ...entry, baseUrl: 'http://api.example.com' };
    assert.equal(parseConnection(plain, new Set()).kind, 'problem');
    assert.equal(parseConnection({ ...plain, allowPlainHttp: true }, new Set()).kind, 'profile');
  });

  const problems: readonly (readonly [string, unknown, ConnectionProblem['kind']])[] = [
    ['a text', 'https://api.example.com', 'no-fields'],
    ['null', null, 'no-fields'],
    ['a list', [entry], 'no-fields'],
    ['no client id', { ...entry, clientId: undefined }, 'missing'],
    ['a blank name', { ...entry, name: ' ' }, 'missing'],
    ['a number for a name', { ...entry, name: 3 }, 'missing'],
    ['a secret', { ...entry, clientSecret: 'hush' }, 'secret'],
    ['a secret under another name', { ...entry, client_secret: 'hush' }, 'secret'],
    ['a token', { ...entry, accessToken: 'hush' }, 'secret'],
    ['a misspelled mark', { ...entry, proteced: true }, 'unknown'],
    ['a field in another case', { ...entry, Protected: true }, 'unknown'],
    ['a field in another spelling', { ...entry, color: 'red' }, 'unknown'],
    ['a text for a flag', { ...entry, protected: 'yes' }, 'type'],
    ['scopes of another name', { ...entry, scopes: 'write' }, 'type'],
    ['an unknown colour', { ...entry, colour: 'beige' }, 'type'],
    ['a command line in one text', { ...entry, secretCommand: 'vault read x' }, 'type'],
    ['an empty command', { ...entry, secretCommand: [] }, 'type'],
    ['an empty variable', { ...entry, secretVariable: '' }, 'type'],
    ['two sources', { ...entry, secretVariable: 'A', secretCommand: ['b'] }, 'secret-source'],
    ['no address', { ...entry, baseUrl: 'api.example.com' }, 'address'],
    ['a password in an address', { ...entry, baseUrl: 'https://me:hush@api.example.com' }, 'address'],
    ['plain http for tokens', { ...entry, authUrl: 'http://auth.example.com' }, 'address'],
    ['an environment that ends the host name', { ...entry, environment: 'evil.net/' }, 'environment'],
    ['an environment with a dot', { ...entry, environment: 'a.b' }, 'environment'],
    ['an environment with an at sign', { ...entry, environment: 'a@b' }, 'environment'],
    ['a name used before', { ...entry, name: 'Taken' }, 'duplicate'],
  ];
  for (const [name, value, kind] of problems) {
    test(`${name} -> ${kind}`, () => {
      const parsed = parseConnection(value, new Set(['Taken']));
      assert.equal(parsed.kind, 'problem');
      assert.equal(parsed.problem.kind, kind);
      assert.ok(!JSON.stringify(parsed).includes('"hush"'), 'the problem repeats the secret');
    });
  }

  for (const [field, value, words] of [
    ['environment', 1, 'a text in quotes'],
    ['label', null, 'a text in quotes'],
    ['scopes', 'write', 'one of: "read", "read and write"'],
    ['colour', ['red'], 'one of: "red", "orange", "yellow", "green", "blue", "purple"'],
    ['protected', 'yes', 'true or false, without quotes'],
    ['allowChanges', 1, 'true or false, without quotes'],
    ['allowPlainHttp', null, 'true or false, without quotes'],
    ['secretVariable', '', 'the name of an environment variable'],
    ['secretCommand', 'vault read x', 'a list with a program and its arguments, each in quotes'],
    ['secretCommand', [], 'a list with a program and its arguments, each in quotes'],
    ['secretCommand', ['a', 1], 'a list with a program and its arguments, each in quotes'],
    ['ai', true, 'one of: "off", "schema", "saved", "select"'],
    ['clientAuthentication', 'header', 'one of: "basic", "body"'],
    ['sensitiveColumns', 'email', 'a list of texts in quotes'],
    ['execute', [], 'an object such as { "paging": '],
    ['execute', { pages: 1 }, 'an object such as { "paging": '],
    ['execute.paging', { paging: { size: 'a' } }, 'an object such as { "size": '],
    ['execute.values', { values: 'bound' }, 'one of: '],
  ] as const)
    test(`says what ${field} must be in place of ${JSON.stringify(value)}`, () => {
      const parsed = parseConnection({ ...entry, [field.split('.')[0] ?? '']: value }, new Set());
      assert.equal(parsed.kind, 'problem');
      const said = sayConnectionProblem(parsed.problem, 'FILE[0]');
      assert.ok(said.startsWith(`FILE[0]: "${field}" must be ${words}`), said);
    });

  test('has the fields of the setting', () => {
    const file = path.join(import.meta.dirname, '../../../../package.json');
    const { contributes } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly contributes: {
        readonly configuration: readonly {
          readonly properties: Readonly<Record<string, { readonly items?: { readonly properties: object } }>>;
        }[];
      };
    };
    const setting = contributes.configuration
      .map(({ properties }) => properties['identityQueries.connections'])
      .find((each) => each !== undefined);
    assert.deepEqual(Object.keys(setting?.items?.properties ?? {}).sort(), [...connectionFields].sort());
  });

  test('only fields that contain a secret count as secrets', () => {
    assert.deepEqual(
      secretFieldsOf({
        ...entry,
        secretVariable: 'A',
        secretCommand: ['b'],
        Client_Secret: 'x',
        password: 'y',
      }),
      ['Client_Secret', 'password'],
    );
  });
});

suite('connectionKeyOf', () => {
  const profile = profileOf(entry);
  test('stays the same if the name, marks or permissions change', () => {
    const other = profileOf({ ...entry, name: 'Other', protected: true, allowChanges: true });
    assert.equal(connectionKeyOf(other), connectionKeyOf(profile));
  });
  for (const change of [
    { baseUrl: 'https://other.example.com' },
    { clientId: 'other' },
    { environment: 'stage' },
  ]) {
    test(`changes with ${Object.keys(change).join()}`, () => {
      assert.notEqual(connectionKeyOf(profileOf({ ...entry, ...change })), connectionKeyOf(profile));
    });
  }
  test('is the same for the sandbox on any port', () => {
    const at = (port: number) =>
      connectionKeyOf({ ...profile, baseUrl: `http://127.0.0.1:${port}`, source: 'sandbox' });
    assert.equal(at(1), at(2));
  });
});
