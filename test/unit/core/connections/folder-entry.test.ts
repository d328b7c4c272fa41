/** A connection from a folder: its initial permissions, those that need consent, and the scope of the consent. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConnectionProfile, FolderAnswer } from '#core/connections/connection-profile.ts';
import {
  asWritten,
  connectionOfFolder,
  heldBack,
  isUnanswered,
  withAnswer,
} from '#core/connections/folder-entry.ts';
import { profileOf, type ConnectionSetting } from '#core/connections/parse-connection.ts';

const plain: ConnectionSetting = {
  name: 'Team',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  clientId: 'reader',
};
const greedy: ConnectionSetting = {
  ...plain,
  allowChanges: true,
  allowPlainHttp: true,
  secretCommand: ['touch', '/tmp/marker'],
};
const folder = { folder: 'repo', uri: 'file:///work/repo' };

function brought(
  setting: ConnectionSetting,
  answers: Readonly<Record<string, FolderAnswer>> = {},
  from = folder,
) {
  return connectionOfFolder(profileOf(setting), from, (digest) => answers[digest]);
}
const digestOf = (profile: ConnectionProfile) => profile.folderEntry?.digest ?? '';
const powersOf = ({ allowChanges, allowPlainHttp, secretSource }: ConnectionProfile) => [
  allowChanges,
  allowPlainHttp,
  secretSource,
];
const inForce = [true, true, { kind: 'command', command: ['touch', '/tmp/marker'] }];
const nothing = [false, false, undefined];

suite('a connection from a folder', () => {
  test('may only read by default, and only from its addresses', () => {
    const profile = brought(greedy);
    assert.deepEqual(powersOf(profile), nothing);
    assert.deepEqual(heldBack(profile), profile.folderEntry?.wants);
    assert.equal(isUnanswered(profile), true);
    assert.deepEqual([profile.name, profile.baseUrl], ['Team', 'https://api.example.com']);
  });

  test('needs no consent if it requests nothing more', () => {
    const profile = brought({ ...plain, protected: true, label: 'TEST', colour: 'red' });
    assert.equal(heldBack(profile), undefined);
    assert.equal(isUnanswered(profile), false);
  });

  for (const want of [
    { allowChanges: true },
    { allowPlainHttp: true },
    { secretVariable: 'AWS_SECRET_ACCESS_KEY' },
    { secretCommand: ['x'] },
  ])
    test(`needs consent for each request: ${Object.keys(want).join()}`, () => {
      assert.equal(isUnanswered(brought({ ...plain, ...want })), true);
      assert.deepEqual(powersOf(brought({ ...plain, ...want })), nothing);
    });

  test('gets everything after a yes and nothing after a no, without asking again', () => {
    const digest = digestOf(brought(greedy));
    const allowed = brought(greedy, { [digest]: 'allowed' });
    assert.deepEqual(powersOf(allowed), inForce);
    assert.deepEqual([heldBack(allowed), isUnanswered(allowed)], [undefined, false]);
    const refused = brought(greedy, { [digest]: 'refused' });
    assert.deepEqual(powersOf(refused), nothing);
    assert.deepEqual([heldBack(refused) === undefined, isUnanswered(refused)], [false, false]);
  });

  const changes: readonly Partial<ConnectionSetting>[] = [
    { name: 'Other' },
    { baseUrl: 'https://elsewhere.example.com' },
    { authUrl: 'https://elsewhere.example.com/token' },
    { environment: 'test' },
    { clientId: 'other' },
    { allowChanges: false },
    { allowPlainHttp: false },
    { secretCommand: ['touch', '/tmp/other'] },
    { secretCommand: ['touch /tmp/marker'] },
    { protected: true },
  ];
  for (const change of changes)
    test(`needs new consent for other content: ${JSON.stringify(change)}`, () => {
      const digest = digestOf(brought(greedy));
      assert.equal(isUnanswered(brought({ ...greedy, ...change }, { [digest]: 'allowed' })), true);
    });

  test('needs new consent in another folder, whatever its name', () => {
    const digest = digestOf(brought(greedy));
    const elsewhere = { ...folder, uri: 'file:///work/other' };
    assert.equal(isUnanswered(brought(greedy, { [digest]: 'allowed' }, elsewhere)), true);
  });

  test('has the same digest, whatever the order of its fields', () => {
    const reordered = Object.fromEntries(Object.entries(greedy).toReversed()) as unknown as ConnectionSetting; // same fields
    assert.equal(digestOf(brought(reordered)), digestOf(brought(greedy)));
  });

  test('applies an answer immediately, and a later answer replaces it', () => {
    const allowed = withAnswer(brought(greedy), 'allowed');
    assert.deepEqual(powersOf(allowed), inForce);
    assert.deepEqual(powersOf(withAnswer(allowed, 'refused')), nothing);
    assert.deepEqual(powersOf(withAnswer(withAnswer(allowed, 'refused'), 'allowed')), inForce);
  });

  test('is shown completely in the form', () => {
    assert.deepEqual(asWritten(brought(greedy)), profileOf(greedy));
    assert.deepEqual(asWritten(withAnswer(brought(greedy), 'allowed')), profileOf(greedy));
    assert.deepEqual(asWritten(brought(plain)), profileOf(plain));
  });
});

suite('access of agents to a connection from a folder', () => {
  const open = { ...plain, ai: 'select', sensitiveColumns: ['!*email*', 'badge'] } as const;
  test('cannot be granted, whatever was allowed, but columns can be restricted', () => {
    const asked = brought({ ...greedy, ...open });
    for (const profile of [brought(open), asked, withAnswer(asked, 'allowed')]) {
      assert.equal(profile.ai, undefined);
      assert.deepEqual(profile.sensitiveColumns, ['badge']);
    }
  });
});
