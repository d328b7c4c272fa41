/** Small pure functions of the Models view: filter, descriptions, statements, ages, remembered models. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Memento } from 'vscode';
import { ageText } from '#base/words/age-text.ts';
import { PickedModels } from '#client/features/documents/picked-models.ts';
import { describeTables, tableDescriptions } from '#core/models/descriptions.ts';
import { parseFilter } from '#core/models/models-filter.ts';
import { selectRows } from '#core/models/sql-text.ts';
import { collections } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';

const column = (name: string) => ({ name, type: 'text' });
const accounts = { name: 'accounts', columns: [column('email'), column('alias')] };
const roles = { name: 'roles', columns: [column('name'), column('owner_email')] };
const identity = { name: 'platform_identity', tables: [accounts, roles] };

/** Returns the paths of the rows that match a filter. */
function left(text: string): string[] {
  const filter = parseFilter(text);
  assert.ok(filter);
  if (!filter.model(identity)) return [];
  return identity.tables
    .filter((table) => filter.table(identity.name, table))
    .flatMap((table) => [
      table.name,
      ...table.columns
        .filter((own) => filter.column(identity.name, table, own))
        .map((own) => `${table.name}.${own.name}`),
    ]);
}

suite('the filter of the Models view', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['email', ['accounts', 'accounts.email', 'roles', 'roles.owner_email']],
    ['EMAIL owner', ['roles', 'roles.owner_email']],
    ['accounts', ['accounts', 'accounts.email', 'accounts.alias']],
    ['accounts.em', ['accounts', 'accounts.email']],
    ['identity roles name', ['roles', 'roles.name']],
    [
      'platform',
      ['accounts', 'accounts.email', 'accounts.alias', 'roles', 'roles.name', 'roles.owner_email'],
    ],
    ['nothing', []],
  ];
  for (const [text, expected] of cases) {
    test(text, () => assert.deepEqual(left(text), expected));
  }
  test('a text without words is not a filter', () => {
    for (const text of ['', '  ', ' . ']) assert.equal(parseFilter(text), undefined);
  });
});

suite('descriptions from the contract', () => {
  test('every described column of the service has its description under its SQL name', () => {
    let compared = 0;
    for (const { table, schema } of Object.values(collections)) {
      const known = tableDescriptions.get(table);
      if (known === undefined) continue;
      for (const { name, description } of columnsOf(schema)) {
        if (description === '') continue;
        assert.equal(known.columns.get(name)?.description, description, `${table}.${name}`);
        compared += 1;
      }
    }
    assert.ok(compared > 150, `${compared} columns compared`);
  });

  test('are added only if the names match', () => {
    const [known, own, unknown] = describeTables([
      { name: 'accounts', columns: [column('has_api_access'), column('of_another_kind')] },
      { name: 'roles', description: 'Ours', columns: [{ ...column('name'), description: 'Our name' }] },
      { name: 'elsewhere', columns: [column('email')] },
    ]);
    assert.equal(known?.columns?.[0]?.description, 'Whether the account can use the API.');
    assert.equal(known.columns[1]?.description, undefined);
    assert.equal(own?.description, 'Ours');
    assert.equal(own.columns?.[0]?.description, 'Our name');
    assert.deepEqual(unknown, { name: 'elsewhere', columns: [column('email')] });
  });
});

suite('small texts', () => {
  test('a statement over a table quotes names that need it', () => {
    const table = { name: 'Order', columns: [column('id'), column('user')] };
    assert.equal(selectRows(table), 'SELECT\n  id,\n  "user"\nFROM "Order"');
    assert.equal(selectRows({ name: 'bare' }), 'SELECT\n  *\nFROM bare');
  });

  test('ages are formatted in words', () => {
    const now = 1_790_000_000_000;
    const ages = [0, 59_000, 60_000, 3_600_000, 26 * 3_600_000, 49 * 3_600_000];
    assert.deepEqual(
      ages.map((age) => ageText(now - age, now, 'en')),
      ['this minute', 'this minute', '1 minute ago', '1 hour ago', 'yesterday', '2 days ago'],
    );
    assert.equal(ageText(now - 120_000, now, 'de'), 'vor 2 Minuten');
  });
});

suite('chosen models', () => {
  function memento(): Memento {
    const values = new Map<string, unknown>();
    return {
      keys: () => [...values.keys()],
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => {
        values.set(key, structuredClone(value));
        return Promise.resolve();
      },
    } as Memento; // the overload of `get` with a default is not used
  }

  test('move with a renamed file and with the files of a renamed folder', async () => {
    const picks = new PickedModels(memento());
    await picks.set('file:///a/one.identity.sql', 'x');
    await picks.set('file:///a/b/two.identity.sql', 'y');
    await picks.set('file:///ab/three.identity.sql', 'z');
    await picks.rename([{ from: 'file:///a', to: 'file:///c' }]);
    assert.equal(picks.get('file:///c/one.identity.sql'), 'x');
    assert.equal(picks.get('file:///c/b/two.identity.sql'), 'y');
    assert.equal(picks.get('file:///ab/three.identity.sql'), 'z');
    assert.equal(picks.get('file:///a/one.identity.sql'), undefined);
  });

  test('the last two hundred are kept, and choosing a model again makes it the newest', async () => {
    const picks = new PickedModels(memento());
    for (let index = 0; index < 200; index += 1) await picks.set(`file:///${index}`, 'x');
    await picks.set('file:///0', 'y');
    await picks.set('file:///200', 'x');
    assert.equal(picks.get('file:///0'), 'y');
    assert.equal(picks.get('file:///1'), undefined);
    await picks.forget((uri) => uri === 'file:///0');
    assert.equal(picks.get('file:///0'), undefined);
  });
});
