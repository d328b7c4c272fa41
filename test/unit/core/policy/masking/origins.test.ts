/** The origins of a query's columns, and forbidden conditions on columns. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { QueryChecks } from '#core/agents/query-checks.ts';
import { agentCatalogue, agentSensitivity } from '#test/helpers/agent-models.ts';
import { oracles, passes } from './query-cases.ts';

const checks = new QueryChecks();
after(() => checks.dispose());

const ask = async (text: string, writer: 'agent' | 'person' = 'agent') => {
  const { permission } = await checks.check({
    text,
    model: undefined,
    writer,
    catalogue: agentCatalogue,
    sensitivityOf: agentSensitivity,
  });
  return permission;
};

/**
 * Returns `open` or the kind (`email`) of each column, followed by `*` if its values get no token, and `...` if there
 * may be more columns.
 */
async function originsIn(text: string): Promise<string> {
  const permission = await ask(text);
  if (permission.kind === 'refused') return `refused: ${permission.code}: ${permission.reason}`;
  const { list, others } = permission.columns;
  const said = list.map(({ origin }) =>
    origin === undefined ? 'open' : origin.isExact ? origin.kind : `${origin.kind}*`,
  );
  return [...said, ...(others === undefined ? [] : ['...'])].join(', ');
}

describe('origins', () => {
  for (const [text, expected] of passes)
    it(`of ${text}`, async () => {
      assert.equal(await originsIn(text), expected);
    });
});

describe('a query by an agent', () => {
  for (const text of oracles)
    it(`may not run: ${text}`, async () => {
      const permission = await ask(text);
      assert.equal(permission.kind, 'refused', JSON.stringify(permission));
    });
});

describe('a saved query', () => {
  it('may test a sensitive column, whose values stay masked', async () => {
    const permission = await ask(
      "SELECT email, count(*) FROM accounts WHERE email LIKE '%@corp.example' GROUP BY email ORDER BY email",
      'person',
    );
    assert.equal(permission.kind, 'go');
    assert.deepEqual(
      permission.columns.list.map(({ origin }) => origin?.kind),
      ['email', undefined],
    );
  });

  it('may not, if it contains a value from the agent', async () => {
    const permission = await ask('SELECT id FROM accounts WHERE email = :email', 'person');
    assert.equal(permission.kind === 'refused' && permission.code, 'sensitive-column');
    const other = await ask('SELECT id FROM accounts ORDER BY email LIMIT 1 OFFSET :n', 'person');
    assert.equal(other.kind === 'refused' && other.code, 'sensitive-column');
  });

  it('may have parameters if it tests only public columns', async () => {
    const permission = await ask('SELECT id, email FROM accounts WHERE type = :type', 'person');
    assert.equal(permission.kind, 'go');
  });

  it('shows no flag derived from a sensitive value', async () => {
    const permission = await ask("SELECT id, email LIKE 'a%' AS starts FROM accounts", 'person');
    assert.deepEqual(
      permission.kind === 'go' && permission.columns.list.map(({ origin }) => origin?.isExact),
      [undefined, false],
    );
  });
});
