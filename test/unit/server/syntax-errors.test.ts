/** Where a syntax error is shown and what it advises. The marked range is the finding's. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '../../../server/src/language/analyser.ts';
import { WorkerParser } from '../../../server/src/parser/worker-parser.ts';
import { readMarks } from './marked-text.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

/** Marked text, and a part of the message. */
const cases: readonly (readonly [string, string])[] = [
  ['«SELEC» * FROM accounts', 'Did you mean SELECT'],
  ['SELECT * «FORM» accounts', 'Syntax error at or near "FORM". Did you mean FROM instead of FORM?'],
  ['SELECT * FROM accounts wher «x» = 1', 'Did you mean WHERE instead of wher?'],
  ['SELECT * FROM accounts GROPU «BY» x', 'Did you mean GROUP'],
  ['SELECT * FROM accounts ODER «BY» x', 'Did you mean ORDER'],
  ['SELECT * FROM «where» x = 1', 'Syntax error at or near "where".'],
  ['SELECT * FROM a «WHERE»', 'Syntax error at end of input.'],
  ['SELECT * FROM a WHERE («x»', 'A closing parenthesis is missing.'],
  ['SELECT ((«1»', '2 closing parentheses are missing.'],
  ['SELECT 1«)»', 'There is no open parenthesis'],
  ['SELECT a, «FROM» b', 'Remove the comma before FROM.'],
  ['SELECT a,«,» b FROM c', 'Remove one of the two commas.'],
  ['SELECT f(a, «)»', 'Remove the comma before ).'],
  ['SELECT a«,»', 'Remove the comma at the end'],
  ['SELECT a b «c» FROM d', 'Is a comma missing before c?'],
  ["SELECT 'a' «'b'»", "Is a comma or an operator missing before 'b'?"],
  ['SELECT * FROM «order»', 'order is a reserved word. To use it as a name, write "order".'],
  ['SELECT user«.»name FROM user', 'user is a reserved word'],
  ['SELECT x FROM t WHERE «group» = 1', 'group is a reserved word'],
  ['SELECT * FROM «`»a`', 'double quotes'],
  ['SELECT «[»a] FROM b', 'square brackets'],
  ['SELECT “a” b «c»', 'straight quotes'],
  ['«SELECT\u00A0a» b c', 'U+00A0'],
  ["SELECT «'it»", "'it''s'"],
  ["SELECT «'it»\nFROM b\nWHERE c", 'Unterminated quoted string'],
  ['SELECT «"a»', 'Close the name'],
  ['SELECT «/* a»', 'Close the comment'],
  ['SELECT «$x$ a»', 'Close the string with $x$.'],
  ['SELECT «12ab»', 'cannot start with a digit'],
  ['SELECT TOP «10» * FROM a', 'LIMIT'],
  ['SELECT * FROM a «LIMIT» 10, 20', 'LIMIT count OFFSET start'],
  ['SELECT CASE WHEN a THEN 1 «FROM» b', 'A CASE needs its END.'],
  ["SELECT «:»'x'", 'without quotes'],
  ['SELECT * FROM «:table»', ':table stands for a value. It cannot name'],
  ['SELECT a AS «:name»', 'It cannot name'],
  ['SELECT a «:b»', 'Syntax error at or near ":b". :b stands for a value, and no value may come here.'],
  ['SELECT a.«:b»', 'It cannot name'],
  ['SELECT x::varchar(«:n»)', 'no value may come here'],
  ['SELECT interval «:n»', 'no value may come here'],
  ['SELECT date «:d»', 'no value may come here'],
  ['SELECT a «$1»', 'Syntax error at or near "$1".'],
  ['SELECT a COLLATE «:c»', 'It cannot name'],
  // Positions: what comes before the error has another length in UTF-8, UTF-16 and code points.
  ["SELECT '💥💥', é x «frm» y", 'frm'],
  ['SELECT :department_name_prefix,\r\n  «FROM» a', 'Remove the comma before FROM.'],
  ['SELECT 1;\nSELECT 2;\nSELECT «,»', 'Syntax error at or near ",".'],
];

describe('syntax errors', () => {
  for (const [marked, message] of cases) {
    it(JSON.stringify(marked), async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: false });
      assert.equal(analysis?.findings.length, 1);
      const [{ code, severity, start, end, message: actual }] = analysis.findings as [
        (typeof analysis.findings)[number],
      ];
      assert.equal(code, 'QUERY_PARSE_ERROR');
      assert.equal(severity, 'error');
      assert.equal(text.slice(start, end), text.slice(ranges[0]?.start, ranges[0]?.end), actual);
      assert.equal(start, ranges[0]?.start);
      assert.ok(actual.includes(message), actual);
    });
  }

  it('reports each statement by itself', async () => {
    const { text, ranges } = readMarks('«SELEC» 1; SELECT 2; SELECT * «FORM» a; «DELETE» FROM a; SELECT (');
    const analysis = await analyser.analyse(text, { isSavedQuery: false });
    assert.deepEqual(
      analysis?.findings.slice(0, 3).map(({ start, end }) => ({ start, end })),
      ranges,
    );
    assert.equal(analysis.findings.length, 4);
    assert.deepEqual(
      analysis.statements.map(({ verdict }) => verdict),
      ['syntax-error', 'read-only', 'syntax-error', 'not-read-only', 'syntax-error'],
    );
  });
});
