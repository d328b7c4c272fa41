/** Creates valid queries of a given size, shaped like real large queries. */
export const shapes = {
  cteChain: (size: number): string => {
    const parts: string[] = ['WITH c0 AS (SELECT id, name FROM accounts)'];
    for (let n = 1; parts.length * 94 < size; n++) {
      parts.push(
        `, c${n} AS (SELECT p.id, p.name FROM c${n - 1} AS p WHERE p.id > ${n} AND p.name <> 'n${n}')`.padEnd(
          93,
        ),
      );
    }
    return `${parts.join('\n')}\nSELECT id, name FROM c${parts.length - 1} WHERE id = 1`;
  },
  unionAll: (size: number): string =>
    `${repeat(size, (n) => `SELECT id, name, ${n} AS part FROM accounts WHERE id = ${n}\nUNION ALL\n`)}SELECT 1, 'a', 1`,
  inList: (size: number): string =>
    `SELECT id FROM accounts WHERE id IN (\n${repeat(size, (n) => `${n},\n`)}1)`,
  manyColumns: (size: number): string =>
    `SELECT\n${repeat(size, (n) => `  a.column_${n} AS c${n},\n`)}  1 AS last\nFROM accounts AS a`,
  nested50: (size: number): string => {
    const deep = `${'SELECT id FROM (\n'.repeat(50)}SELECT id FROM accounts${') AS t'.repeat(50)}`;
    return `${deep} WHERE id IN (\n${repeat(size - deep.length, (n) => `${n},\n`)}1)`;
  },
  twentyStatements: (size: number): string =>
    Array.from({ length: 20 }, () => shapes.cteChain(size / 20)).join(';\n\n'),
} satisfies Record<string, (size: number) => string>;

function repeat(size: number, line: (n: number) => string): string {
  let text = '';
  for (let n = 1; text.length < size; n++) {
    text += line(n);
  }
  return text;
}
