/** The types that the bundled server shows, requested the way an editor would. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Hover, MarkupContent, SignatureHelp } from 'vscode-languageserver-protocol';
import type { CatalogueParams, StatementsResult } from '#server/protocol.ts';
import { startLanguageClient, type LanguageClient } from './language-client.ts';

const column = (name: string, type: string) => ({ name, type });
const catalogue: CatalogueParams = {
  connection: '',
  models: [
    {
      name: 'platform_identity',
      tables: [
        {
          name: 'accounts',
          columns: [
            { ...column('id', 'integer'), nullable: false },
            column('alias', 'text'),
            column('created', 'timestamp with time zone'),
            column('amount', 'numeric(10,2)'),
            { ...column('kind', 'account_kind'), values: ['person', 'service'] },
            column('mail', 'mail_domain'),
          ],
        },
        { name: 'roles', columns: [column('title', 'text')] },
        {
          name: 'grants',
          description: 'Who has which role',
          columns: [
            {
              ...column('account_id', 'integer'),
              refersTo: [{ table: 'accounts', column: 'id', rank: 0 }],
            },
          ],
        },
      ],
    },
    { name: 'other', tables: [{ name: 'accounts', columns: [column('level', 'smallint')] }] },
  ],
};

describe('types over standard streams', () => {
  let client: LanguageClient;
  let count = 0;
  before(async () => {
    client = await startLanguageClient();
    await client.connection.sendNotification('identityQueries/catalogue', catalogue);
  });
  after(async () => assert.equal(await client.stop(), 0));

  async function ask<T>(method: string, marked: string): Promise<T> {
    const textDocument = { uri: `file:///${count++}.identity.sql` };
    await client.open(textDocument.uri, marked.replace('|', ''));
    return client.connection.sendRequest<T>(method, {
      textDocument,
      position: { line: 0, character: marked.indexOf('|') },
    });
  }
  async function hover(marked: string): Promise<string | undefined> {
    const found = await ask<Hover | null>('textDocument/hover', marked);
    const value = found === null ? undefined : (found.contents as MarkupContent).value; // the server's response
    return value?.replaceAll(/^```.*\n?/gm, '').trim();
  }

  const coalesce = '(function) coalesce(VARIADIC anycompatible) → anycompatible';
  const greatest = coalesce.replace('coalesce', 'greatest');
  const expressions: readonly (readonly [string, string])[] = [
    ['SELECT sum|(amount) FROM accounts', '(expression) numeric'],
    ['SELECT count(|*) FROM accounts', '(expression) bigint'],
    ['SELECT CA|SE WHEN id > 1 THEN amount ELSE 0 END FROM accounts', '(expression) numeric'],
    ['SELECT (SEL|ECT max(title) FROM roles)', '(expression) text'],
    ['SELECT ARR|AY[1, 2]', '(expression) integer[]'],
    ['SELECT ROW|(1, 2)', '(expression) record'],
    ['SELECT coal|esce(alias, mail) FROM accounts', coalesce],
    ['SELECT coal|esce(alias, :p) FROM accounts', coalesce],
    ['SELECT coal|esce(amount, id) FROM accounts', `${coalesce}\n(expression) numeric`],
    ['SELECT gre|atest(id, amount) FROM accounts', `${greatest}\n(expression) numeric`],
    ['SELECT curren|t_date', '(expression) date'],
    ['SELECT alias I|S NULL FROM accounts', '(expression) boolean'],
    ['SELECT n.|v FROM (SELECT amount * 2 AS v FROM accounts) n', '(column) v: numeric'],
    ['WITH w AS (SELECT count(*) AS c FROM accounts) SELECT |c FROM w', '(column) c: bigint'],
    ['WITH w AS (SELECT id FROM accounts) SELECT |x.id FROM w x', '(alias) x: w(id)'],
    ['SELECT |a.alias FROM accounts a', '(alias) a: platform_identity.accounts'],
    ['SELECT |n FROM generate_series(1, 2) n', '(expression) integer'],
    ['SELECT :|p + id FROM accounts', '(parameter) p: integer'],
    ['SELECT lower(:|p)', '(parameter) p: text'],
    ['SELECT 1 FROM accounts WHERE id IN (:|p)', '(parameter) p: integer[]'],
    ['SELECT 1 FROM accounts WHERE id = :|p OR alias = :p', '(parameter) p: type not declared'],
  ];
  for (const [marked, expected] of expressions) {
    it(`of an expression: ${marked}`, async () => {
      const shown = (await hover(marked)) ?? '';
      assert.equal(shown.split('\n\n')[0], expected);
    });
  }

  it('of a call are shown with its signature', async () => {
    assert.match(
      (await hover('SELECT arr|ay_agg(alias) FROM accounts')) ?? '',
      /^\(function\) array_agg\(anyarray\) → anyarray\n\(function\) array_agg\(anynonarray\) → anyarray\n\(expression\) text\[\]\n/,
    );
    assert.match(
      (await hover('SELECT l|ag(created) OVER (ORDER BY id) FROM accounts')) ?? '',
      /\n\(expression\) timestamp with time zone\n/,
    );
  });

  it('of * are those of its columns, in any SELECT', async () => {
    const columns =
      '6 columns\nid integer not null\nalias text\ncreated timestamp with time zone\namount numeric\nkind account_kind\nmail unknown';
    assert.equal(await hover('SELECT |* FROM accounts'), columns);
    assert.equal(await hover('SELECT 1, a.|* FROM accounts a, roles'), columns);
    assert.equal(await hover('SELECT 1 FROM (SELECT |* FROM roles) r'), '1 column\ntitle text');
    assert.equal(await hover('SELECT |* FROM nothing'), undefined);
    assert.equal(
      await hover('SELE|CT r.*, 1 AS n FROM roles r'),
      '(result) 2 columns\ntitle text\nn integer not null',
    );
  });

  it('of a table are followed by its columns and its relations', async () => {
    assert.equal(
      await hover('SELECT 1 FROM |grants'),
      '(table) platform_identity.grants\n\nWho has which role\n\nColumns\\: account\\_id integer\\.\n\nRelations\\: account\\_id → accounts\\.id\\.',
    );
    assert.equal(
      await hover('SELECT |a.id FROM accounts a'),
      '(alias) a: platform_identity.accounts\n\nColumns\\: id integer\\, alias text\\, created timestamp with time zone\\, amount numeric\\(10\\,2\\)\\, kind account\\_kind\\, mail mail\\_domain\\.\n\nReferred to by grants\\.account\\_id\\.',
    );
  });

  const overloads: readonly (readonly [string, string, number])[] = [
    ['SELECT max(alias|) FROM accounts', 'max(text) → text', 0],
    ['SELECT to_char(created, |) FROM accounts', 'to_char(timestamp with time zone, text) → text', 1],
    [
      'SELECT age(created, |) FROM accounts',
      'age(timestamp with time zone, timestamp with time zone) → interval',
      1,
    ],
    ['SELECT round(amount, |) FROM accounts', 'round(numeric, integer) → numeric', 1],
    ['SELECT sum(amount * 2|) FROM accounts', 'sum(numeric) → numeric', 0],
    ['SELECT length(lower(alias)|) FROM accounts', 'length(text) → integer', 0],
  ];
  for (const [marked, label, argument] of overloads) {
    it(`mark the overload: ${marked}`, async () => {
      const help = await ask<SignatureHelp>('textDocument/signatureHelp', marked);
      assert.equal(help.signatures[help.activeSignature ?? -1]?.label, label);
      assert.equal(help.activeParameter, argument);
    });
  }

  const parameters: readonly (readonly [string, string | undefined])[] = [
    ['SELECT date_trunc(:p, created) FROM accounts', 'text'],
    ['SELECT string_agg(alias, :p) FROM accounts', 'text'],
    ['SELECT 1 FROM accounts WHERE id = :p AND amount < :p', 'numeric'],
    ['SELECT round(amount, :p) FROM accounts LIMIT :p', 'bigint'],
    ['SELECT 1 FROM accounts WHERE created > :p AND id = :p', undefined],
    ['SELECT length(:p), :p + id FROM accounts', undefined],
    ['SELECT :p::date, alias = :p FROM accounts', 'date'],
    ['SELECT :p::date, :p::integer', undefined],
    ['SELECT now() - :p', undefined],
    ['SELECT max(:p), min(alias) FROM accounts', 'text'],
  ];
  for (const [text, expected] of parameters) {
    it(`of a parameter fit all of its uses: ${text}`, async () => {
      const found = await ask<StatementsResult>('identityQueries/statements', text);
      assert.equal(found.statements[0]?.parameters[0]?.type, expected);
    });
  }

  it('of a part of a text are those of the model that the text names', async () => {
    const text = '-- @model other\nSELECT level FROM accounts';
    const textDocument = { uri: 'file:///part.identity.sql' };
    await client.open(textDocument.uri, text);
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 26 } };
    const request = { textDocument, range };
    const found = await client.connection.sendRequest<StatementsResult>(
      'identityQueries/statements',
      request,
    );
    assert.deepEqual(found.statements[0]?.columns, [{ name: 'level', type: 'smallint' }]);
    assert.deepEqual(found.statements[0].errors, []);
  });
});
