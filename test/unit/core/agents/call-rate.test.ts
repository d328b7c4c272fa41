/** The per-minute call limit for agents, shared by several programs through what this machine remembers. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CallRateFailure, callRateIn } from '#core/agents/call-rate.ts';
import { Facts } from '#core/memory/facts.ts';
import { memoryAt } from '#test/helpers/memory.ts';

let root: string;
let folder: string;
let now: number;
before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-rate-'));
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'data-'));
  now = 1_000_000_000;
});
after(() => rm(root, { recursive: true, force: true }));

const program = () => callRateIn(memoryAt(folder), () => now);

describe('calls per minute', () => {
  it('are counted across programs, and a call is allowed again when the oldest is a minute old', async () => {
    const [one, other] = [program(), program()];
    assert.equal(await one.take('a', 3), undefined);
    now += 10_000;
    assert.equal(await other.take('a', 3), undefined);
    assert.equal(await one.take('a', 3), undefined);
    now += 20_000;
    assert.equal(await other.take('a', 3), 30_000);
    now += 29_999;
    assert.equal(await one.take('a', 3), 1);
    now += 1;
    assert.equal(await other.take('a', 3), undefined);
    assert.equal(await one.take('a', 3), 10_000);
  });

  it('are not exceeded by concurrent calls', async () => {
    const programs = [program(), program(), program()];
    const taken = await Promise.all(
      programs.flatMap((rate) => Array.from({ length: 8 }, () => rate.take('a', 7))),
    );
    assert.equal(taken.filter((waitMs) => waitMs === undefined).length, 7);
  });

  it('are counted per connection', async () => {
    const rate = program();
    assert.equal(await rate.take('a', 1), undefined);
    assert.equal(await rate.take('__proto__', 1), undefined);
    assert.equal(await rate.take('__proto__', 1), 60_000);
    assert.equal(await rate.take('a', 1), 60_000);
  });

  it('do not block callers after the clock is set back', async () => {
    const rate = program();
    await rate.take('a', 1);
    now -= 3_600_000;
    assert.equal(await rate.take('a', 1), undefined);
  });

  it('are counted anew if what is remembered of them is no list of times', async () => {
    for (const kept of [null, {}, 7, [null, 'x']]) {
      const calls = new Facts(memoryAt(folder), { noun: 'agent calls', parse: (value) => value });
      await calls.change((rows) => rows.put('a', kept));
      assert.equal(await program().take('a', 1), undefined, JSON.stringify(kept));
      assert.deepEqual(await calls.all(), new Map([['a', [now]]]));
    }
  });

  it('are refused if they cannot be counted', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await assert.rejects(callRateIn(memoryAt(path.join(file, 'data'))).take('a', 1), CallRateFailure);
  });
});
