/** Finds the command of a statement that certainly changes what the database stores. */
import type { StatementInfo } from '#server/protocol.ts';

const changing: ReadonlySet<string> = new Set(
  'INSERT UPDATE DELETE MERGE REPLACE UPSERT TRUNCATE CREATE ALTER DROP GRANT REVOKE'.split(' '),
);

/** Returns the command in upper case, such as UPDATE; undefined if the statement may only read. */
export function changingWord(
  statement: Pick<StatementInfo, 'text' | 'range' | 'errors'>,
): string | undefined {
  const [found] = statement.errors;
  if (found === undefined) return undefined;
  const word = firstWord(textFrom(statement, found.range.start));
  const first = firstWord(statement.text);
  // EXPLAIN DELETE changes nothing; WITH may contain a DELETE.
  return changing.has(word) && (first === word || first === 'WITH') ? word : undefined;
}

const firstWord = (text: string): string => /^\w*/.exec(text)?.[0].toUpperCase() ?? '';

function textFrom(
  { text, range }: Pick<StatementInfo, 'text' | 'range'>,
  at: { readonly line: number; readonly character: number },
): string {
  const line = at.line - range.start.line;
  const own = text.split(/\r\n|\r|\n/)[line] ?? '';
  return own.slice(at.character - (line === 0 ? range.start.character : 0));
}
