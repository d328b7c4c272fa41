/** Tables from the specification, for a service that describes none: labeled, and never the reason for a finding. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { contractTables } from '#core/models/contract-tables.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { complete } from '#server/language/editing/completion.ts';
import { hoverAt } from '#server/language/editing/hover.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const model = 'platform_identity';
const label = 'From the specification, not from the service.';
const tables = contractTables(model) ?? assert.fail();
const assumed: Catalogue = { models: [{ name: model, tables, isAssumed: true }, { name: 'other' }] };
const told: Catalogue = { models: [{ name: model, tables }, { name: 'other' }] };

suite('tables of the specification', () => {
  const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
  const analyser = new Analyser(parser);
  after(() => parser.dispose());
  const codes = async (text: string, catalogue?: Catalogue): Promise<readonly string[]> => {
    const options = { model, isSavedQuery: false, ...(catalogue && { catalogue }) };
    return ((await analyser.analyse(text, options))?.findings ?? assert.fail()).map(({ code }) => code);
  };

  test('include every collection of records, with the origin of each description', () => {
    const names = tables.map(({ name }) => name);
    for (const name of ['accounts', 'roles', 'account_roles', 'activities']) assert.ok(names.includes(name));
    for (const { name, description, columns = [] } of tables) {
      assert.ok(description?.endsWith(label), name);
      assert.ok(
        columns.some((column) => column.name === 'global_id'),
        name,
      );
      for (const column of columns) assert.ok(column.description?.endsWith(label), column.name);
    }
    assert.equal(contractTables('other'), undefined);
  });

  test('are used in completion and hover', () => {
    const text = 'SELECT ema FROM accounts';
    const context = { catalogue: assumed, model };
    const items = complete(lex(text), 'SELECT ema'.length, context).suggestions;
    const email = items.find((item) => item.label === 'email');
    assert.match(email?.documentation ?? '', /From the specification, not from the service\.$/);
    const hover = hoverAt(lex('SELECT email FROM accounts'), 'SELECT em'.length, context);
    assert.equal(hover?.title, '(column) accounts.email: text');
    assert.match(hover.description ?? '', /From the specification, not from the service\.$/);
  });

  test('cause no finding about a name or a comparison; a missing model does', async () => {
    const texts = [
      'SELECT no_such FROM accounts',
      'SELECT 1 FROM no_such_table',
      'SELECT a.no_such FROM platform_identity.accounts a',
      'SELECT id FROM accounts WHERE email = 7',
    ];
    for (const text of texts) {
      assert.deepEqual(await codes(text, assumed), await codes(text), text);
      assert.notDeepEqual(await codes(text, told), await codes(text), `told by the service: ${text}`);
    }
    assert.ok((await codes('SELECT 1 FROM nowhere.accounts', assumed)).includes('UNKNOWN_MODEL'));
  });
});
