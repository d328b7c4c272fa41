/** Encoding document identifiers in a form that the editor preserves. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { authorityOf, partsOfAuthority } from '#base/files/authority.ts';

suite('parts of an authority', () => {
  test('survive the round trip, even in lower case, and stay separate', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((one) => one.isWellFormed());
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (parts) => {
        const authority = authorityOf(...parts);
        assert.match(authority, /^[a-z\d_.-]+$/);
        assert.equal(authority.toLowerCase(), authority);
        assert.deepEqual(partsOfAuthority(authority, parts.length), parts);
      }),
      { numRuns: 300 },
    );
    assert.notEqual(authorityOf('a.b', 'c'), authorityOf('a', 'b.c'));
    assert.notEqual(authorityOf('Ab'), authorityOf('ab'));
  });

  test('are not accepted in any other form', () => {
    for (const [authority, count] of [
      ['', 1],
      ['a', 2],
      ['a.', 2],
      ['a.b.c', 2],
      ['A.b', 2],
      ['a_.b', 2],
      ['a_g0.b', 2],
      ['ä.b', 2],
    ] as const)
      assert.equal(partsOfAuthority(authority, count), undefined, authority);
  });
});
