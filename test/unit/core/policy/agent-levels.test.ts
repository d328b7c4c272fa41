/** Effective access levels and limits of agents. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentLevels, holds } from '#core/connections/agent-level.ts';
import { parseConnection } from '#core/connections/parse-connection.ts';
import { agentLevelOf, agentLimitsFrom, defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { sensitivityBy } from '#core/policy/masking/sensitive-columns.ts';

const entry = {
  name: 'Production',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  clientId: 'reader',
};

describe('the level of a connection', () => {
  it('is off unless its entry says otherwise', () => {
    assert.equal(agentLevelOf({ ai: undefined, protected: false }), 'off');
    for (const ai of agentLevels) assert.equal(agentLevelOf({ ai, protected: false }), ai);
  });

  it('of a protected connection is at most `saved`', () => {
    assert.equal(agentLevelOf({ ai: 'select', protected: true }), 'saved');
    assert.equal(agentLevelOf({ ai: 'schema', protected: true }), 'schema');
    assert.equal(agentLevelOf({ ai: undefined, protected: true }), 'off');
  });

  it('includes the lower ones', () => {
    assert.deepEqual(
      agentLevels.map((level) =>
        (['schema', 'saved', 'select'] as const).map((asked) => holds(level, asked)),
      ),
      [
        [false, false, false],
        [true, false, false],
        [true, true, false],
        [true, true, true],
      ],
    );
  });

  it('is one of the four, else the entry is refused', () => {
    const fields = (ai: unknown) => parseConnection({ ...entry, ai }, new Set());
    assert.equal(fields('saved').kind, 'profile');
    for (const wrong of ['all', true, 1, {}, ['select']])
      assert.deepEqual(fields(wrong), {
        kind: 'problem',
        problem: { kind: 'type', field: 'ai', expected: { kind: 'one-of', values: agentLevels } },
      });
  });
});

describe('the limits of agents', () => {
  it('have defaults, a minimum and a maximum', () => {
    assert.deepEqual(agentLimitsFrom({}), defaultAgentLimits);
    assert.deepEqual(
      agentLimitsFrom({ maxRows: '5', maxBytes: NaN, callsPerMinute: null }),
      defaultAgentLimits,
    );
    assert.deepEqual(agentLimitsFrom({ maxRows: 0, maxBytes: -1, callsPerMinute: 0.5 }), {
      maxRows: 1,
      maxBytes: 1,
      callsPerMinute: 1,
    });
    assert.deepEqual(agentLimitsFrom({ maxRows: 1e9, maxBytes: Infinity, callsPerMinute: 1e9 }), {
      maxRows: 1_000,
      maxBytes: defaultAgentLimits.maxBytes,
      callsPerMinute: 120,
    });
  });
});

describe('patterns of sensitive columns', () => {
  /** A column without a class is masked, so `open` shows what an exception matches. */
  const kind = (patterns: readonly string[], table: string, column: string, type = 'text') =>
    sensitivityBy(patterns)({ model: 'own', table, column, type, class: undefined })?.kind ?? 'open';

  it('match whole names, with asterisks as wildcards, and the last match decides', () => {
    assert.equal(kind(['!*email*'], 'accounts', 'manager_emails'), 'open');
    assert.equal(kind(['!email'], 'accounts', 'emails'), 'email');
    assert.equal(kind(['!accounts.name'], 'roles', 'name'), 'name');
    assert.equal(kind(['!accounts.name'], 'accounts', 'NAME'), 'open');
    assert.equal(kind(['*name*', '!roles.*'], 'roles', 'name'), 'open');
    assert.equal(kind(['!roles.*', '*name*'], 'roles', 'name'), 'name');
    assert.equal(kind(['!a*b*c'], 't', 'a_b_c'), 'open');
    assert.equal(kind(['!a*bc*c'], 't', 'abc'), 'value');
    assert.equal(kind(['!(a+)+$'], 't', 'aaaa'), 'value');
  });

  it('follow the class that the service gives, which opens nothing that the contract closes', () => {
    const masked = (model: string, column: string, given?: string) =>
      sensitivityBy([])({ model, table: 'accounts', column, type: 'text', class: given })?.kind ?? 'open';
    assert.equal(masked('hr', 'title', 'harmless'), 'open');
    assert.equal(masked('hr', 'title', 'personal'), 'value');
    assert.equal(masked('hr', 'title', 'none'), 'value');
    assert.equal(masked('hr', 'title', 'public'), 'value');
    assert.equal(masked('platform_identity', 'title'), 'open');
    // A table of the person's own that is named like one of the contract.
    assert.equal(masked('platform_identity', 'title', 'none'), 'value');
    assert.equal(masked('platform_identity', 'email', 'harmless'), 'email');
  });

  it('name the kind of a free-form column', () => {
    assert.equal(kind([], 'accounts', 'profile', 'jsonb'), 'json');
    assert.equal(kind(['!accounts.profile'], 'accounts', 'profile', 'jsonb'), 'open');
    assert.equal(kind([], 'accounts', 'blob', 'bytea'), 'json');
    assert.equal(kind([], 'accounts', 'tags', 'text[]'), 'value');
  });
});
