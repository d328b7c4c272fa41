/** Results kept for paging, and tokens. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { GrowingResult } from '#service/query/growing-result.ts';
import { ResultKeeper, rowText } from '#service/query/results.ts';
import { AccessTokens, PageTokens } from '#service/tokens.ts';

suite('kept results', () => {
  const encoder = new TextEncoder();
  const result = new GrowingResult();
  result.rows(encoder.encode('[1],[22]'), Uint32Array.of(3, 8));
  result.rows(encoder.encode('["ä"]'), Uint32Array.of(6));
  const text = (from: number, to: number): Promise<string> => rowText(result, from, to);

  test('can be read in any range, across chunks', async () => {
    assert.equal(await text(0, 3), '[1],[22],["ä"]');
    assert.equal(await text(1, 2), '[22]');
    assert.equal(await text(1, 3), '[22],["ä"]');
    assert.equal(await text(2, 3), '["ä"]');
    assert.equal(await text(3, 3), '');
  });

  test('are dropped if they are old or exceed the limit, the least recently used first', () => {
    let time = 0;
    const mostBytes = 2.5 * result.sizeBytes;
    const keeper = new ResultKeeper({ mostBytes, lifetimeMs: 1_000, clock: () => time });
    const abandoned: string[] = [];
    const keep = (name: string) =>
      keeper.keep({ fingerprint: name, result, abandon: () => abandoned.push(name) });
    const first = keep('a');
    const second = keep('b');
    assert.ok(keeper.find(first.id));
    const third = keep('c');
    assert.deepEqual(abandoned, ['b'], 'what nobody can read any more need not go on');
    assert.equal(keeper.find(second.id), undefined);
    assert.ok(keeper.find(first.id) && keeper.find(third.id));
    time = 1_001;
    assert.equal(keeper.find(first.id), undefined);
  });
});

suite('a growing result', () => {
  const row = (result: GrowingResult): void =>
    result.rows(new TextEncoder().encode('[1]'), Uint32Array.of(3));
  const never = new AbortController().signal;

  test('releases readers as soon as there are enough rows, and not before', async () => {
    const result = new GrowingResult();
    const seen: number[] = [];
    const waiting = [1, 3].map(async (count) => {
      await result.until(() => result.rowCount >= count, never);
      seen.push(count);
    });
    row(result);
    await waiting[0];
    row(result);
    assert.deepEqual(seen, [1]);
    row(result);
    await Promise.all(waiting);
    assert.deepEqual(seen, [1, 3]);
  });

  test('releases all readers when it ends, keeps the rows, and ends only once', async () => {
    const result = new GrowingResult();
    row(result);
    const waiting = result.until(() => false, never);
    result.finish({ kind: 'timeout', limitMs: 5 });
    await waiting;
    result.finish({ kind: 'complete' });
    row(result);
    assert.deepEqual([result.end, result.rowCount], [{ kind: 'timeout', limitMs: 5 }, 1]);
  });

  test('releases a cancelled reader while it grows', async () => {
    const result = new GrowingResult();
    const gone = new AbortController();
    const waiting = result.until(() => false, gone.signal);
    gone.abort();
    await waiting;
    assert.equal(result.end, undefined);
  });
});

suite('tokens', () => {
  test('a page token is valid only for its own list, and only if unchanged', () => {
    const tokens = new PageTokens();
    const token = tokens.seal('a', { at: 5 });
    assert.deepEqual(tokens.open('a', token), { at: 5 });
    for (const wrong of [
      `${token}x`,
      token.replace(/^./, 'x'),
      '',
      '.',
      'abc',
      new PageTokens().seal('a', 1),
    ]) {
      assert.throws(() => tokens.open('a', wrong), /pageToken/);
    }
    assert.throws(() => tokens.open('b', token), /pageToken/);
  });

  test('an access token expires', () => {
    const tokens = new AccessTokens();
    const token = tokens.issue({ clientId: 'c', scopes: new Set(['read']), expiresAt: Date.now() + 60_000 });
    assert.ok(tokens.find(token, Date.now()));
    assert.equal(tokens.find(token, Date.now() + 60_000), undefined);
    tokens.revokeAll();
    assert.equal(tokens.find(token, Date.now()), undefined);
  });
});
