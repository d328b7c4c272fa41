/** Invisible characters: findings, fixes and hover text. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from '#server/handlers/code-actions.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { checkHiddenCharacters } from '#server/language/checks/hidden-characters.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import { hoverAt } from '#server/language/editing/hover.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { createState } from '#server/state.ts';

const parser = new WorkerParser({ timeLimitsMs: [20_000, 20_000] });
const dialectParser = new WorkerDialectParser({ timeLimitMs: 20_000 });
const analyser = new Analyser(parser, new DialectAnalyser(dialectParser));
after(() => Promise.all([parser.dispose(), dialectParser.dispose()]));

const found = (text: string): readonly (string | undefined)[] =>
  checkHiddenCharacters(lex(text)).map(({ message }) => /U\+[0-9A-F]+/.exec(message)?.[0]);

describe('hidden characters', () => {
  const reported: readonly (readonly [string, readonly string[]])[] = [
    ["SELECT 'a\u202Eb'", ['U+202E']],
    ['SELECT 1 -- \u2066x\u2069', ['U+2066', 'U+2069']],
    ['SELECT 1 /* \u202A */', ['U+202A']],
    ["SELECT 'pass\u200Bword'", ['U+200B']],
    ["SELECT 'ad\u200Dmin', 'ad\u200Cmin'", ['U+200D', 'U+200C']],
    ['SELECT "می\u200Cخواهم"', ['U+200C']],
    ['SELECT a\u2060b', ['U+2060']],
    ["SELECT 'a\u200Eb\u200F'", ['U+200E', 'U+200F']],
    ["SELECT 'a\u{E0041}'", ['U+E0041']],
    ["SELECT '\u{1F3F4}\u{E0067}'", ['U+E0067']],
    ["SELECT $$a\uFEFFb$$, E'\u2063'", ['U+FEFF', 'U+2063']],
  ];
  for (const [text, points] of reported) {
    it(`are reported: ${JSON.stringify(text)}`, () => assert.deepEqual(found(text), points));
  }

  const needed = [
    "SELECT 'می\u200Cخواهم' -- نمی\u200Cدانم",
    "SELECT 'क्\u200Dष', 'ශ්\u200Dරී', 'ക്\u200D'",
    "SELECT '👩\u200D💻 👩🏽\u200D🚀 ❤️\u200D🔥 🏳️\u200D🌈'",
    "SELECT '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'",
    "SELECT 'שלום\u200F!', 'C++\u200Eعربي'",
    '\uFEFFSELECT 1',
    "SELECT 'café', '日本語', 'naïve', 'e\u0301', '\u00A0'",
  ];
  for (const text of needed) {
    it(`are left alone if a script or an emoji needs them: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), []));
  }

  it('are named in hovers, in code, strings and comments', () => {
    const text = "SELECT 'a\u202Eb', x\u200By -- \u{E0041}";
    const titleAt = (part: string): string | undefined =>
      hoverAt(lex(text), text.indexOf(part), { model: 'm' })?.title;
    assert.equal(titleAt('\u202E'), '(invisible character) U+202E right-to-left override');
    assert.equal(titleAt('\u200B'), '(invisible character) U+200B zero-width space');
    assert.equal(titleAt('\u{E0041}'), '(invisible character) U+E0041 tag');
    assert.equal(titleAt('SELECT'), undefined);
  });

  const applied = async (text: string): Promise<readonly string[]> => {
    const document = TextDocument.create('file:///a.identity.sql', 'identity-sql', 1, text);
    const at = document.positionAt(text.search(/[\u202E\u200B]|\u{E0041}/u));
    const deps = { analyser, state: createState(), canReport: false };
    const actions = await codeActions(deps, document, { start: at, end: at }, ['quickfix'], () => false);
    return (actions ?? [])
      .filter(({ title }) => /^Remove U|escapes$/.test(title))
      .map(({ edit }) => TextDocument.applyEdits(document, edit?.changes?.[document.uri] ?? []));
  };

  it('are removed, or written as escapes in a string', async () => {
    assert.deepEqual(await applied("SELECT 'a\u202Eb\\c''d'"), [
      "SELECT 'ab\\c''d'",
      String.raw`SELECT U&'a\202Eb\\c''d'`,
    ]);
    assert.deepEqual(await applied("SELECT E'\\n\u{E0041}\u202E'"), [
      "SELECT E'\\n\u202E'",
      String.raw`SELECT E'\n\U000E0041\u202E'`,
    ]);
    assert.deepEqual(await applied('SELECT 1 -- a\u202Eb'), ['SELECT 1 -- ab']);
    assert.deepEqual(await applied('SELECT "a\u200Bb" FROM t'), ['SELECT "ab" FROM t']);
    assert.deepEqual(await applied('SELECT 1 <\u200B= 2'), ['SELECT 1 <= 2']);
  });

  it('are told once in the query of a population', async () => {
    const control = '-- @control A-1 Names\n-- @population SELECT count(*) FROM a\u200Bb\nSELECT 1';
    const analysis = await analyser.analyse(control, { isSavedQuery: true });
    assert.deepEqual(
      analysis?.findings.map(({ code }) => code),
      ['HIDDEN_CHARACTER'],
    );
  });

  it('have the same meaning in PostgreSQL as an escape', async () => {
    const escaped = await applied("SELECT 'a\u202E\u{E0041}b'");
    const analysis = await analyser.analyse(escaped.at(-1) ?? '', { isSavedQuery: true });
    assert.equal(escaped.at(-1), String.raw`SELECT U&'a\202E\+0E0041b'`);
    assert.equal(analysis?.statements[0]?.verdict, 'read-only');
    assert.deepEqual(analysis.findings, []);
  });

  it('are reported in other dialects, without the escapes of PostgreSQL', async () => {
    const options = { isSavedQuery: true, dialect: 'mysql' } as const;
    const analysis = await analyser.analyse("SELECT 'a\u202Eb'", options);
    assert.deepEqual(
      analysis?.findings.map(({ code, fix }) => [code, fix?.title]),
      [['HIDDEN_CHARACTER', 'Remove U+202E']],
    );
  });
});
