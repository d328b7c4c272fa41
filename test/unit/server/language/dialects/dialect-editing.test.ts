/** Editing in dialects other than PostgreSQL: their quotes are understood, and added to names that need them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from '#server/handlers/code-actions.ts';
import { completeAt } from '#server/handlers/completion.ts';
import { format } from '#server/handlers/format.ts';
import { hover } from '#server/handlers/hover.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import type { Dialect } from '#server/language/text/dialects.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { createState, type ServerState } from '#server/state.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const dialectParser = new WorkerDialectParser({ timeLimitMs: 10_000 });
const analyser = new Analyser(parser, new DialectAnalyser(dialectParser));
after(() => Promise.all([parser.dispose(), dialectParser.dispose()]));

const names = ['id', 'Full Name', 'order', 'userName'];
const catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [{ name: 'my accounts', columns: names.map((name) => ({ name, type: 'text' })) }],
    },
  ],
};
const stateOf = (dialect: Dialect | undefined): ServerState => ({
  ...createState(),
  catalogues: new Map([['', catalogue]]),
  dialect,
});
const documentOf = (text: string): TextDocument =>
  TextDocument.create('file:///a.identity.sql', 'identity-sql', 1, text);

/** The expected expansions and completions, in the dialect's quoting. */
const quoting: readonly (readonly [Dialect | undefined, string, ...string[]])[] = [
  [undefined, '"my accounts"', 'id', '"Full Name"', '"order"', '"userName"'],
  ['mysql', '`my accounts`', 'id', '`Full Name`', '`order`', 'userName'],
  ['bigquery', '`my accounts`', 'id', '`Full Name`', '`order`', 'userName'],
  ['transactsql', '[my accounts]', 'id', '[Full Name]', '[order]', 'userName'],
  ['snowflake', '"my accounts"', 'id', '"Full Name"', '"order"', 'userName'],
];

describe('names in other dialects', () => {
  for (const [dialect, table, ...columns] of quoting) {
    it(`are completed, expanded and found in ${dialect ?? 'PostgreSQL'}`, async () => {
      const state = stateOf(dialect);
      const text = `SELECT a. FROM ${table} a`;
      const document = documentOf(text);
      const at = (offset: number) => document.positionAt(offset);
      const { items } = completeAt(state, document, at('SELECT a.'.length));
      assert.deepEqual(
        items.map(({ textEdit }) => textEdit?.newText),
        columns,
      );
      const tables = completeAt(state, documentOf('SELECT 1 FROM '), at('SELECT 1 FROM '.length));
      assert.ok(
        tables.items.some(({ textEdit }) => textEdit?.newText === table),
        JSON.stringify(tables.items),
      );
      const star = documentOf(`SELECT * FROM ${table}`);
      const place = star.positionAt('SELECT '.length);
      const actions = await codeActions(
        { analyser, state, canReport: false },
        star,
        { start: place, end: place },
        undefined,
        () => false,
      );
      const [edit] = actions?.find(({ title }) => title.includes('*'))?.edit?.changes?.[star.uri] ?? [];
      assert.equal(edit?.newText, columns.join(', '));
      const found = hover(state, star, star.positionAt(star.getText().length - 3));
      assert.match(JSON.stringify(found?.contents), /my accounts/);
    });
  }
});

describe('formatting in other dialects', () => {
  const cases: readonly (readonly [Dialect, string, string])[] = [
    [
      'mysql',
      'select `a b`, "x" from `t` where c = :p # why',
      'select\n  `a b`,\n  "x"\nfrom\n  `t`\nwhere\n  c = :p # why',
    ],
    ['transactsql', 'select [a b] from [t]', 'select\n  [a b]\nfrom\n  [t]'],
    ['bigquery', 'select `a.b`.c from `d` limit 1', 'select\n  `a.b`.c\nfrom\n  `d`\nlimit\n  1'],
  ];
  for (const [dialect, text, expected] of cases) {
    it(`${dialect}: ${text}`, () => {
      const told: string[] = [];
      const deps = {
        state: { ...createState(), dialect },
        tell: (message: string) => void told.push(message),
      };
      const edits = format(deps, documentOf(text), { tabSize: 2, insertSpaces: true });
      assert.deepEqual(told, []);
      assert.deepEqual(
        edits.map(({ newText }) => newText),
        [expected],
      );
    });
  }
});
