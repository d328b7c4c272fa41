/** The gate before every query: it allows, asks or refuses, and nothing bypasses it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AcceptedFunctions } from '#core/policy/accepted-functions.ts';
import { mayRun, type GateFacts } from '#core/policy/may-run.ts';
import type { CalledPart, ReadOnlyVerdict } from '#server/protocol.ts';

const strict: GateFacts = { isProofRequired: true, isKnownToRun: false, isAccepted: () => false };
const nextval: CalledPart = { kind: 'function', name: 'nextval', does: 'changes a sequence' };
const mine: CalledPart = { kind: 'function', name: 'mine' };
const other: CalledPart = { kind: 'function', name: 'other' };

suite('the gate', () => {
  const cases: readonly (readonly [ReadOnlyVerdict, Partial<GateFacts>, string])[] = [
    ['read-only', {}, 'go'],
    ['read-only', { isProofRequired: false }, 'go'],
    ['not-read-only', {}, 'refuse'],
    ['not-read-only', { isKnownToRun: true, isAccepted: () => true }, 'refuse'],
    ['not-read-only', { isProofRequired: false }, 'go'],
    ['syntax-error', {}, 'ask syntax-error'],
    ['syntax-error', { isProofRequired: false }, 'ask syntax-error'],
    ['syntax-error', { isKnownToRun: true }, 'go'],
    ['unverified', {}, 'ask unverified'],
    ['unverified', { isAccepted: () => true }, 'ask unverified'],
    ['unverified', { isKnownToRun: true }, 'go'],
    ['side-effects', {}, 'ask side-effects'],
    ['side-effects', { isKnownToRun: true, isAccepted: () => true }, 'ask side-effects'],
    ['side-effects', { isProofRequired: false }, 'go'],
    ['unknown-function', {}, 'ask unknown-function'],
    ['unknown-function', { isKnownToRun: true }, 'ask unknown-function'],
    ['unknown-function', { isAccepted: () => true }, 'go'],
    ['unknown-function', { isAccepted: ({ name }) => name === 'mine' }, 'ask unknown-function'],
    ['unknown-function', { isProofRequired: false }, 'go'],
  ];
  for (const [verdict, facts, expected] of cases) {
    test(`${verdict}, ${JSON.stringify(Object.keys(facts))}: ${expected}`, () => {
      const calls =
        verdict === 'side-effects' ? [nextval, mine] : verdict === 'unknown-function' ? [mine, other] : [];
      const permission = mayRun({ verdict, calls }, { ...strict, ...facts });
      assert.equal(permission.kind === 'ask' ? `ask ${permission.reason}` : permission.kind, expected);
      if (permission.kind === 'go') assert.equal(permission.isProven, verdict === 'read-only');
    });
  }

  test('asks only about parts that the person has not confirmed', () => {
    const permission = mayRun(
      { verdict: 'unknown-function', calls: [mine, other] },
      { ...strict, isAccepted: ({ name }) => name === 'mine' },
    );
    assert.deepEqual(permission, { kind: 'ask', reason: 'unknown-function', parts: [other] });
    const effects = mayRun({ verdict: 'side-effects', calls: [nextval, mine] }, strict);
    assert.deepEqual(effects, { kind: 'ask', reason: 'side-effects', parts: [nextval] });
  });

  test('asks about an unknown verdict, from a server of another version', () => {
    const verdict = 'certainly-fine' as ReadOnlyVerdict; // from an older or newer server
    assert.deepEqual(mayRun({ verdict }, strict), { kind: 'ask', reason: 'unverified', parts: [] });
    assert.equal(mayRun({ verdict: 'unknown-function' }, strict).kind, 'ask');
  });
});

suite('accepted unknown functions', () => {
  const open = (stored = new Map<string, unknown>()) => ({
    stored,
    accepted: new AcceptedFunctions({
      get: (key) => stored.get(key),
      update: (key, value) => Promise.resolve(void stored.set(key, value)),
    }),
  });

  test('are remembered per connection, even after a restart', async () => {
    const { stored, accepted } = open();
    assert.ok(!accepted.has('a', mine));
    await accepted.accept('a', [mine, mine]);
    await accepted.accept('a', [other]);
    for (const one of [accepted, open(stored).accepted]) {
      assert.ok(one.has('a', mine) && one.has('a', other));
      assert.ok(!one.has('b', mine));
      assert.ok(!one.has('a', { kind: 'type', name: 'mine' }));
      assert.ok(!one.has('a', { kind: 'function', name: 'x.mine' }));
      assert.ok(!one.has('a', { ...mine, isColumn: true }), 'a column that is not there');
    }
  });

  test('are forgotten one by one', async () => {
    const { stored, accepted } = open();
    const operator: CalledPart = { kind: 'operator', name: 'OPERATOR(x.+)' };
    await accepted.accept('a', [mine, operator]);
    await accepted.accept('b', [mine]);
    const listed = accepted.list().map(({ connectionKey, kind, name }) => [connectionKey, kind, name]);
    assert.deepEqual(listed, [
      ['b', 'function', 'mine'],
      ['a', 'operator', 'OPERATOR(x.+)'],
      ['a', 'function', 'mine'],
    ]);
    await accepted.forget(
      accepted.list().filter((each) => each.name === 'mine' && each.connectionKey === 'a'),
    );
    for (const one of [accepted, open(stored).accepted]) {
      assert.ok(!one.has('a', mine));
      assert.ok(one.has('a', operator) && one.has('b', mine));
    }
    await accepted.forget(accepted.list());
    assert.deepEqual(accepted.list(), []);
  });

  test('ignore invalid storage', async () => {
    for (const value of ['x', [], null, { a: 'x' }, { a: [1, null] }, { __proto__: ['function mine'] }]) {
      const { accepted } = open(new Map([['identityQueries.acceptedFunctions', value]]));
      assert.ok(!accepted.has('a', mine));
      assert.ok(!accepted.has('constructor', mine));
      await accepted.accept('a', [mine]);
      assert.ok(accepted.has('a', mine));
    }
  });
});
