/** Clones of one repository are known by where it is, however its address is written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSamePlace, placeOfRemote } from '#core/sync/git/place-of-remote.ts';

describe('where a remote is', () => {
  for (const [address, place] of [
    ['https://git.example.com/team/queries.git', 'https://git.example.com/team/queries'],
    ['https://Git.example.com:443/team/queries/', 'https://git.example.com/team/queries'],
    [
      'https://gitlab-ci-token:glcbt-64_abc@git.example.com/team/queries.git',
      'https://git.example.com/team/queries',
    ],
    ['http://git.example.com:3000/team/queries', 'http://git.example.com:3000/team/queries'],
    ['ssh://git@git.example.com:7999/team/queries.git', 'ssh://git.example.com:7999/team/queries'],
    ['ssh://git@git.example.com:22/team/queries', 'ssh://git.example.com/team/queries'],
    ['git@git.example.com:team/queries.git', 'ssh://git.example.com/team/queries'],
    ['git.example.com:/team/queries', 'ssh://git.example.com/team/queries'],
    ['git@git.example.com:müller/all queries#1', 'ssh://git.example.com/m%C3%BCller/all%20queries%231'],
    ['git+ssh://git@git.example.com:22/team/queries', 'ssh://git.example.com/team/queries'],
    ['ssh+git://git.example.com:7999/team//queries.git/', 'ssh://git.example.com:7999/team/queries'],
    ['[git@git.example.com:22]:team/queries.git', 'ssh://git.example.com/team/queries'],
    ['[git@git.example.com:07999]:team/queries', 'ssh://git.example.com:7999/team/queries'],
    ['[git.example.com]:/team/queries', 'ssh://git.example.com/team/queries'],
    ['git@[::1]:team/queries', 'ssh://[::1]/team/queries'],
    ['[git@::1]:team/queries', 'ssh://[::1]/team/queries'],
    ['[git@[::1]:7999]:team/queries', 'ssh://[::1]:7999/team/queries'],
    ['git://git.example.com:9418/team/queries.git', 'git://git.example.com/team/queries'],
    ['git://git.example.com:9419/team/queries.git', 'git://git.example.com:9419/team/queries'],
    ['ext::ssh -i key git.example.com %S queries', 'ext::ssh -i key git.example.com %S queries'],
    ['/srv/git/queries.git', '/srv/git/queries'],
    ['C:\\git\\queries', 'C:\\git\\queries'],
    ['file:///srv/git/queries.git', 'file:///srv/git/queries'],
    ['../queries', '../queries'],
    ['/home/me/queries/.git', '/home/me/queries'],
  ] as const)
    it(`is ${place} for ${address.replace(/:[^@/]*@/, ':...@')}`, () => {
      assert.equal(placeOfRemote(address), place);
      assert.equal(placeOfRemote(place), place, 'a place stays itself');
    });

  for (const [one, other, isSame] of [
    ['https://git.example.com/a/q', 'git@git.example.com:a/q.git', true],
    ['https://git.example.com:8443/a/q', 'ssh://git@git.example.com:7999/a/q.git', true],
    ['https://git.example.com/a/q', 'http://git.example.com/a/q', true],
    ['http://[::1]:3000/a/q', 'ssh://git@[::1]/a/q', true],
    // As earlier versions kept it.
    ['git.example.com/a/q', 'https://git.example.com:8443/a/q', true],
    ['http://git.example.com:3000/a/q', 'http://git.example.com:4000/a/q', false],
    ['https://git.example.com/a/q', 'https://git.example.com:8443/a/q', false],
    ['ssh://git@git.example.com:2221/a/q', 'ssh://git@git.example.com:2222/a/q', false],
    ['git@git.example.com:a/q', 'ssh://git@git.example.com:2222/a/q', false],
    ['https://git.example.com/a/q', 'https://git.example.com/a/r', false],
    ['https://git.example.com/a/q', 'https://git.example.org/a/q', false],
    ['/srv/git/q', '/srv/git/r', false],
  ] as const)
    it(`of ${one} is ${isSame ? '' : 'not '}that of ${other}`, () => {
      assert.equal(isSamePlace(placeOfRemote(one), placeOfRemote(other)), isSame);
      assert.equal(isSamePlace(placeOfRemote(other), placeOfRemote(one)), isSame);
    });
});
