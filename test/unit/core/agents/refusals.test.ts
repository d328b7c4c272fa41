/** An agent that collects refusals is answered nothing for a while, also after a restart. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AgentSession } from '#core/agents/agent-session.ts';
import type { AuditEntry } from '#core/agents/audit/audit-chain.ts';
import { QueryChecks } from '#core/agents/query-checks.ts';
import { refusalsIn, refusalsMax, silenceMs } from '#core/agents/refusals.ts';
import { Facts } from '#core/memory/facts.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { agentCatalogue, agentPatterns } from '#test/helpers/agent-models.ts';
import { memoryAt } from '#test/helpers/memory.ts';

let folder: string;
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-refusals-'));
  now = 1_800_000_000_000;
});
afterEach(() => rm(folder, { recursive: true }));
const caller = { client: 'test', signal: new AbortController().signal };
const program = () => refusalsIn(memoryAt(folder), () => now);

interface Made {
  readonly checks: QueryChecks;
  readonly onEntry?: (entry: AuditEntry) => void;
  readonly onService?: () => void;
}

const sessionIn = (place: string, { checks, onEntry, onService }: Made) =>
  new AgentSession({
    host: {
      connection: () => ({
        name: 'A',
        key: 'a',
        folder: place,
        level: 'select',
        limits: defaultAgentLimits,
        sensitivePatterns: agentPatterns,
        service: () => {
          onService?.();
          return Promise.reject(new Error('no service'));
        },
        catalogue: () => Promise.resolve(agentCatalogue),
      }),
      propose: () => Promise.resolve(''),
    },
    checks,
    audit: {
      add: (entry) => {
        onEntry?.(entry);
        return Promise.resolve();
      },
    },
    rate: { take: () => Promise.resolve(undefined) },
    refusals: program(),
  });

describe('refusals', () => {
  it('lead to a silence, per key, that a restart does not end', async () => {
    const first = program();
    for (let call = 1; call < refusalsMax; call++) assert.equal(await first.count('a'), false);
    assert.equal(await program().silence('a'), undefined);
    assert.equal(await program().count('b'), false);
    assert.equal(await program().count('a'), true);
    assert.equal(await program().silence('a'), silenceMs);
    assert.equal(await program().silence('b'), undefined);
    now += silenceMs - 1;
    assert.equal(await program().silence('a'), 1);
    now += 1;
    assert.equal(await program().silence('a'), undefined);
    assert.equal(await program().count('a'), false);
  });

  it('count for a day, across programs at the same time', async () => {
    await Promise.all(Array.from({ length: refusalsMax - 1 }, () => program().count('a')));
    now += 24 * 60 * 60_000;
    assert.equal(await program().count('a'), false);
  });

  it('are counted anew if they cannot be read, and last no longer if the clock is set back', async () => {
    const facts = new Facts(memoryAt(folder), { noun: 'refused agent calls', parse: (value) => value });
    for (const kept of [null, [], 1, { at: 'x' }]) {
      await facts.change((rows) => rows.put('a', kept));
      assert.equal(await program().count('a'), false);
      assert.deepEqual(await facts.all(), new Map([['a', { at: [now] }]]));
    }
    await facts.change((rows) => rows.put('a', { at: [], silentUntil: now + 2 * silenceMs }));
    assert.equal(await program().silence('a'), undefined);
  });

  it('do not end a silence, if they were on their way when it began', async () => {
    for (let call = 1; call <= refusalsMax; call++) await program().count('a');
    assert.equal(await program().count('a'), false);
    assert.equal(await program().silence('a'), silenceMs);
  });

  for (const [code, tool, input] of [
    ['unlimited', 'run_query', { sql: 'SELECT email FROM accounts LIMIT 5000' }],
    ['parameters', 'run_query', { sql: 'SELECT id FROM accounts WHERE id = :id' }],
    ['invalid-directive', 'run_control', { sql: '-- @control A\n-- @expect nothing at all\nSELECT 1' }],
  ] as const)
    it(`are counted as ${code}`, async () => {
      const checks = new QueryChecks();
      const session = sessionIn('/one', { checks });
      for (let call = 1; call < refusalsMax; call++)
        assert.equal((await session.call(tool, input, caller)).code, code);
      assert.equal((await session.call(tool, input, caller)).code, 'silenced');
      await checks.dispose();
    });

  it('are said in the answer and in the log', async () => {
    const checks = new QueryChecks();
    const log: AuditEntry[] = [];
    let sent = 0;
    const made = {
      checks,
      onEntry: (entry: AuditEntry) => void log.push(entry),
      onService: () => void sent++,
    };
    const session = sessionIn('/one', made);
    for (let call = 1; call < refusalsMax; call++) {
      const { code } = await session.call('run_query', { sql: 'SELECT upper(email) FROM accounts' }, caller);
      assert.equal(code, 'sensitive-column');
    }
    const last = await session.call('run_query', { sql: 'SELECT upper(email) FROM accounts' }, caller);
    assert.deepEqual([last.status, last.code], ['refused', 'silenced']);
    assert.equal(log.at(-1)?.code, 'silenced');
    assert.equal(sent, 0);
    for (const again of [session, sessionIn('/one', made)])
      for (const [tool, input] of [
        ['run_query', { sql: 'SELECT 1' }],
        ['list_models', {}],
      ] as const) {
        const { code, reason, advice } = await again.call(tool, input, caller);
        assert.equal(code, 'silenced');
        assert.match(`${reason} ${advice}`, /60 refused calls.*15 minutes/);
      }
    assert.equal((await sessionIn('/two', made).call('list_models', {}, caller)).code, undefined);
    await checks.dispose();
  });
});
