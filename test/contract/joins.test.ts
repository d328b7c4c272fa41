/** Runs the completions after ON in the sandbox. A wrong join returns 0 rows, which looks like "no one has access". */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import { declaredRelations } from '#api/contract/relations.ts';
import { identityModel } from '#api/contract/tables.ts';
import { relateTables } from '#core/models/relate-tables.ts';
import { complete } from '#server/language/editing/completion.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { collections } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

let sandbox: RunningSandbox;
let http: ServiceHttp;

before(async () => {
  sandbox = await startSandbox({ accounts: 300 });
  http = new ServiceHttp(sandbox);
});
after(() => sandbox.stop());

const tables = relateTables(
  Object.values(collections).map(({ table, schema }) => ({
    name: table,
    columns: columnsOf(schema).map(({ name, type }) => ({ name, type })),
  })),
);
const context = { catalogue: { models: [{ name: identityModel, tables }] }, model: identityModel };

async function countOf(query_string: string): Promise<number> {
  const { body } = await http.call(endpoints.executeQuery, { body: { query_string } });
  const [row] = (body as { readonly rows: readonly (readonly number[])[] }).rows;
  return row?.[0] ?? assert.fail(query_string);
}

suite('joins', () => {
  test('every declared relation has existing columns', () => {
    const places = new Set(
      tables.flatMap(({ name, columns = [] }) => columns.map((column) => `${name}.${column.name}`)),
    );
    for (const { from, to } of declaredRelations) {
      assert.ok(places.has(`${from.table}.${from.column}`), `${from.table}.${from.column}`);
      assert.ok(places.has(`${to.table}.${to.column}`), `${to.table}.${to.column}`);
    }
  });

  test('the first suggested condition for two tables finds rows', async () => {
    let offered = 0;
    for (const left of tables) {
      for (const right of tables) {
        const from = `FROM ${left.name} a JOIN ${right.name} b ON `;
        const text = `SELECT 1 ${from}`;
        const [first] = complete(lex(text), text.length, context).suggestions.filter(
          ({ kind }) => kind === 'condition',
        );
        if (first === undefined) continue;
        offered += 1;
        const count = await countOf(`SELECT count(*) ${from}${first.insertText}`);
        assert.ok(count > 0, `${from}${first.insertText}`);
      }
    }
    assert.ok(offered >= 20, `${offered} pairs`);
  });

  test('suggests joining access by the entity that has it', () => {
    const text = 'SELECT 1 FROM accounts a JOIN entity_assigned_access_to_object e ON ';
    const [first] = complete(lex(text), text.length, context).suggestions;
    assert.equal(first?.insertText, 'a.global_id = e.global_entity_id');
  });
});
