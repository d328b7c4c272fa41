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
