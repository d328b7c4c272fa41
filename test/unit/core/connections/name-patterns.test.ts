/** Which connections a list of names and patterns means: never one that must be named. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meantConnections, splitNames, type NamedConnection } from '#core/connections/name-patterns.ts';

const plain = { protected: false, source: 'settings' } as const;
const all: readonly NamedConnection[] = [
  { name: 'prod-eu', profile: plain },
  { name: 'prod-us', profile: plain },
  { name: 'prod-core', profile: { protected: true, source: 'settings' } },
  { name: 'prod-local', profile: { protected: false, source: 'sandbox' } },
  { name: 'prod-data', profile: { protected: false, source: 'local' } },
  { name: 'prod-ci', profile: { protected: false, source: 'environment' } },
  { name: 'prod-broken' },
  { name: 'a*b', profile: plain },
  { name: 'axb', profile: plain },
];

const meant = (...wanted: readonly string[]) => meantConnections(wanted, all);

describe('the connections of a list of names and patterns', () => {
  it('keeps the order of the names, and each once', () => {
    assert.deepEqual(meant('prod-us', 'prod-eu', 'prod-us').names, ['prod-us', 'prod-eu']);
    assert.deepEqual(meant('prod-us', 'prod-?*').unknown, ['prod-?*'], 'only the star is special');
  });

  it('leaves out by pattern what must be named, and says so', () => {
    const { names, leftOut, unknown } = meant('prod-*');
    assert.deepEqual(names, ['prod-eu', 'prod-us', 'prod-broken']);
    assert.deepEqual(leftOut, ['prod-core', 'prod-local', 'prod-data', 'prod-ci']);
    assert.deepEqual(unknown, []);
  });

  it('includes them by name, also beside a pattern', () => {
    const { names, leftOut } = meant('prod-*', 'prod-core', 'prod-local');
    assert.deepEqual(names, ['prod-eu', 'prod-us', 'prod-broken', 'prod-core', 'prod-local']);
    assert.deepEqual(leftOut, ['prod-data', 'prod-ci']);
  });

  it('takes a name for itself before it is a pattern', () => {
    assert.deepEqual(meant('a*b').names, ['a*b']);
    assert.deepEqual(meant('a*').names, ['a*b', 'axb']);
  });

  it('tells what means nothing', () => {
    assert.deepEqual(meant('prod', 'test-*').unknown, ['prod', 'test-*']);
  });

  it('matches parts in order and without overlap', () => {
    const names = (pattern: string, name: string) =>
      meantConnections([pattern], [{ name, profile: plain }]).names.length;
    for (const [pattern, name, count] of [
      ['*', '', 1],
      ['a*a', 'a', 0],
      ['a*a', 'aa', 1],
      ['*b*c', 'abc', 1],
      ['*c*b*', 'abc', 0],
      ['ab*bc', 'abc', 0],
      ['PROD*', 'prod', 0],
    ] as const)
      assert.equal(names(pattern, name), count, `${pattern} ${name}`);
  });

  it('takes no time that grows with the stars', () => {
    assert.equal(meantConnections([`${'*a'.repeat(50)}*b`], [{ name: 'a'.repeat(5_000) }]).unknown.length, 1);
  });

  it('splits at commas', () => {
    assert.deepEqual(splitNames(' prod-eu, prod us ,,'), ['prod-eu', 'prod us']);
  });
});
