/** The rows of an agent's answer: never called complete if a part is missing, and never larger than the limit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '#api/client/json.ts';
import type { QueryPage } from '#api/client/query-page.ts';
import { answerRows } from '#core/agents/answers/rows-answer.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { Masker } from '#core/policy/masking/masker.ts';
import { inTurn } from '#test/helpers/query-pages.ts';

async function answerOf(page: QueryPage) {
  return await answerRows(inTurn([page]), {
    expected: { list: page.columns.map(({ name }) => ({ name, origin: undefined })) },
    masker: new Masker(),
    limits: defaultAgentLimits,
    maxRows: undefined,
  });
}

const cutValues: readonly (readonly [name: string, value: JsonValue])[] = [
  ['a long text', 'x'.repeat(501)],
  ['a long text in JSON', { a: ['y'.repeat(5_000)] }],
  ['a list with many items', Array.from({ length: 201 }, () => 1)],
  ['an object with many members', Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`m${at}`, 1]))],
];

describe("an agent's rows", () => {
  for (const [name, value] of cutValues)
    it(`are not called complete if ${name} was cut`, async () => {
      const { status, reason } = await answerOf({ columns: [{ name: 'a', type: 'json' }], rows: [[value]] });
      assert.deepEqual(
        [status, reason],
        ['truncated', 'All rows are here, but some values were cut. They end with "…".'],
      );
    });

  it('are complete if nothing was cut', async () => {
    const { status } = await answerOf({
      columns: [{ name: 'a', type: 'text' }],
      rows: [['x'.repeat(500)], [null]],
    });
    assert.equal(status, 'complete');
  });

  it('name the setting where nothing shows that the values are used', async () => {
    const page = { columns: [{ name: 'a', type: 'text' }], rows: [['x']] };
    const perhaps = { ...page, isPerhapsPartial: true, toldRows: Infinity } as const;
    assert.match((await answerOf(perhaps)).reason ?? '', /^The service does not tell whether there are more/);
    const ofValues = await answerOf({ ...perhaps, areValuesUnknown: true });
    assert.equal(ofValues.status, 'truncated');
    assert.match(ofValues.reason ?? '', /"execute": \{ "values": "parameters" \}/);
  });

  it('stay within the limit, columns included', async () => {
    for (const count of [100, 300, 3_000]) {
      const columns = Array.from({ length: count }, (_, at) => ({ name: `column_${at}`, type: 'text' }));
      const rows = Array.from({ length: 100 }, () => columns.map(() => 'value'));
      const answer = await answerOf({ columns, rows });
      assert.equal(answer.status, 'truncated');
      assert.ok(
        Buffer.byteLength(JSON.stringify(answer.columns) + JSON.stringify(answer.rows)) <= 16_200,
        String(count),
      );
      assert.ok(answer.columns.length > 0);
    }
  });
});
