/** The limit of bytes counts the whole response of every tool, in both of its forms. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { AgentSession } from '#core/agents/agent-session.ts';
import { answerContent, answerText } from '#core/agents/answers/answer-text.ts';
import { fitAnswer } from '#core/agents/answers/fit-answer.ts';
import { QueryChecks } from '#core/agents/query-checks.ts';
import { agentTools } from '#core/agents/tools/agent-tools.ts';
import type { Answer } from '#core/agents/tools/tool.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { uncounted } from '#test/helpers/marked-service.ts';

const maxBytes = 16_000;
const caller = { client: 'test', signal: new AbortController().signal };
const longText = 'ü\u202e"\n'.repeat(2_000);
const columns = Array.from({ length: 3_000 }, (_, at) => ({
  name: `column_${at}`,
  type: 'text',
  description: at % 50 === 0 ? longText : `What column ${at} says`,
}));
const tables = Array.from({ length: 500 }, (_, at) => ({
  name: `table_${at}`,
  description: longText,
  columns,
}));
const many = Array.from({ length: 400 }, (_, at) => ({
  name: `model_${at}_${longText}`,
  description: longText,
  tables: [],
}));
const catalogue = {
  models: [{ name: 'platform_identity', isDefault: true, description: longText, tables }, ...many],
};
const sql = `SELECT * FROM table_1`;
const control = `-- @control c: ${longText.replaceAll('\n', ' ')}\n-- @expect no rows\n${sql}`;
const queryOf = (id: string) => ({
  query_id: id,
  name: longText,
  description: longText,
  model: 'platform_identity',
  version: 1,
  query_string: id === 'control' ? control : id === 'long' ? `${sql} -- ${longText}` : sql,
});
const service = {
  queries: {
    execute: () =>
      Promise.resolve({
        columns: columns.slice(0, 40).map(({ name }) => ({ name: `${name}_`.repeat(5), type: 'text' })),
        rows: Array.from({ length: 100 }, () => columns.slice(0, 40).map(() => longText.slice(0, 20))),
      }),
  },
  savedQueries: {
    get: (id: string) => Promise.resolve(queryOf(id)),
    async *listSummaries() {
      for (let at = 0; at < 300; at++) yield await Promise.resolve(queryOf(`q${at}`));
    },
  },
};
const checks = new QueryChecks();
after(() => checks.dispose());
const log: { readonly rows?: number | undefined }[] = [];
const session = new AgentSession({
  host: {
    connection: () => ({
      name: 'Wide',
      key: 'wide',
      folder: '/work',
      level: 'select',
      limits: { ...defaultAgentLimits, maxBytes },
      sensitivePatterns: ['!*'],
      service: () => Promise.resolve(service as never), // only what the tools ask
      catalogue: () => Promise.resolve(catalogue),
    }),
    propose: () => Promise.resolve(longText),
  },
  checks,
  audit: { add: (entry) => Promise.resolve(void log.push(entry)) },
  rate: { take: () => Promise.resolve(undefined) },
  refusals: uncounted,
});

const inputs: Readonly<Record<string, readonly object[]>> = {
  list_models: [{}, { search: 'table' }],
  describe_table: [{ table: 'table_1' }],
  check_sql: [{ sql }],
  run_query: [{ sql }],
  list_saved_queries: [{}],
  get_saved_query: [{ id: 'long' }],
  run_saved_query: [{ id: 'plain' }],
  run_control: [{ id: 'control' }],
  propose_saved_query: [{ name: 'a', sql }],
};

function requireFit(answer: Answer, limit = maxBytes): void {
  assert.ok(Buffer.byteLength(answerText(answer)) <= limit, answerText(answer).slice(0, 300));
  assert.ok(Buffer.byteLength(JSON.stringify(answerContent(answer))) <= limit);
}

describe("an agent's answer", () => {
  for (const { name, output } of agentTools)
    for (const [at, input] of (inputs[name] ?? []).entries())
      it(`of ${name} (${at + 1}) is within the limit, and says what it left out`, async () => {
        const answer = await session.call(name, input, caller);
        requireFit(answer);
        assert.ok(Value.Check(output, answerContent(answer)), JSON.stringify(answer).slice(0, 500));
        assert.match(answer.reason ?? '', /at most 16000 bytes/);
        assert.equal(answer.status, 'truncated');
        // As much as fits is told, not nothing.
        assert.ok(Buffer.byteLength(answerText(answer)) > maxBytes / 2, answerText(answer).slice(0, 300));
        const rows: unknown = Reflect.get(answer, 'rows');
        if (!Array.isArray(rows)) return;
        assert.equal(Reflect.get(answer, 'rowCount'), rows.length);
        assert.equal(log.at(-1)?.rows, rows.length);
      });

  it('has an input here for every tool', () => {
    assert.deepEqual(
      Object.keys(inputs),
      agentTools.map(({ name }) => name),
    );
  });

  it('can be narrowed to what was left out', async () => {
    const column = await session.call('describe_table', { table: 'table_1', search: 'COLUMN_2999' }, caller);
    assert.deepEqual(
      [column.status, Reflect.get(column, 'columns')],
      ['complete', [{ name: 'column_2999', type: 'text', description: 'What column 2999 says' }]],
    );
    const table = await session.call('list_models', { search: 'table_499' }, caller);
    assert.match(JSON.stringify(table), /"table_499"/);
  });

  it('keeps rows only beside all of their columns, at every limit', () => {
    const answer = {
      status: 'complete' as const,
      columns: columns.slice(0, 50).map(({ name, type }) => ({ name, type })),
      rows: Array.from({ length: 20 }, (_, row) => columns.slice(0, 50).map(() => row)),
      rowCount: 20,
    };
    for (let limit = 400; limit < 6_000; limit += 50) {
      const fitted = fitAnswer(answer, limit);
      requireFit(fitted, limit);
      const { columns: kept, rows, rowCount } = fitted as typeof answer; // the same members
      assert.equal(rowCount, rows.length);
      if (rows.length > 0) assert.equal(kept.length, 50);
      assert.equal(fitted.status, 'columns' in fitted && rows.length === 20 ? 'complete' : 'truncated');
    }
  });
});
