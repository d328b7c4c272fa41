import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hoverAt } from '#server/language/editing/hover.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';

const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      description: 'People',
      tables: [
        {
          name: 'accounts',
          description: 'Log-ins',
          columns: [{ name: 'id', type: 'uuid', description: 'Key' }],
        },
        { name: 'roles', columns: [{ name: 'id', type: 'int' }] },
      ],
    },
    { name: 'governance', tables: [{ name: 'reviews', description: 'Decisions' }] },
  ],
};

/** The text with the cursor at `|`, the hover's title, and its description. */
const cases: readonly (readonly [string, string | undefined, string?])[] = [
  ['SELECT i|d FROM accounts', '(column) accounts.id: uuid', 'Key'],
  ['SELECT id| FROM accounts', '(column) accounts.id: uuid', 'Key'],
  ['SELECT r.i|d FROM accounts a, roles r', '(column) roles.id: int'],
  ['SELECT a.id FROM acc|ounts a', '(table) platform_identity.accounts', 'Log-ins'],
  ['SELECT 1 FROM platform_identity.acc|ounts', '(table) platform_identity.accounts', 'Log-ins'],
  ['SELECT 1 FROM platform|_identity.accounts', '(model) platform_identity', 'People'],
  ['-- @param p date = 2026-01-01 First day\nSELECT :|p', '(parameter) p: date = 2026-01-01', 'First day'],
  ['SELECT :|p', '(parameter) p: type not declared'],
  ['SELECT low|er(id) FROM accounts', '(function) lower(text) → text', 'lowercase'],
  ['SELECT 1 FROM accounts a|', '(alias) a: platform_identity.accounts', 'Log-ins'],
  ['SELECT a|.id FROM accounts AS a', '(alias) a: platform_identity.accounts', 'Log-ins'],
  ['SELECT 1 FROM roles JOIN accounts |a ON TRUE', '(alias) a: platform_identity.accounts', 'Log-ins'],
  [
    'SELECT 1 FROM accounts a WHERE EXISTS (SELECT |a.id)',
    '(alias) a: platform_identity.accounts',
    'Log-ins',
  ],
  ['SELECT |q.id FROM other.things q', '(alias) q: other.things'],
  ['SELECT |q.id FROM nothing q', '(alias) q: nothing'],
  ['SELECT |reviews.id FROM governance.reviews', '(table) governance.reviews', 'Decisions'],
  ['WITH admins AS (SELECT id FROM roles) SELECT |d.id FROM admins d', '(alias) d: admins(id)'],
  ['WITH admins AS (SELECT id FROM roles) SELECT 1 FROM admins |d', '(alias) d: admins(id)'],
  ['WITH admins AS (SELECT id FROM roles) SELECT 1 FROM admi|ns d', '(common table) admins(id)'],
  ['SELECT 1 FROM (SELECT id FROM roles) |s', '(subquery) s(id)'],
  ['SELECT |s.id FROM (SELECT id FROM roles) s', '(subquery) s(id)'],
  ['SELECT 1 FROM generate_series(1, 2) |n', '(alias) n: generate_series()'],
  ['SELECT rank() OVER |w FROM roles WINDOW w AS (ORDER BY id)', '(window) w', '(ORDER BY id)'],
  ['SELECT rank() OVER (|w) FROM roles WINDOW w AS (ORDER BY id)', '(window) w', '(ORDER BY id)'],
  ['SELECT rank() OVER w FROM roles WINDOW w| AS (PARTITION BY id)', '(window) w', '(PARTITION BY id)'],
  ['SELECT rank() OVER |roles FROM roles', undefined],
  // The check shows its type.
  ['SELECT |n FROM generate_series(1, 2) n', undefined],
  ["SELECT 'i|d' FROM accounts", undefined],
  ['SELECT nope| FROM accounts', undefined],
  ['SELECT  |  id FROM accounts', undefined],
  ['|', undefined],
];

describe('hover', () => {
  for (const [marked, title, description] of cases) {
    it(JSON.stringify(marked), () => {
      const offset = marked.indexOf('|');
      const text = marked.replace('|', '');
      const hover = hoverAt(lex(text), offset, { catalogue, model: 'platform_identity' });
      assert.equal(hover?.title, title);
      assert.equal(hover?.description, description);
    });
  }

  it('lists every overload of a function', () => {
    const functions = loadTypeCatalogue;
    const found = hoverAt(lex("SELECT date_trunc('day', now())"), 9, { model: 'm', functions });
    assert.deepEqual(
      [found?.title, ...(found?.overloads ?? [])].map((line) => line?.replace('(function) date_trunc', '')),
      [
        '(text, timestamp with time zone) → timestamp with time zone',
        '(text, interval) → interval',
        '(text, timestamp with time zone, text) → timestamp with time zone',
        '(text, timestamp without time zone) → timestamp without time zone',
      ],
    );
    const many = hoverAt(lex('SELECT max(1)'), 9, { model: 'm', functions })?.overloads ?? [];
    assert.match(many.at(-1) ?? '', /^\.\.\. \d+ more$/);
  });

  it('lists the relations of a table, also by its alias', () => {
    const column = (name: string, ...to: readonly string[]) => ({
      name,
      type: 'text',
      refersTo: to.map((table, rank) => ({ table, column: 'id', rank })),
    });
    const related: Catalogue = {
      models: [
        {
          name: 'm',
          tables: [
            { name: 'accounts', columns: [column('id'), column('created_by', 'accounts')] },
            {
              name: 'activities',
              columns: [column('actor_id', 'accounts'), column('object_id', 'roles', 'accounts')],
            },
            { name: 'roles', columns: [column('id')] },
            {
              name: 'wide',
              columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => column(name, 'roles')),
            },
          ],
        },
      ],
    };
    const accounts = hoverAt(lex('SELECT 1 FROM accounts'), 16, { catalogue: related, model: 'm' });
    assert.equal(accounts?.columns, 'Columns: id text, created_by text.');
    const relations = (marked: string) =>
      hoverAt(lex(marked.replace('|', '')), marked.indexOf('|'), { catalogue: related, model: 'm' })
        ?.relations;
    const ofAccounts = [
      'Relations: created_by → accounts.id.',
      'Referred to by activities.actor_id, activities.object_id.',
    ];
    assert.deepEqual(relations('SELECT 1 FROM |accounts'), ofAccounts);
    assert.deepEqual(relations('SELECT |a.id FROM accounts a'), ofAccounts);
    assert.deepEqual(relations('SELECT 1 FROM |activities'), [
      'Relations: actor_id → accounts.id, object_id → roles.id or accounts.id.',
    ]);
    assert.deepEqual(relations('SELECT 1 FROM |wide'), [
      'Relations: a → roles.id, b → roles.id, c → roles.id, d → roles.id, e → roles.id, f → roles.id, ... 2 more.',
    ]);
  });

  it('names the model of a relation to another one', () => {
    const id = { name: 'id', type: 'int' };
    const to = [{ model: 'hr', table: 'people', column: 'id', rank: 0 }];
    const models = [
      {
        name: 'pay',
        tables: [
          { name: 'salaries', columns: [{ name: 'whose', type: 'int', refersTo: to }] },
          { name: 'people', columns: [id] },
        ],
      },
      { name: 'hr', tables: [{ name: 'people', columns: [id] }] },
    ];
    const relations = (name: string) =>
      hoverAt(lex(`SELECT 1 FROM ${name}`), 16, { catalogue: { models }, model: 'pay' })?.relations;
    assert.deepEqual(relations('salaries'), ['Relations: whose → hr.people.id.']);
    assert.deepEqual(relations('people'), []);
  });

  it('shows nothing about columns while the catalogue is unknown', () => {
    assert.equal(hoverAt(lex('SELECT id FROM accounts'), 8, { model: 'platform_identity' }), undefined);
  });
});
