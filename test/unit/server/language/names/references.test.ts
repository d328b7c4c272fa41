/** Tables and columns that a query reads, and parameter types that are inferred from comparisons. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { findStatements } from '#server/handlers/statements.ts';
import { checkText, findReferences } from '#server/handlers/text-requests.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { createState, type ServerState } from '#server/state.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const dialectParser = new WorkerDialectParser({ timeLimitMs: 10_000 });
const analyser = new Analyser(parser, new DialectAnalyser(dialectParser));
after(() => Promise.all([parser.dispose(), dialectParser.dispose()]));

const columns = (words: string) =>
  words.split(', ').map((word) => {
    const [name = '', ...type] = word.split(' ');
    return { name, type: type.join(' ') };
  });

const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        {
          name: 'accounts',
          columns: columns(
            'id uuid, email text, department character varying(80), created_at timestamp with time zone, logins integer, tags text[], attributes jsonb, hired date',
          ),
        },
        { name: 'groups', columns: columns('id uuid, name text, owner_id uuid') },
        { name: 'unread' },
      ],
    },
    {
      name: 'platform_governance',
      tables: [{ name: 'reviews', columns: columns('id uuid, account_id uuid, decided_at timestamptz') }],
    },
  ],
};
const withCatalogue = (connection: string): ServerState => ({
  ...createState(),
  catalogues: new Map([[connection, catalogue]]),
});
const known = withCatalogue('');
const unknown = createState();
const never = (): boolean => false;

/** Returns the parameters as `name type compared.with`, with `[]` for a list. */
async function parametersIn(sql: string, state = known): Promise<readonly string[]> {
  const document = TextDocument.create('file:///a.identity.sql', 'identity-sql', 1, sql);
  const result = await findStatements(
    { analyser, state },
    document,
    { textDocument: { uri: document.uri } },
    never,
  );
  return (result?.statements ?? []).flatMap(({ parameters }) =>
    parameters.map(({ name, type = '?', isList, comparedWith }) =>
      [
        name,
        `${type}${isList ? '[]' : ''}`,
        ...(comparedWith === undefined
          ? []
          : [`${comparedWith.model}.${comparedWith.table}.${comparedWith.column}`]),
      ].join(' '),
    ),
  );
}

const identity = 'platform_identity.accounts';

describe('the type of a parameter', () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['SELECT 1 FROM accounts a WHERE a.created_at >= :since', `since timestamptz ${identity}.created_at`],
    ['SELECT 1 FROM accounts WHERE :email = email', `email text ${identity}.email`],
    ['SELECT 1 FROM accounts WHERE department = :d', `d text ${identity}.department`],
    ['SELECT 1 FROM accounts WHERE logins <> :n', `n integer ${identity}.logins`],
    ['SELECT 1 FROM accounts WHERE id IN (:ids)', `ids uuid[] ${identity}.id`],
    [
      'WITH RECURSIVE r AS (SELECT id FROM accounts UNION SELECT id FROM r WHERE id <> :other) SELECT 1 FROM r',
      `other uuid ${identity}.id`,
    ],
    ['SELECT 1 FROM accounts WHERE id NOT IN (:ids)', `ids uuid[] ${identity}.id`],
    ['SELECT 1 FROM accounts WHERE id IN (:a, :b)', `a uuid ${identity}.id`, `b uuid ${identity}.id`],
    ['SELECT 1 FROM accounts WHERE id = ANY (:ids)', `ids uuid[] ${identity}.id`],
    ['SELECT 1 FROM accounts WHERE id <> ALL (:ids)', `ids uuid[] ${identity}.id`],
    ['SELECT 1 FROM accounts WHERE id = ANY (:ids::uuid[])', `ids uuid[] ${identity}.id`],
    ['SELECT 1 FROM accounts WHERE :tag = ANY (tags)', `tag text ${identity}.tags`],
    ['SELECT 1 FROM accounts WHERE tags @> :tags', `tags text[] ${identity}.tags`],
    ['SELECT 1 FROM accounts WHERE tags && :tags', `tags text[] ${identity}.tags`],
    ['SELECT 1 FROM accounts WHERE attributes @> :part', `part jsonb ${identity}.attributes`],
    ["SELECT 1 FROM accounts WHERE attributes ->> 'city' = :city", 'city text'],
    [
      'SELECT 1 FROM accounts WHERE hired BETWEEN :first AND :last',
      `first date ${identity}.hired`,
      `last date ${identity}.hired`,
    ],
    ['SELECT 1 FROM accounts WHERE :day BETWEEN hired AND created_at', `day timestamptz ${identity}.hired`],
    ['SELECT 1 FROM accounts WHERE email LIKE :pattern', 'pattern text'],
    ['SELECT 1 FROM accounts WHERE lower(email) = :email', 'email text'],
    ['SELECT 1 FROM accounts WHERE created_at::date = :day', 'day date'],
    ['SELECT 1 FROM accounts WHERE created_at > :day::date', `day date ${identity}.created_at`],
    ['SELECT 1 FROM accounts WHERE coalesce(department, email) = :d', `d text ${identity}.department`],
    ['SELECT 1 FROM accounts WHERE department IS NOT DISTINCT FROM :d', `d text ${identity}.department`],
    [
      'SELECT 1 FROM accounts WHERE (department, logins) = (:d, :n)',
      `d text ${identity}.department`,
      `n integer ${identity}.logins`,
    ],
    ['SELECT 1 FROM accounts WHERE :d IS NULL OR department = :d', `d text ${identity}.department`],
    ['SELECT 1 FROM accounts GROUP BY email HAVING count(*) > :n', 'n bigint'],
    ['SELECT 1 FROM accounts HAVING max(created_at) < :before', `before timestamptz ${identity}.created_at`],
    ['SELECT 1 FROM accounts ORDER BY id LIMIT :n OFFSET :m', 'n bigint', 'm bigint'],
    ['SELECT 1 FROM accounts WHERE :all OR id IS NULL', 'all boolean'],
    ['SELECT now() - make_interval(days => :days)', 'days integer'],
    ["SELECT now() - :n * interval '1 day'", 'n float8'],
    ['SELECT current_date - :x', 'x ?'],
    ['SELECT 1 WHERE current_date > :day', 'day date'],
    ["SELECT split_part(email, '@', :part) FROM accounts", 'part integer'],
    ["SELECT left(email, :size), repeat('a', :times) FROM accounts", 'size integer', 'times integer'],
    ['SELECT CASE WHEN :all THEN logins ELSE :other END FROM accounts', 'all boolean', `other integer`],
    [
      "SELECT 1 FROM accounts WHERE starts_with(email, :start) AND regexp_like(email, :re, 'i')",
      'start text',
      're text',
    ],
    ['SELECT :a', 'a ?'],
    [
      'WITH recent AS (SELECT id, created_at AS made FROM accounts) SELECT 1 FROM recent r WHERE r.made > :since',
      `since timestamptz ${identity}.created_at`,
    ],
    ['SELECT 1 FROM (SELECT * FROM accounts) x WHERE x.logins > :n', `n integer ${identity}.logins`],
    [
      'WITH a(x, y) AS (SELECT id, hired FROM accounts) SELECT 1 FROM a WHERE y = :day',
      `day date ${identity}.hired`,
    ],
    [
      'SELECT 1 FROM groups g WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = g.owner_id AND g.name = :name)',
      'name text platform_identity.groups.name',
    ],
    [
      'SELECT 1 FROM accounts a JOIN platform_governance.reviews r ON r.account_id = a.id AND r.decided_at < :d',
      'd timestamptz platform_governance.reviews.decided_at',
    ],
    [
      '-- @model platform_governance\nSELECT 1 FROM reviews WHERE decided_at < :d',
      'd timestamptz platform_governance.reviews.decided_at',
    ],
    ['SELECT 1 FROM unread u WHERE u.x = :x', 'x ? platform_identity.unread.x'],
    ['SELECT 1 FROM unread JOIN accounts ON true WHERE x = :x', 'x ?'],
    [
      "SELECT ':no', $$ :no $$ FROM accounts WHERE 'ü€😀' <> email AND logins = :n -- :no",
      `n integer ${identity}.logins`,
    ],
    ['SELECT 1; SELECT 1 FROM accounts WHERE logins = :n', `n integer ${identity}.logins`],
    ['SELECT FROM WHERE :a', 'a ?'],
  ];
  for (const [sql, ...expected] of cases) {
    it(sql, async () => assert.deepEqual(await parametersIn(sql), expected));
  }

  it('is unknown without a catalogue, but its column is known', async () => {
    assert.deepEqual(await parametersIn('SELECT 1 FROM accounts a WHERE a.created_at > :since', unknown), [
      `since ? ${identity}.created_at`,
    ]);
  });
});

/** Returns the tables as `model.table: columns`, with `*` for all columns. */
async function tablesIn(sql: string, state = known, model?: string): Promise<readonly string[]> {
  const result = await findReferences({ analyser, state }, { sql, ...(model && { model }) }, never);
  return (result?.statements ?? []).flatMap(({ tables, isComplete }) => [
    ...tables.map(
      ({ model: owner, table, columns: names, usesAllColumns }) =>
        `${owner}.${table}: ${[...names, ...(usesAllColumns ? ['*'] : [])].join(' ')}`,
    ),
    ...(isComplete ? [] : ['by words']),
  ]);
}

describe('references', () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['SELECT email FROM accounts', `${identity}: email`],
    ['SELECT a.email, a.email FROM accounts a WHERE a.gone = 1', `${identity}: email gone`],
    ['SELECT count(*) FROM accounts', `${identity}: `],
    ['SELECT * FROM groups', 'platform_identity.groups: id name owner_id *'],
    [
      'SELECT g.*, email FROM groups g JOIN accounts a ON a.id = g.owner_id',
      'platform_identity.groups: owner_id id name *',
      `${identity}: id email`,
    ],
    ['SELECT 1 FROM groups JOIN accounts USING (id)', 'platform_identity.groups: id', `${identity}: id`],
    [
      'WITH accounts AS (SELECT name FROM groups) SELECT name FROM accounts',
      'platform_identity.groups: name',
    ],
    [
      'SELECT (SELECT max(decided_at) FROM platform_governance.reviews r WHERE r.account_id = a.id) FROM accounts a',
      `${identity}: id`,
      'platform_governance.reviews: decided_at account_id',
    ],
    [
      'SELECT email AS e FROM accounts UNION SELECT name FROM groups ORDER BY e',
      `${identity}: email`,
      'platform_identity.groups: name',
    ],
    [
      'WITH RECURSIVE t AS (SELECT id, owner_id FROM groups UNION ALL SELECT g.id, g.owner_id FROM groups g JOIN t ON t.owner_id = g.id) SELECT id FROM t',
      'platform_identity.groups: id owner_id',
    ],
    ['SELECT x FROM unread', 'platform_identity.unread: x'],
    ['SELECT x, email FROM unread, accounts', 'platform_identity.unread: ', `${identity}: email`],
    ['SELECT y FROM accounts AS a(x, y)', `${identity}: email`],
    [
      'SELECT email FROM accounts; SELECT name FROM groups',
      `${identity}: email`,
      'platform_identity.groups: name',
    ],
    ['SELECT email FRM accounts', 'by words'],
    [
      'SELECT email, FROM accounts a JOIN platform_governance.reviews',
      `${identity}: `,
      'platform_governance.reviews: ',
      'by words',
    ],
    [''],
    [
      'SELECT j.email FROM (accounts a JOIN groups g ON a.id = g.owner_id) AS j',
      `${identity}: id email`,
      'platform_identity.groups: owner_id',
    ],
    [
      'SELECT u.id FROM accounts JOIN groups USING (id) AS u',
      `${identity}: id`,
      'platform_identity.groups: id',
    ],
    ['SELECT platform_identity.accounts.email FROM accounts', `${identity}: email`],
    [
      'WITH RECURSIVE a AS (SELECT id FROM accounts UNION SELECT a.id FROM a JOIN b ON true), b AS (SELECT 1 AS x) SELECT 1 FROM a',
      `${identity}: id`,
    ],
    [
      'WITH RECURSIVE r AS (SELECT id, email FROM accounts UNION SELECT g.owner_id, r.email FROM groups g JOIN r ON r.id = g.id) SELECT 1 FROM r',
      `${identity}: id email`,
      'platform_identity.groups: id owner_id',
    ],
  ];
  for (const [sql, ...expected] of cases) {
    it(sql === '' ? 'nothing' : sql, async () => assert.deepEqual(await tablesIn(sql), expected));
  }

  it("use the model in the text, or else the document's", async () => {
    assert.deepEqual(await tablesIn('SELECT id FROM reviews', known, 'platform_governance'), [
      'platform_governance.reviews: id',
    ]);
    assert.deepEqual(
      await tablesIn('-- @model platform_identity\nSELECT id FROM groups', known, 'platform_governance'),
      ['platform_identity.groups: id'],
    );
  });

  it('are found in the tokens in other dialects', async () => {
    const state: ServerState = { ...known, dialect: 'mysql' };
    assert.deepEqual(await tablesIn('SELECT email FROM accounts', state), [`${identity}: `, 'by words']);
  });
});

describe('checking a text without opening it', () => {
  it('reports the same as the editor, as a saved query or as a file', async () => {
    const sql = 'SELECT nope FROM accounts;\nSELECT 1';
    const codes = async (isSavedQuery?: boolean): Promise<readonly unknown[]> => {
      const params = { sql, ...(isSavedQuery === undefined ? {} : { isSavedQuery }) };
      const result = await checkText({ analyser, state: known }, params, never);
      return (result?.diagnostics ?? []).map(({ code, range }) => [code, range.start.line]);
    };
    assert.deepEqual(await codes(), [
      ['UNKNOWN_COLUMN', 0],
      ['MULTIPLE_STATEMENTS', 1],
    ]);
    assert.deepEqual(await codes(false), [['UNKNOWN_COLUMN', 0]]);
  });

  it('uses its own model', async () => {
    const params = { sql: 'SELECT id FROM reviews', model: 'platform_governance' };
    assert.deepEqual((await checkText({ analyser, state: known }, params, never))?.diagnostics, []);
    const other = await checkText({ analyser, state: known }, { sql: params.sql }, never);
    assert.deepEqual(
      other?.diagnostics.map(({ code }) => code),
      ['UNKNOWN_TABLE'],
    );
  });

  it('resolves names in the models of the connection', async () => {
    const state = withCatalogue('production');
    const codes = async (connection: string): Promise<readonly unknown[]> => {
      const result = await checkText(
        { analyser, state },
        { sql: 'SELECT nope FROM accounts', connection },
        never,
      );
      return (result?.diagnostics ?? []).map(({ code }) => code);
    };
    assert.deepEqual(await codes('production'), ['UNKNOWN_COLUMN']);
    assert.deepEqual(await codes('test'), []);
  });

  it('returns nothing if it is cancelled', async () => {
    assert.equal(await checkText({ analyser, state: known }, { sql: 'SELECT 77' }, () => true), null);
  });
});
