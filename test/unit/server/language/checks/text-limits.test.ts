/** No text blocks the server: text over a limit gets a finding that names the limit, and other requests proceed. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from '#server/handlers/code-actions.ts';
import { completeAt } from '#server/handlers/completion.ts';
import { format } from '#server/handlers/format.ts';
import { hover } from '#server/handlers/hover.ts';
import { findStatements } from '#server/handlers/statements.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { textLimits } from '#server/language/checks/text-limits.ts';
import { inlayNotes } from '#server/language/editing/inlay-hints.ts';
import { semanticTokens } from '#server/language/editing/semantic-tokens.ts';
import { structureOf } from '#server/language/editing/structure.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { createState, readableAs } from '#server/state.ts';

const parser = new WorkerParser({ timeLimitsMs: [20_000, 20_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

const columns = Array.from({ length: 300 }, (_, index) => ({ name: `c${index}`, type: 'text' }));
const catalogue = { models: [{ name: 'platform_identity', tables: [{ name: 't', columns }] }] };
const context = { catalogue, model: 'platform_identity' };
const state = createState();
state.catalogues.set('', catalogue);
const documentOf = (text: string) => TextDocument.create('file:///a.identity.sql', 'identity-sql', 1, text);
const never = (): boolean => false;

async function notesOf(text: string): Promise<readonly string[]> {
  const analysis = await analyser.analyse(text, { isSavedQuery: false, catalogue });
  return (analysis?.findings ?? []).flatMap(({ code, message }) =>
    code === 'NOT_FULLY_CHECKED' ? message : [],
  );
}

/** Creates common table expressions that each read the previous one twice. */
const doubling = (count: number): string =>
  `WITH d0 AS (SELECT 1 a, 2 b)${Array.from({ length: count }, (_, index) => `, d${index + 1} AS (SELECT x.*, y.* FROM d${index} x, d${index} y)`).join('')}\nSELECT * FROM d${count}`;

describe('exponentially growing columns', () => {
  const text = doubling(60);
  const lexed = lex(text);

  it('are expanded up to a limit, which a finding names', async () => {
    assert.deepEqual(await notesOf(doubling(8)), []);
    assert.match((await notesOf(text)).join(), /more than 10,000 columns/);
  });

  it('are not counted twice by the editing features', () => {
    assert.equal(structureOf(lexed).length, 1);
    assert.ok(semanticTokens(lexed, context).length > 0);
  });
});

it('more columns than the limit are not written into a hover, an inlay hint, a completion or an action', async () => {
  const text = `WITH w AS (SELECT ${'t.*, '.repeat(50)}1 AS last FROM t), n AS (SELECT * FROM t)\nSELECT * FROM w, n`;
  const document = documentOf(text);
  const shown = JSON.stringify(hover(state, document, document.positionAt(text.length - 4)));
  assert.match(shown, /common table\) w\(more than 10,000 columns\)/);
  const narrow = JSON.stringify(hover(state, document, document.positionAt(text.length - 1)));
  assert.match(narrow, /common table\) n\(c0, .*c199, \.\.\.\)/);
  const settings = { parameterTypes: true, columnCount: true };
  const to = text.length;
  const notes = inlayNotes(lex(text), context, { settings, from: 0, to, inferType: () => undefined });
  assert.equal(notes.length, 51, 'each star but the last');
  const asked = documentOf(`${text} WHERE `);
  const { items } = completeAt(state, asked, asked.positionAt(to + 7));
  assert.ok(items.some(({ label }) => label === 'c299'));
  assert.ok(items.length < 10_000);
  const star = document.positionAt(text.lastIndexOf('*'));
  const deps = { analyser, state, canReport: false };
  const actions = await codeActions(deps, document, { start: star, end: star }, undefined, never);
  assert.equal(
    actions?.some(({ title }) => title.startsWith('Write out')),
    false,
  );
});

it('thousands of findings are neither all fixed nor all proven in one answer', async () => {
  let proofs = 0;
  class Counting extends Analyser {
    override async isValidAfter(...all: Parameters<Analyser['isValidAfter']>): Promise<boolean> {
      proofs += 1;
      return await super.isValidAfter(...all);
    }
  }
  const counting = new Counting(parser);
  const deps = { analyser: counting, state: createState(), canReport: true };
  const offered = async (text: string): Promise<number> => {
    const document = documentOf(text);
    const range = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
    return (await codeActions(deps, document, range, undefined, never))?.length ?? 0;
  };
  const unused = (count: number): string =>
    `WITH ${Array.from({ length: count }, (_, at) => `c${at} AS (SELECT ${at} AS x)`).join(', ')} SELECT 1`;
  assert.ok((await offered(unused(5))) >= 10);
  const most = await offered(unused(800));
  assert.ok(most > 0 && most < 300, String(most));
  const calls = (count: number): string => `SELECT ${Array(count).fill("ifnull(a, 'x')").join(', ')} FROM t`;
  assert.ok((await offered(calls(5))) >= 10);
  const few = proofs;
  assert.ok(few > 0);
  await offered(calls(600));
  assert.ok(proofs - few <= 22, String(proofs - few));
});

it('nested recursive common table expressions are not read twice at every level', async () => {
  const nested = (depth: number): string =>
    depth === 0
      ? 'SELECT 1 AS a'
      : `SELECT * FROM (WITH RECURSIVE r AS (${nested(depth - 1)} UNION SELECT a FROM r) SELECT a FROM r) s`;
  assert.deepEqual(await notesOf(nested(40)), []);
  const typed = await analyser.analyse(nested(25), { isSavedQuery: false, catalogue });
  // Types are missing if there is no response within the time limit.
  assert.deepEqual(
    typed?.statements[0]?.types?.columns?.map(({ name }) => name),
    ['a'],
  );
  const wrong = nested(40).replace('SELECT 1 AS a', 'SELECT 1 AS b');
  const analysis = await analyser.analyse(wrong, { isSavedQuery: false, catalogue });
  assert.ok(analysis?.findings.some(({ code }) => code === 'UNKNOWN_COLUMN'));
});

it('names are not looked up completely if there are many names and many relations', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `z${index}, `).join('');
  const text = `SELECT ${names}1 FROM t${', t'.repeat(2_000)}`;
  assert.match((await notesOf(text)).join(), /too many names/);
  semanticTokens(lex(text), context);
  const asked = documentOf(`${text} WHERE `);
  assert.ok(completeAt(state, asked, asked.positionAt(text.length + 7)).items.length < 20_000);
});

describe('a text over a limit', () => {
  const texts: readonly (readonly [string, string, RegExp])[] = [
    ['characters', `SELECT '${'x'.repeat(textLimits.characters)}'`, /longer than 2,000,000 characters/],
    ['statements', 'SELECT 1;\n'.repeat(textLimits.statements + 1), /more than 10,000 statements/],
    ['nesting', 'SELECT ('.repeat(5_000), /nested more than 1,000 levels deep/],
  ];
  for (const [what, text, message] of texts) {
    it(`gets a finding that names the limit, and no response from an editing feature: ${what}`, async () => {
      assert.match((await notesOf(text)).join(), message);
      const document = documentOf(text);
      const end = document.positionAt(text.length);
      assert.equal(readableAs(state, document), undefined);
      assert.equal(hover(state, document, end), null);
      assert.deepEqual(completeAt(state, document, end).items, []);
      const told: string[] = [];
      const edits = format({ tell: (each) => told.push(each), state }, document, {
        tabSize: 2,
        insertSpaces: true,
      });
      assert.deepEqual(edits, []);
      assert.match(told.join(), message);
      const range = { start: end, end };
      assert.deepEqual(
        await codeActions({ analyser, state, canReport: false }, document, range, undefined, never),
        [],
      );
    });
  }

  it('is checked statement by statement if Run needs one past the limit', async () => {
    const text = `${'SELECT 1;\n'.repeat(textLimits.statements)}SELECT 2`;
    const document = documentOf(text);
    const all = await findStatements({ analyser, state }, document, { textDocument: document }, never);
    assert.equal(all?.statements.at(-1)?.verdict, 'unverified');
    assert.equal(all.statements[0]?.verdict, 'read-only');
    const end = document.positionAt(text.length);
    const wanted = { textDocument: document, range: { start: end, end } };
    const one = await findStatements({ analyser, state }, document, wanted, never);
    assert.deepEqual(
      one?.statements.map(({ verdict, text: own, range }) => [verdict, own, range.start.line]),
      [['read-only', 'SELECT 2', textLimits.statements]],
    );
  });

  it('is not reported just below the limit', () => {
    const text = `SELECT ${'('.repeat(textLimits.nesting)}1${')'.repeat(textLimits.nesting)}`;
    assert.notEqual(readableAs(state, documentOf(text)), undefined);
  });
});
