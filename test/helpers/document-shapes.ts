/** Shapes of documents that may keep a server busy: pieces of SQL, repeated, nested, alternated and cut, by lot. */
import type { Random } from './agent-queries.ts';

const pieces = [
  '/*', '*/', '--', '--\n', '\n', '\r', "'", "''", '"', '""', '$$', '$a$', '$', "E'\\", '\\', "U&'\\0041'",
  '(', ')', '[', ']', '{', '}', '((', '{{', ',', ';', ';;', '.', '..', ':', '::', ':p', ':"p"', '@', '#', '`',
  '\u200b', '\u202e', '\ufeff', '\u0000', '\ud800', 'é', '💥', ' ', '\t', '\u00a0',
  'SELECT ', 'SELECT * FROM ', 'a', 'a.', 'a.*,', 'FROM ', 'WITH a AS (', 'WITH RECURSIVE a AS (SELECT ', 'CASE WHEN ', 'END ',
  'NOT ', '- ', '+', '1-', '1,', '1.', '0x', '1e', 'AND ', 'OR ', 'a=a AND ', 'a IN (', 'JOIN a ON ', 'UNION ALL SELECT 1 ', 'VALUES (',
  'x::', 'x[1]', 'x(', 'f(a,', 'INTERVAL ', 'BETWEEN ', 'LIKE ', 'ORDER BY ', 'ROW(', 'ARRAY[', 'EXISTS (SELECT ', '-- @param p text\n', '-- @', '-- @control A-1 x\n',
]; // prettier-ignore

/** @param size the approximate length in characters. */
export function makeDocument(random: Random, size: number): string {
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? '';
  const repeat = (piece: string, length: number) =>
    piece.repeat(Math.max(1, Math.floor(length / piece.length)));
  const makers: readonly (() => string)[] = [
    () => repeat(pick(), size),
    () => repeat(pick() + pick(), size),
    () => repeat(pick() + pick() + pick(), size),
    () => repeat(pick(), size / 2) + repeat(pick(), size / 2),
    () => `SELECT ${repeat(pick(), size)}`,
    () => `SELECT ${repeat(pick(), size / 2)} 1 ${repeat(pick(), size / 2)}`,
    () => `SELECT 1 ${repeat(pick() + pick(), size)} FROM a`,
    () =>
      `${repeat(pick(), size / 3)}SELECT 1;${repeat(`SELECT ${pick()};`, size / 3)}${repeat(pick(), size / 3)}`,
    () => Array.from({ length: size / 8 }, pick).join(''),
    () => `SELECT '${repeat(pick(), size)}'`,
    () => `-- ${repeat(pick(), size).replaceAll('\n', ' ')}\nSELECT 1`,
    () => `WITH ${repeat(`a${pick()} AS (SELECT 1), `, size)} b AS (SELECT 1) SELECT * FROM b`,
  ];
  return (makers[Math.floor(random() * makers.length)] ?? makers[0])?.().slice(0, size) ?? '';
}

const list = (size: number, item: (n: number) => string, separator: string) => {
  const items: string[] = [];
  for (let length = 0, n = 0; length < size; n++) length += items[items.push(item(n)) - 1]?.length ?? 0;
  return items.join(separator);
};

/** Documents that PostgreSQL accepts, or would but for one mistake that occurs everywhere. */
export const longDocuments: Readonly<Record<string, (size: number) => string>> = {
  columns: (size) => `SELECT ${list(size, (n) => `a.name AS c${n}`, ', ')} FROM accounts a`,
  'unknown columns': (size) => `SELECT ${list(size, (n) => `a.nmae${n}`, ', ')} FROM accounts a`,
  'unknown functions': (size) => `SELECT ${list(size, (n) => `uper${n}(a.name)`, ', ')} FROM accounts a`,
  'unknown tables': (size) => `SELECT 1 FROM ${list(size, (n) => `acounts${n}`, ', ')}`,
  'equal names': (size) => `SELECT ${list(size, () => 'a.name AS c', ', ')} FROM accounts a`,
  stars: (size) => `SELECT ${list(size, () => 'a.*', ', ')} FROM accounts a`,
  joins: (size) =>
    `SELECT * FROM accounts a ${list(size, (n) => `JOIN roles r${n} ON r${n}.owner_id = a.id`, ' ')}`,
  'joins without conditions': (size) =>
    `SELECT name FROM accounts a ${list(size, (n) => `, accounts b${n}`, ' ')}`,
  'natural joins': (size) =>
    `SELECT id FROM accounts a ${list(size, (n) => `JOIN roles r${n} USING (id)`, ' ')}`,
  conditions: (size) => `SELECT 1 FROM accounts a WHERE ${list(size, (n) => `a.name = '${n}'`, ' AND ')}`,
  'equal conditions': (size) => `SELECT 1 FROM accounts a WHERE ${list(size, () => 'a.name = NULL', ' OR ')}`,
  'list of values': (size) =>
    `SELECT 1 FROM accounts a WHERE a.id IN (${list(size, (n) => String(n), ', ')})`,
  'list of types': (size) => `SELECT 1 FROM accounts a WHERE a.id IN (${list(size, (n) => `'x${n}'`, ', ')})`,
  'rows of values': (size) =>
    `SELECT * FROM (VALUES ${list(size, (n) => `(${n}, 'a', NULL)`, ', ')}) AS v(a, b, c)`,
  cases: (size) =>
    `SELECT CASE a.name ${list(size, (n) => `WHEN '${n}' THEN ${n}`, ' ')} END FROM accounts a`,
  unions: (size) => list(size, (n) => `SELECT a.id, ${n} FROM accounts a`, ' UNION ALL '),
  'common table expressions': (size) =>
    `WITH ${list(size, (n) => `w${n} AS (SELECT id FROM ${n === 0 ? 'accounts' : `w${n - 1}`})`, ', ')} SELECT * FROM w0`,
  'unused table expressions': (size) =>
    `WITH ${list(size, (n) => `w${n} AS (SELECT * FROM accounts)`, ', ')} SELECT 1`,
  'stars of stars': (size) =>
    `WITH ${list(size, (n) => `w${n} AS (SELECT *, 1 AS c${n} FROM ${n === 0 ? 'accounts' : `w${n - 1}`})`, ', ')} SELECT * FROM w0`,
  subqueries: (size) =>
    `SELECT ${list(size, (n) => `(SELECT r.title FROM roles r WHERE r.owner_id = a.id AND r.id = ${n})`, ', ')} FROM accounts a`,
  'nested subqueries': (size) =>
    `${'SELECT * FROM ('.repeat(Math.min(size / 40, 300))}SELECT 1 AS a${') AS x'.repeat(Math.min(size / 40, 300))}${' '.repeat(size)}`,
  'nested calls': (size) =>
    `SELECT ${'upper('.repeat(Math.min(size / 10, 900))}'a'${')'.repeat(Math.min(size / 10, 900))}`,
  windows: (size) =>
    `SELECT ${list(size, (n) => `row_number() OVER (PARTITION BY a.name ORDER BY a.id + ${n})`, ', ')} FROM accounts a`,
  groups: (size) => `SELECT ${list(size, (n) => `a.id + ${n}`, ', ')} FROM accounts a GROUP BY a.name`,
  'group by': (size) => `SELECT count(*) FROM accounts a GROUP BY ${list(size, (n) => `a.id + ${n}`, ', ')}`,
  'order by': (size) =>
    `SELECT DISTINCT a.id FROM accounts a ORDER BY ${list(size, (n) => `a.id + ${n}`, ', ')}`,
  'order by numbers': (size) => `SELECT a.id FROM accounts a ORDER BY ${list(size, (n) => String(n), ', ')}`,
  casts: (size) => `SELECT ${list(size, (n) => `a.name::text::varchar(${n + 1})`, ', ')} FROM accounts a`,
  'one chain of casts': (size) => `SELECT a.name${list(size, () => '::text', '')} FROM accounts a`,
  sums: (size) => `SELECT ${list(size, (n) => `a.id * ${n}`, ' + ')} FROM accounts a`,
  joined: (size) => `SELECT ${list(size, (n) => `a.name || '${n}'`, ' || ')} FROM accounts a`,
  parameters: (size) => `SELECT 1 FROM accounts a WHERE ${list(size, (n) => `a.name = :p${n}`, ' AND ')}`,
  'one parameter': (size) => `SELECT 1 FROM accounts a WHERE ${list(size, () => 'a.name = :p', ' AND ')}`,
  'positional parameters': (size) =>
    `SELECT 1 FROM accounts a WHERE ${list(size, (n) => `a.name = $${n + 1}`, ' AND ')}`,
  'declared parameters': (size) =>
    `${list(size / 2, (n) => `-- @param p${n} integer = ${n} words`, '\n')}\nSELECT ${list(size / 2, (n) => `:p${n}`, ', ')}`,
  'one declared parameter': (size) => `${list(size, () => '-- @param p integer = 1 Words', '\n')}\nSELECT :p`,
  'declared choices': (size) => `-- @param p text in (${list(size, (n) => `'${n}'`, ', ')})\nSELECT :p`,
  models: (size) => `${list(size, () => '-- @model platform_governance', '\n')}\nSELECT 1 FROM reviews`,
  controls: (size) => `-- @control A-1 title\n${list(size, () => '-- @expect rows = 0', '\n')}\nSELECT 1`,
  tags: (size) => `-- @control A-1 title\n-- @tags ${list(size, (n) => `tag${n}`, ', ')}\nSELECT 1`,
  keys: (size) => `-- @control A-1 title\n-- @key ${list(size, (n) => `c${n}`, ', ')}\nSELECT 1 AS c0`,
  suppressions: (size) =>
    `${list(size, () => '-- identity-queries-ignore UNKNOWN_COLUMN', '\n')}\nSELECT a.x FROM accounts a`,
  'suppressed findings': (size) =>
    `SELECT ${list(size, (n) => `\n-- identity-queries-ignore UNKNOWN_COLUMN\na.x${n}`, ', ')} FROM accounts a`,
  'suppressed codes': (size) =>
    `-- identity-queries-ignore UNKNOWN_COLUMN${list(size, (n) => `, A${'_'.repeat(n % 50)}B`, '')}\nSELECT a.x FROM accounts a`,
  'suppressed everywhere': (size) =>
    `${list(size / 2, () => '-- identity-queries-ignore-file UNKNOWN_COLUMN', '\n')}\nSELECT ${list(size / 2, (n) => `a.x${n}`, ', ')} FROM accounts a`,
  'locks after columns': (size) =>
    `SELECT ${list(size / 2, (n) => `a.c${n}`, ', ')} FROM a ${list(size / 2, () => 'FOR UPDATE', ' ')}`,
  strings: (size) => `SELECT ${list(size, () => "'a' -- b\n'c'", ', ')}`,
  comments: (size) => `SELECT ${list(size, (n) => `/* a /* b */ */ ${n} -- c\n`, ', ')}`,
  conflicts: (size) => list(size, (n) => `<<<<<<< a\nSELECT ${n};\n=======\nSELECT 2;\n>>>>>>> b\n`, ''),
  'open conflicts': (size) => list(size, () => '<<<<<<< a\n', ''),
  'quoted names': (size) => `SELECT ${list(size, (n) => `a."Name${n}"`, ', ')} FROM accounts a`,
  'foreign functions': (size) =>
    `SELECT ${list(size, () => 'isnull(a.name, getdate())', ', ')} FROM accounts a`,
  'foreign calls': (size) => `SELECT ${list(size, () => 'dateadd(day, 1, a.born)', ', ')} FROM accounts a`,
  'foreign operators': (size) =>
    `SELECT 1 FROM accounts a WHERE ${list(size, () => "a.name RLIKE 'x'", ' AND ')}`,
  'foreign limits': (size) =>
    `SELECT 1 FROM accounts a WHERE ${list(size, (n) => `rownum <= ${n}`, ' AND ')}`,
  'foreign names': (size) => `SELECT ${list(size, () => 'sysdate', ', ')} FROM accounts a`,
  'columns to join by': (size) =>
    `SELECT 1 FROM accounts a ${list(size, (n) => `JOIN roles r${n} USING (nope)`, ' ')}`,
  'open calls': (size) => `SELECT ${list(size, () => 'dateadd(', '')} FROM accounts a`,
  'unclosed parentheses': (size) => list(size, () => 'SELECT f((a', ';\n'),
  paths: (size) => `SELECT ${list(size, (n) => `a.b.c.d${n}`, ', ')} FROM accounts a`,
  fields: (size) => `SELECT ${list(size, () => '(a).name', ', ')} FROM accounts a`,
  arrays: (size) => `SELECT ARRAY[${list(size, (n) => String(n), ', ')}][1]`,
  json: (size) => `SELECT '{}'::jsonb ${list(size, (n) => `-> 'k${n}'`, ' ')}`,
  between: (size) => `SELECT 1 FROM accounts a WHERE ${list(size, (n) => `a.id BETWEEN ${n} AND 2`, ' OR ')}`,
  locks: (size) => `SELECT 1 FROM accounts a ${list(size, () => 'FOR UPDATE', ' ')}`,
  writes: (size) => `WITH ${list(size, (n) => `w${n} AS (DELETE FROM accounts RETURNING *)`, ', ')} SELECT 1`,
  'hidden characters': (size) => `SELECT ${list(size, (n) => `a.na\u200bme${n}`, ', ')} FROM accounts a`,
  'smart quotes': (size) => `SELECT ${list(size, () => '‘a’', ', ')}`,
};

/** Statements that fill a document, each with its own kind of finding or mistake. */
export const shortStatements = [
  'SELECT 1', 'SELECT', 'SELECT (', 'SELECT )', 'SELECT [', "SELECT '\\''", 'SELECT a.name FROM accounts a', 'SELECT a.nmae FROM accounts a',
  'SELECT * FROM acounts', 'SELECT uper(1)', 'SELECT 1,', 'SELECT , 1', 'SELECT 1 FROM', 'SELECT 1 1', 'SELECT 1 FROM a WHERE', 'SELECT CASE 1',
  'SELECT 1 FROM a, b', 'SELECT f(1', 'SELECT (1, 2', 'SELECT TOP 5 1', 'SELECT 1 FROM a LIMIT 1, 2', 'SELECT a FROM b GROUP', 'SELECT a == b',
  'SELECT `a`', 'SELECT #a', 'SELECT {{ a }}', 'SELECT %(a)s', 'SELECT @a', 'SELECT "a', 'UPDATE a SET b = 1', 'DELETE FROM a', 'CREATE TABLE a (b int)',
  'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1', 'SELECT 1 FOR UPDATE', "SELECT nextval('a')", 'SELECT pg_sleep(1)', 'SELECT :p', 'SELECT $1',
  '-- @param p integer\nSELECT :p', '-- @control A-1 x\nSELECT 1', '-- @model m\nSELECT 1', '-- identity-queries-ignore X\nSELECT 1',
  'SELECT $$a$$', 'SELECT $a$', 'SELECT /* a */ 1', 'SELECT /* a', 'SELECT 1 WHERE a RLIKE b', 'SELECT a WHERE b = NULL', 'SELECT 1 +', 'SELECT ++++', 'WITH a AS (SELECT 1) SELECT 2',
  'SELECT 1 UNION', 'SELECT a FROM b JOIN c', 'SELECT DISTINCT a FROM b ORDER BY c', 'SELECT 1 a b', 'SELEC 1', 'a', '(', ')', '1', '\u200b', '\ud800', '',
]; // prettier-ignore
