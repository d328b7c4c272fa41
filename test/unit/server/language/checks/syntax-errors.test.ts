/** Positions of syntax errors, and advice. Marks enclose the finding's range. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { Fix } from '#server/language/checks/finding.ts';
import { adviceFor } from '#server/language/checks/syntax/rules.ts';
import { applyEdits } from '#server/language/text/edits.ts';
import { keptApart } from '#server/language/text/kept-apart.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { splitStatements } from '#server/language/text/statements.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { readMarks } from '../marked-text.ts';
import { goldenCases } from './golden-cases.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

/** The marked text, and part of the message. */
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
  [
    "SELECT a\n«<<<<<<< mine, edited from version 2»\nFROM b WHERE x = 1\n=======\nFROM b\n>>>>>>> version 3 by O'Neill\nLIMIT 1",
    'The text still contains conflict markers (<<<<<<<). Resolve each conflict first.',
  ],
  ['«<<<<<<< HEAD»\r\nSELECT 1;\r\n=======\r\nSELECT 2;\r\n>>>>>>> main\r\n', 'conflict markers'],
  [
    'SELECT 1;\nSELECT a\n«<<<<<<< HEAD»\nFROM b\n=======\nFROM c\n>>>>>>> main\nLIMIT 1;',
    'conflict markers',
  ],
  ['SELECT a\n<<<<<<< b «FROM»', 'FROM needs a table'],
  ['SELECT a\n<<<<<<<< b\n=======\n c «FROM»', 'FROM needs a table'],
  ["SELECT '\n<<<<<<< b\n=======\n' FORM «c» d", 'Did you mean FROM'],
  ['/*\n<<<<<<< b\n=======\n*/ SELECT a «FROM»', 'FROM needs a table'],
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
  ['SELECT CASE WHEN a THEN 1 «FROM» b', 'CASE needs an END.'],
  ["SELECT «:»'x'", 'without quotes'],
  ['SELECT * FROM «:table»', ':table stands for a value. It cannot name'],
  ['SELECT a AS «:name»', 'It cannot name'],
  ['SELECT a «:b»', 'Syntax error at or near ":b". :b stands for a value, which is not allowed here.'],
  ['SELECT a.«:b»', 'It cannot name'],
  ['SELECT x::varchar(«:n»)', 'which is not allowed here'],
  ['SELECT interval «:n»', 'which is not allowed here'],
  ['SELECT date «:d»', 'which is not allowed here'],
  ['SELECT a «$1»', 'Syntax error at or near "$1".'],
  ['SELECT a COLLATE «:c»', 'It cannot name'],
  ['SELECT a FROM t GROUP «a»', 'BY is missing after GROUP.'],
  ['SELECT sum(a) OVER (PARTITION «a») FROM t', 'BY is missing after PARTITION.'],
  ['SELECT a FROM t LEFT «u» ON t.id = u.id', 'JOIN is missing after LEFT.'],
  ['SELECT a FROM t JOIN «u»', 'JOIN needs a condition'],
  ['SELECT a FROM t JOIN u «WHERE» a = 1', 'JOIN needs a condition'],
  ['SELECT a FROM t CROSS JOIN u «ON» t.a = u.a', 'CROSS JOIN has no condition'],
  ['SELECT a FROM t WHERE a = 1 «AND»', 'AND needs a condition after it.'],
  ['SELECT a FROM t WHERE «GROUP» BY a', 'WHERE needs a condition after it.'],
  ['SELECT a FROM t WHERE a = «=» 1', 'There is one = too many.'],
  ['SELECT a FROM t WHERE a IS «NOT»', 'NOT needs NULL, TRUE, FALSE or DISTINCT FROM after it.'],
  ['SELECT a:: «FROM» t', ':: needs a type after it.'],
  ['SELECT a AS FROM «t»', 'AS needs a name after it.'],
  ['SELECT * FROM «WHERE»', 'FROM needs a table after it.'],
  ['SELECT a FROM t WHERE a BETWEEN 1 «AND»', 'AND needs a value after it.'],
  ['SELECT a FROM t UNION ALL «ORDER» BY 1', 'ALL needs a SELECT after it.'],
  ['SELECT CASE a WHEN 1 THEN «ELSE» 2 END', 'THEN needs a value after it.'],
  ['SELECT a FROM t JOIN u USING «id»', 'USING takes its columns in parentheses'],
  ['SELECT count(* «FROM» t', 'A closing parenthesis is missing before FROM.'],
  ['SELECT a FROM t WHERE a IN «1», 2', 'IN takes its values in parentheses'],
  ['SELECT a FROM t WHERE a IN («)»', 'IN takes at least one value.'],
  ['SELECT a FROM t WHERE a BETWEEN 1«,» 2', 'BETWEEN takes AND'],
  ['WITH x AS «SELECT» 1 SELECT * FROM x', 'Put the query of WITH in parentheses'],
  ['WITH x («SELECT» 1) SELECT * FROM x', 'AS is missing before the query of WITH.'],
  ['WITH x AS (SELECT 1), «SELECT» * FROM x', 'Remove the comma before SELECT.'],
  ['SELECT rank() OVER PARTITION BY «a» FROM t', 'OVER takes its window in parentheses'],
  ['SELECT DISTINCT ON «a», b FROM t', 'DISTINCT ON takes its columns in parentheses'],
  ['SELECT CAST(a «text») FROM t', 'CAST takes AS before the type.'],
  ['SELECT EXTRACT(year«,» d) FROM t', 'EXTRACT takes FROM after the field.'],
  ['SELECT interval «1» day', 'Put an interval in quotes'],
  ['SELECT a FROM t WHERE a «NOT» NULL', 'Write IS NOT NULL.'],
  ['SELECT a FROM t WHERE a «=>» 1', 'Write >=.'],
  ['SELECT a FROM t ORDER BY b «WHERE» c', 'WHERE comes before ORDER.'],
  ['SELECT a FROM t WHERE b «WHERE» c', 'There is already a WHERE: combine the two with AND.'],
  ['SELECT a FROM t ORDER BY a «DECS»', 'Did you mean DESC'],
  // The text before the error has different lengths in UTF-8, UTF-16 and code points.
  ["SELECT '💥💥', é x «frm» y", 'frm'],
  ['SELECT :department_name_prefix,\r\n  «FROM» a', 'Remove the comma before FROM.'],
  ['SELECT 1;\nSELECT 2;\nSELECT «,»', 'Syntax error at or near ",".'],
  // Syntax of other languages, and omissions.
  ['SELECT «,» id FROM t', 'There is nothing before this comma. Remove it.'],
  ['SELECT id FROM t JOIN u t«.»id = u.t_id', 'ON is missing before t.'],
  ['SELECT id FROM t JOIN «ON» t.id = u.t_id', 'JOIN needs a table after it.'],
  ['SELECT id FROM t WHERE a BETWEEN 1 «OR» 2', 'BETWEEN takes AND between its values.'],
  ['SELECT id FROM t ORDER BY id «DSC»', 'Write DESC.'],
  ['SELECT id FROM t ORDER BY id «ASCENDING»', 'Write ASC.'],
  ['SELECT user, «order» FROM t', 'order is a reserved word. To use it as a name, write "order".'],
  ['SELECT a.id, «order».id FROM t a', 'order is a reserved word. To use it as a name, write "order".'],
  ['SELECT b «year» FROM t', 'year is a name only after AS: AS year.'],
  [
    'SELECT id FROM t WHERE a = 1 && b «=» 2',
    'Write AND between conditions; && compares arrays and ranges here.',
  ],
  ['SELECT id FROM t WHERE a = 1 || b «=» 2', 'Write OR between conditions; || concatenates text here.'],
  ['SELECT id FROM t WHERE a ! «=» 1', 'Write != without the space.'],
  ['SELECT CASE a = 1 «THEN» 2 END FROM t', 'WHEN is missing after CASE: CASE WHEN a = 1 THEN ... END.'],
  ['SELECT CASE WHEN a = 1 «2» END FROM t', 'THEN is missing before 2.'],
  ['SELECT a FROM «SELECT» a FROM t', 'Put a subquery in parentheses: (SELECT ...).'],
  ['WITH x AS (SELECT 1) «y» AS (SELECT 2) SELECT * FROM x', 'Is a comma missing before y?'],
  ['WITH x AS (SELECT 1«)»', 'WITH names queries for the statement after it: continue with SELECT.'],
  ['«x» AS (SELECT 1) SELECT * FROM x', 'WITH is missing at the beginning.'],
  ['SELECT a FROM t UNION «a» FROM u', 'SELECT is missing after UNION.'],
  ['SELECT a FROM t WHERE «AND» b = 2', 'WHERE needs a condition before AND.'],
  ['«FROM» t SELECT a', 'A query begins with SELECT and its columns; FROM comes after them.'],
  ["SELECT a AS «'x'» FROM t", 'Put a name in double quotes: "x". Single quotes make a string.'],
  ['SELECT count(DISTINCT a «b») FROM t', 'Is a comma or an operator missing before b?'],
  ['SELECT CAST(a«,» int) FROM t', 'CAST takes AS between the two.'],
  ['SELECT extract(year «d») FROM t', 'EXTRACT takes FROM after the field.'],
  ["SELECT date_trunc('day' «d») FROM t", 'Is a comma or an operator missing before d?'],
  [
    'SELECT sum(a) FILTER «WHERE» a > 1 FROM t',
    'FILTER takes its condition in parentheses: FILTER (WHERE ...).',
  ],
  ['SELECT a FROM t WHERE EXISTS «SELECT» 1', 'Put a subquery in parentheses: (SELECT ...).'],
  ['SELECT a FROM t WHERE a = «SELECT» max(a) FROM t', 'Put a subquery in parentheses: (SELECT ...).'],
  [
    "SELECT * FROM t WHERE c = 'it'«s»'",
    "The string ends before this. A quote inside a string is written twice: 'it''s'.",
  ],
  ['SELECT * FROM t WHERE a «≥» 1', 'Write >=.'],
  [
    'SELECT * FROM t WHERE a = 1; «AND» b = 2',
    'The semicolon before it has ended the statement. Remove it to continue.',
  ],
  [
    'SELECT 1 FROM t WHERE a = «:gr»öße',
    'Syntax error at or near ":gr". The name of a parameter has only the letters a to z, digits and _, so :größe is none.',
  ],
  [
    'SELECT * FROM t t WHERE a = «?»',
    'Write a parameter as :name, without a space: its value is bound when the query runs.',
  ],
  [
    'SELECT * FROM t WHERE a = «{»{p}}',
    'Write a parameter as :name, without a space: its value is bound when the query runs.',
  ],
  [
    'SELECT * FROM t WHERE a = «$»{p}',
    'Write a parameter as :name, without a space: its value is bound when the query runs.',
  ],
  [
    'SELECT * FROM t WHERE a = «%»s',
    'Write a parameter as :name, without a space: its value is bound when the query runs.',
  ],
  ['SELECT * FROM t «#» comment', 'A comment starts with two hyphens: -- comment'],
  ['SELECT * FROM t «//» comment', 'A comment starts with two hyphens: -- comment'],
  ['SELECT * EXCEPT («a») FROM t', 'PostgreSQL cannot leave columns out of *: name those that you want.'],
  ['SELECT * «EXCLUDE» (a) FROM t', 'PostgreSQL cannot leave columns out of *: name those that you want.'],
  [
    'SELECT * FROM t QUALIFY «row_number»() OVER () = 1',
    'PostgreSQL has no QUALIFY: put the query in parentheses after FROM and filter it with WHERE.',
  ],
  ...[
    'SELECT a FROM t x «QUALIFY» row_number() OVER () = 1',
    'SELECT a FROM t WHERE b = 1 «QUALIFY» row_number() OVER () = 1',
    'SELECT a FROM t GROUP BY a «QUALIFY» row_number() OVER () = 1',
  ].map((query): [string, string] => [
    query,
    'PostgreSQL has no QUALIFY: put the query in parentheses after FROM and filter it with WHERE.',
  ]),
  ['SELECT a FROM t FETCH FIRST «5»', 'Write FETCH FIRST 5 ROWS ONLY, or LIMIT 5.'],
  ['SELECT a FROM t FETCH «5» ROWS ONLY', 'Write FETCH FIRST 5 ROWS ONLY, or LIMIT 5.'],
  [
    "SELECT a FROM t WHERE a ILIKE ANY «'x'»",
    'ANY takes an array or a subquery in parentheses: = ANY (ARRAY[1, 2]).',
  ],
  [
    'SELECT a FROM t WHERE a IS «1»',
    'IS takes NULL, TRUE, FALSE, UNKNOWN and DISTINCT FROM. Compare values with =.',
  ],
  ['SELECT ARRAY[1, 2 «FROM» t', 'A closing bracket is missing.'],
  ['SELECT j-> «FROM» t', '-> needs a value after it.'],
  [
    'SELECT «:»1 FROM t',
    'Write a parameter as :name, without a space: its value is bound when the query runs.',
  ],
  ['SELECT f(a => «)» FROM t', '=> needs a value after it.'],
  ["SELECT position('a'«,» 'b') FROM t WHERE position('a' c)", 'POSITION takes IN between the two.'],
  ['SELECT a FROM t WHERE a = 1 «b» = 2', 'Is AND or OR missing before b?'],
  ['SELECT a FROM t WHERE a = 1«,» b = 2', 'Join conditions with AND, not with a comma.'],
  [
    'SELECT a FROM t WHERE a > 1 «<» 3',
    'Comparisons do not chain: write AND between the two, as in a > 1 AND a < 3.',
  ],
  ['SELECT a FROM t GROUP BY ROLLUP «a»', 'ROLLUP takes its columns in parentheses: ROLLUP (a, b).'],
  ['SELECT a FROM t WINDOW w «(»ORDER BY a)', 'AS is missing before the window.'],
  ['SELECT a FROM t ORDER BY a «NULL» LAST', 'Write NULLS.'],
  ['SELECT a FROM t ORDER BY a «NULLS»', 'NULLS needs FIRST or LAST after it.'],
  ['SELECT a FROM t WHERE a = 1 «ADN» b = 2', 'Did you mean AND instead of ADN?'],
  ['SELECT CASE WHEN a = 1 «THN» 1 END FROM t', 'Did you mean THEN instead of THN?'],
  ['SELECT a FROM t WHERE a «SI» NULL', 'Did you mean IS instead of SI?'],
];

describe('syntax errors', () => {
  for (const [marked, message] of cases) {
    it(JSON.stringify(marked), async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: false });
      // `$1` has its own finding in addition to the syntax error.
      const errors = analysis?.findings.filter(({ code }) => code !== 'POSITIONAL_PARAMETER') ?? [];
      assert.equal(errors.length, 1);
      const [{ code, severity, start, end, message: actual }] = errors as [(typeof errors)[number]];
      assert.equal(code, 'QUERY_PARSE_ERROR');
      assert.equal(severity, 'error');
      assert.equal(text.slice(start, end), text.slice(ranges[0]?.start, ranges[0]?.end), actual);
      assert.equal(start, ranges[0]?.start);
      assert.ok(actual.includes(message), actual);
    });
  }

  it('reports operators that look like conflict markers only if the text does not parse', async () => {
    const text = 'SELECT a\n<<<<<<< b\n>>>>>>> c FROM t; SELECT 1 FROM';
    const found = (await analyser.analyse(text, { isSavedQuery: false }))?.findings ?? [];
    const errors = found.filter(({ code }) => code === 'QUERY_PARSE_ERROR');
    assert.deepEqual(
      errors.map(({ start }) => start),
      [text.lastIndexOf('FROM')],
    );
  });

  it('does not count the statements of a text with conflict markers', async () => {
    const text = '<<<<<<< mine\nSELECT 1;\n=======\nSELECT 2;\n>>>>>>> theirs';
    const found = (await analyser.analyse(text, { isSavedQuery: true }))?.findings ?? [];
    assert.deepEqual(
      found.map(({ code, start }) => [code, start]),
      [['QUERY_PARSE_ERROR', 0]],
    );
  });

  it('reports each statement separately', async () => {
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

/** A query before and after applying the fix; undefined if no fix is offered. */
const fixes: readonly (readonly [string, string | undefined])[] = [
  ['SELEC * FROM accounts', 'SELECT * FROM accounts'],
  ['select a from t group a', 'select a from t group by a'],
  ['SELECT a FROM t LEFT u USING (a)', 'SELECT a FROM t LEFT JOIN u USING (a)'],
  ['SELECT a FROM t CROSS JOIN u ON t.a = u.a', 'SELECT a FROM t INNER JOIN u ON t.a = u.a'],
  ['SELECT a FROM t WHERE a AND AND b', 'SELECT a FROM t WHERE a AND  b'],
  ['SELECT count(* FROM t', 'SELECT count(*) FROM t'],
  ['SELECT a FROM t WHERE a BETWEEN 1, 2', 'SELECT a FROM t WHERE a BETWEEN 1 AND 2'],
  ['WITH x (SELECT 1) SELECT 2', 'WITH x AS (SELECT 1) SELECT 2'],
  ['WITH x AS (SELECT 1), SELECT 2', 'WITH x AS (SELECT 1) SELECT 2'],
  ['SELECT CAST(a text)', 'SELECT CAST(a AS text)'],
  ['SELECT extract(year, d)', 'SELECT extract(year FROM d)'],
  ['SELECT a FROM t WHERE a not null', 'SELECT a FROM t WHERE a is not null'],
  ['SELECT a => 1', 'SELECT a >= 1'],
  ['SELECT a fro t', 'SELECT a from t'],
  ['SELECT a FROM t ORDER BY a asc desc', undefined],
  ['select * form accounts', 'select * from accounts'],
  ['SELECT * FROM accounts wher x = 1', 'SELECT * FROM accounts where x = 1'],
  ['SELECT * FROM a GROPU BY x', 'SELECT * FROM a GROUP BY x'],
  ['SELECT * FROM a WHERE (x', 'SELECT * FROM a WHERE (x)'],
  ['SELECT ((1 -- one', 'SELECT ((1)) -- one'],
  ['SELECT 1)', 'SELECT 1'],
  ['SELECT a, FROM b', 'SELECT a FROM b'],
  ['SELECT a,, b FROM c', 'SELECT a, b FROM c'],
  ['SELECT f(a, )', 'SELECT f(a )'],
  ['SELECT a, b,', 'SELECT a, b'],
  ['SELECT a b c FROM d', 'SELECT a b, c FROM d'],
  ["SELECT 'a' 'b'", "SELECT 'a', 'b'"],
  ["SELECT 1 WHERE x IN ('a' 'b')", "SELECT 1 WHERE x IN ('a', 'b')"],
  ['SELECT * FROM order', 'SELECT * FROM "order"'],
  ['SELECT x FROM t WHERE group = 1', 'SELECT x FROM t WHERE "group" = 1'],
  ['SELECT user.name FROM user', 'SELECT "user".name FROM user'],
  ['SELECT `a` FROM `t`', 'SELECT "a" FROM "t"'],
  ['SELECT [a] FROM b', 'SELECT "a" FROM b'],
  ['SELECT “a b c” FROM t', 'SELECT "a b c" FROM t'],
  ['SELECT 1 FROM t WHERE a = ‘x y’', "SELECT 1 FROM t WHERE a = 'x y'"],
  ['SELECT\u00A0a FROM t', 'SELECT a FROM t'],
  ["SELECT 'it", "SELECT 'it'"],
  ["SELECT * FROM t WHERE a IN ('x);", "SELECT * FROM t WHERE a IN ('x');"],
  ['SELECT "a FROM t', 'SELECT "a" FROM t'],
  ['SELECT 1 /* a', 'SELECT 1 /* a */'],
  ['SELECT $x$ a', 'SELECT $x$ a$x$'],
  ['SELECT 1 FROM 12ab', 'SELECT 1 FROM "12ab"'],
  // A number stands in no place of a name, whatever word is behind it.
  ['SELECT 1 FROM 1table', 'SELECT 1 FROM "1table"'],
  ['SELECT a FROM t, 2000user', 'SELECT a FROM t, "2000user"'],
  ['SELECT a FROM t JOIN ONLY 1left USING (a)', 'SELECT a FROM t JOIN ONLY "1left" USING (a)'],
  ['SELECT a FROM s. 1all', 'SELECT a FROM s. "1all"'],
  ['SELECT a AS 1end FROM t', 'SELECT a AS "1end" FROM t'],
  [
    'SELECT CASE WHEN a THEN 1END, 2OR b FROM t, f(1, 2)',
    'SELECT CASE WHEN a THEN 1 END, 2OR b FROM t, f(1, 2)',
  ],
  ['SELECT a FROM f(1, 2OR b)', 'SELECT a FROM f(1, 2 OR b)'],
  ['SELECT a FROM t ORDER BY a, 1DESC', 'SELECT a FROM t ORDER BY a, 1 DESC'],
  ['SELECT TOP 10 * FROM a', 'SELECT * FROM a LIMIT 10'],
  // The limit belongs to its own SELECT, and to one side of a set operation only in parentheses.
  ['SELECT count(*) FROM (SELECT TOP 5 id FROM a) q', 'SELECT count(*) FROM (SELECT id FROM a LIMIT 5) q'],
  [
    'WITH x AS (SELECT TOP 5 id FROM a ORDER BY id) SELECT * FROM x',
    'WITH x AS (SELECT id FROM a ORDER BY id LIMIT 5) SELECT * FROM x',
  ],
  ['select top 5 id from a union all select 1', '(select id from a limit 5) union all select 1'],
  [
    'SELECT 1 UNION SELECT TOP 5 id FROM a ORDER BY 1',
    'SELECT 1 UNION (SELECT id FROM a LIMIT 5) ORDER BY 1',
  ],
  ['SELECT TOP 5 WITH TIES id FROM a ORDER BY id', undefined],
  ['SELECT TOP 5 id FROM a -- c', 'SELECT id FROM a LIMIT 5 -- c'],
  // In the list of a SELECT, the word is read as an alias.
  ["SELECT name RLIKE '^a' FROM a", "SELECT name ~ '^a' FROM a"],
  ["SELECT name NOT REGEXP '^a' AS b FROM a", "SELECT name !~ '^a' AS b FROM a"],
  ['SELECT id ≥ 1 AS b FROM a', 'SELECT id >= 1 AS b FROM a'],
  ["SELECT name STARTSWITH 'a' AS b FROM a", "SELECT name LIKE 'a%' AS b FROM a"],
  ["SELECT name MATCHES '^a' FROM a", "SELECT name ~ '^a' FROM a"],
  ['SELECT x.id FROM t x MINUS SELECT 1', 'SELECT x.id FROM t x EXCEPT SELECT 1'],
  ['SELECT id FROM t WHERE id > 1 MINUS (SELECT 1)', 'SELECT id FROM t WHERE id > 1 EXCEPT (SELECT 1)'],
  ["SELECT name GLOB 'a*' FROM a", "SELECT name LIKE 'a%' FROM a"],
  ["SELECT name GLOB '[a]*' FROM a", undefined],
  ['SELECT * FROM a LIMIT 10, 20', 'SELECT * FROM a LIMIT 20 OFFSET 10'],
  ['SELECT CASE WHEN a THEN 1 FROM b', 'SELECT CASE WHEN a THEN 1 END FROM b'],
  ["SELECT :'x'", 'SELECT :x'],
  ["SELECT * FROM a WHERE b = 'x\nAND c", "SELECT * FROM a WHERE b = 'x'\nAND c"],
  ['SELECT * FROM [my table]', 'SELECT * FROM "my table"'],
  // An error can be fixed despite other errors in the same statement or elsewhere.
  ['SELECT a, FROM b WHER c', 'SELECT a FROM b WHER c'],
  ['SELECT a, FROM b; SELEC 1', 'SELECT a FROM b; SELEC 1'],
  ['SELECT 1; SELECT * FORM b; SELECT 2', 'SELECT 1; SELECT * FROM b; SELECT 2'],
  // Fixes that would not parse are not offered.
  ['SELECT * FROM :table', undefined],
  ['SELECT a FROM b WHERE', undefined],
  ["SELECT * FROM a WHERE b = 'x y z\nAND c = 'd'", undefined],
  ['SELECT 1 FROM a LIMIT 1, (SELECT 2)', undefined],
  ['SELECT a, order FROM t', 'SELECT a, "order" FROM t'],
  ['SELECT , a FROM t', 'SELECT  a FROM t'],
  ['SELECT a FROM t JOIN u t.id = u.id', 'SELECT a FROM t JOIN u ON t.id = u.id'],
  ['SELECT a FROM t WHERE a = 1 && b = 2', 'SELECT a FROM t WHERE a = 1 AND b = 2'],
  ['SELECT a FROM t WHERE a ! = 1', 'SELECT a FROM t WHERE a != 1'],
  ["SELECT a AS 'x y' FROM t", 'SELECT a AS "x y" FROM t'],
  ['SELECT b year FROM t', 'SELECT b AS year FROM t'],
  ['SELECT a FROM t WHERE a = 1, b = 2', 'SELECT a FROM t WHERE a = 1 AND b = 2'],
  ['SELECT a FROM t # note', 'SELECT a FROM t -- note'],
  ['SELECT a[1 FROM t', 'SELECT a[1] FROM t'],
  ['WITH x AS (SELECT 1) y AS (SELECT 2) SELECT 1', 'WITH x AS (SELECT 1), y AS (SELECT 2) SELECT 1'],
  ['SELECT a FROM t; WHERE a = 1', 'SELECT a FROM t WHERE a = 1'],
  ['SELECT cast(a, int) FROM t', 'SELECT cast(a AS int) FROM t'],
];

describe('fixes of syntax errors', () => {
  for (const [text, expected] of fixes) {
    it(JSON.stringify(text), async () => {
      const analysis = await analyser.analyse(text, { isSavedQuery: false });
      const found = analysis?.findings.find(({ code }) => code === 'QUERY_PARSE_ERROR');
      const { edits = [] } = found?.unprovenFix ?? {};
      assert.equal((await analyser.isMendedBy(text, edits)) ? applyEdits(text, edits) : undefined, expected);
    });
  }
});

const tokensOf = (text: string): string => {
  const { code } = lex(text);
  return Array.from({ length: code.length }, (_, index) => code.textOf(index)).join('\0');
};

/** Puts a space between tokens that touch. */
function spaced(text: string): string {
  const { code } = lex(text);
  let written = text;
  for (let index = code.length - 1; index > 0; index--)
    if (code.start(index) === code.end(index - 1))
      written = `${written.slice(0, code.start(index))} ${written.slice(code.start(index))}`;
  return written;
}

/** Removes the space between tokens wherever they stay the same. */
function closed(text: string): string {
  const { all } = lex(text);
  const tokens = tokensOf(text);
  let written = text;
  for (let index = all.length - 1; index >= 0; index--) {
    const without = written.slice(0, all.start(index)) + written.slice(all.end(index));
    if (/^\s+$/.test(all.textOf(index)) && tokensOf(without) === tokens) written = without;
  }
  return written;
}

describe('fixes beside tokens that touch', () => {
  const golden = Object.values(goldenCases).flatMap((texts) =>
    texts.map((each) => (typeof each === 'string' ? each : each.text)),
  );
  const texts = [
    ...cases.map(([marked]) => readMarks(marked).text),
    ...fixes.map(([text]) => text),
    ...golden,
  ].filter(({ length }) => length < 300);

  /** Returns the text with the fix, in which what its title says to write must stay as it is. */
  function mended(text: string, { title, edits }: Fix): string {
    const after = applyEdits(text, keptApart(lex(text), edits));
    const written = /^(?:Write|Replace with) (.*)$/.exec(title)?.[1] ?? '';
    if (applyEdits(text, edits).includes(written)) assert.ok(after.includes(written), `${title}: ${after}`);
    return after;
  }

  it('write the same tokens as beside spaces', () => {
    for (const text of texts) {
      const byRule = new Map<string, string>();
      for (const own of [text, spaced(text), closed(text)]) {
        const lexed = lex(own);
        for (const span of splitStatements(lexed))
          for (let at = span.firstToken; at <= span.lastToken + 1; at++) {
            const fix = adviceFor(lexed.code, span, at)?.fix;
            // A space between backticks belongs to the name, and one beside a full-width sign parts an operator.
            if (fix === undefined || /[`\uFF01-\uFF5E]/.test(own)) continue;
            const tokens = tokensOf(mended(own, fix));
            assert.equal(tokens, byRule.get(`${at} ${fix.title}`) ?? tokens, `${fix.title}: ${own}`);
            byRule.set(`${at} ${fix.title}`, tokens);
          }
      }
    }
  });

  it('keep what the fixes of other findings write', async () => {
    for (const text of texts.map(closed)) {
      const { findings = [] } = (await analyser.analyse(text, { isSavedQuery: false })) ?? {};
      for (const { fix, unprovenFix, alternatives = [] } of findings)
        for (const each of [fix, unprovenFix, ...alternatives]) if (each !== undefined) mended(text, each);
    }
  });
});
