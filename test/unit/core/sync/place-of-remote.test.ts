/** Clones of one repository are known by where it is, however its address is written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeOfRemote } from '#core/sync/git/place-of-remote.ts';

describe('where a remote is', () => {
  for (const [address, place] of [
    ['https://git.example.com/team/queries.git', 'git.example.com/team/queries'],
    ['https://Git.example.com/team/queries/', 'git.example.com/team/queries'],
    ['https://gitlab-ci-token:glcbt-64_abc@git.example.com/team/queries.git', 'git.example.com/team/queries'],
    ['ssh://git@git.example.com:7999/team/queries.git', 'git.example.com/team/queries'],
    ['git@git.example.com:team/queries.git', 'git.example.com/team/queries'],
    ['git.example.com:/team/queries', 'git.example.com/team/queries'],
    ['/srv/git/queries.git', '/srv/git/queries'],
    ['C:\\git\\queries', 'C:\\git\\queries'],
    ['file:///srv/git/queries.git', 'file:///srv/git/queries'],
    ['../queries', '../queries'],
    ['/home/me/queries/.git', '/home/me/queries'],
  ] as const)
    it(`is ${place} for ${address.replace(/:[^@/]*@/, ':...@')}`, () =>
      assert.equal(placeOfRemote(address), place));
});
