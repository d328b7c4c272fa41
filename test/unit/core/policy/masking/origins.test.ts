/** The origins of a query's columns, and forbidden conditions on columns. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { QueryChecks } from '#core/agents/query-checks.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { findModel, findTable } from '#server/language/names/catalogue.ts';
import type { Origin } from '#server/language/types/typing.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { agentCatalogue, agentSensitivity } from '#test/helpers/agent-models.ts';
import { copied, misfits, notSizedByValues, oracles, passes, sizedByValues } from './query-cases.ts';

const checks = new QueryChecks();
after(() => checks.dispose());

const ask = async (text: string, writer: 'agent' | 'person' = 'agent', hasOwnValues = false) => {
  const { permission } = await checks.check({
    text,
    model: undefined,
    writer,
    hasOwnValues,
    catalogue: agentCatalogue,
    sensitivityOf: agentSensitivity,
  });
  return permission;
};

/**
 * Returns `open` or the kind (`email`) of each column, followed by `*` if its values get no token, and `...` if there
 * may be more columns.
 */
async function originsIn(text: string, writer: 'agent' | 'person' = 'agent'): Promise<string> {
  const permission = await ask(text, writer);
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

describe('a sensitive value in rows that are repeated at will', () => {
  for (const [text, expected, what] of copied) {
    it(`is refused: ${text}`, async () => {
      const permission = await ask(text);
      assert.ok(permission.kind === 'refused');
      assert.match(permission.reason, /in rows that it repeats at will, or sorts/);
      assert.match(permission.what ?? '', what);
    });
    if (!sizedByValues.some(([chosen]) => chosen === text))
      it(`stays masked where a person wrote it: ${text}`, async () => {
        assert.equal(await originsIn(text, 'person'), expected);
      });
  }
});

describe('a saved query with a sensitive value', () => {
  for (const [text, what] of sizedByValues) {
    it(`is not run with an agent's values if they choose a size: ${text}`, async () => {
      const permission = await ask(text, 'person');
      assert.ok(permission.kind === 'refused');
      assert.match(permission.reason, /beside a size that its parameters choose/);
      assert.equal(permission.what, what);
    });
    it(`is run with those of its person: ${text}`, async () => {
      const permission = await ask(text, 'person', true);
      assert.equal(permission.kind, 'go');
    });
  }
  for (const text of notSizedByValues)
    it(`is run with an agent's values if they choose rows: ${text}`, async () => {
      const permission = await ask(text, 'person');
      assert.equal(permission.kind, 'go', JSON.stringify(permission));
    });
});

describe('a query by an agent', () => {
  for (const text of oracles)
    it(`may not run: ${text}`, async () => {
      const permission = await ask(text);
      assert.equal(permission.kind, 'refused', JSON.stringify(permission));
    });
});

describe('a value that its type leads to a sensitive column', () => {
  // The types of columns are found by another walk over the tree, which knows nothing of masking.
  const findColumn = (model: string, table: string, column: string) => {
    const owner = findModel(agentCatalogue, model);
    return (owner && findTable(owner, table))?.columns?.find(({ name }) => name === column);
  };
  const isSensitive = ({ model, table, column }: Origin) => {
    const { type = '' } = findColumn(model, table, column) ?? {};
    return agentSensitivity({ model, table, column, type, class: undefined }) !== undefined;
  };
  it('is masked, unless it is counted', async () => {
    const parser = new WorkerParser();
    const analyser = new Analyser(parser);
    let judged = 0;
    const shown: string[] = [];
    for (const text of [...passes.map(([query]) => query), ...oracles]) {
      const permission = await ask(text, 'person');
      const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue: agentCatalogue });
      const outputs = analysis?.statements[0]?.types?.columns ?? [];
      if (permission.kind === 'refused' || permission.columns.others !== undefined) continue;
      for (const [index, { origins }] of outputs.entries()) {
        if (!origins.some(isSensitive)) continue;
        judged += 1;
        if (permission.columns.list[index]?.origin === undefined) shown.push(text);
      }
    }
    await parser.dispose();
    assert.ok(judged > 100, String(judged));
    assert.deepEqual(
      shown.filter((text) => !/^SELECT count\((DISTINCT )?email\) FROM accounts$/.test(text)),
      [],
    );
  });
});

describe('an overload for types that none of PostgreSQL takes', () => {
  for (const writer of ['agent', 'person'] as const)
    for (const text of misfits)
      it(`may not be called for the ${writer} by ${text}`, async () => {
        const permission = await ask(text, writer);
        assert.equal(permission.kind === 'refused' && permission.code, 'unknown-function');
      });
});

describe('a column of a table that no model has', () => {
  // Each may be a call of a user's function with the row.
  const texts = [
    'SELECT t.f FROM t',
    'SELECT x.f FROM own.t x',
    'SELECT u.f FROM untold u',
    'SELECT s.f FROM (SELECT * FROM t) s',
    'WITH s AS (SELECT * FROM untold) SELECT s.f FROM s',
    'SELECT (SELECT o.f) FROM untold o',
    'SELECT a.profile.f FROM accounts a',
  ];
  for (const text of texts) {
    it(`is refused in ${text}`, async () => {
      assert.equal((await ask(text)).kind, 'refused');
    });
    it(`is never shown by a saved query: ${text}`, async () => {
      const permission = await ask(text, 'person');
      assert.deepEqual(
        permission.kind === 'go' && permission.columns.list.map(({ origin }) => origin?.isExact),
        [false],
      );
    });
  }
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

  for (const value of ['mode()', 'percentile_disc(0.5)', 'percentile_disc(ARRAY[0.1, 0.9])'])
    it(`shows no sensitive value that ${value} takes from its group`, async () => {
      const permission = await ask(`SELECT ${value} WITHIN GROUP (ORDER BY email) FROM accounts`, 'person');
      assert.deepEqual(
        permission.kind === 'go' && permission.columns.list.map(({ origin }) => origin?.isExact),
        [false],
      );
    });

  it('shows no flag derived from a sensitive value', async () => {
    const permission = await ask("SELECT id, email LIKE 'a%' AS starts FROM accounts", 'person');
    assert.deepEqual(
      permission.kind === 'go' && permission.columns.list.map(({ origin }) => origin?.isExact),
      [undefined, false],
    );
  });
});
