/** `snapshot('Admins', '2026-06-01')` in a query over files: a table with what a query returned then. */
import { lex } from '#server/language/text/lexer/lex.ts';
import { TokenKind } from '#server/language/text/lexer/tokens.ts';

export interface Snapshot {
  /** The name of the query that kept its results. */
  readonly name: string;
  readonly since: string;
  /** The name of the table that stands in its place. */
  readonly table: string;
}

/** Replaces each snapshot by the name of a table. Equal ones are one table. */
export function withSnapshots(sql: string): {
  readonly sql: string;
  readonly snapshots: readonly Snapshot[];
} {
  const { code } = lex(sql);
  const snapshots = new Map<string, Snapshot>();
  let text = '';
  let at = 0;
  for (let index = 0; index + 5 < code.length; index += 1) {
    const isCall =
      code.word(index) === 'snapshot' &&
      code.is(index + 1, '(') &&
      code.is(index + 3, ',') &&
      code.is(index + 5, ')');
    const name =
      isCall && code.kind(index + 2) === TokenKind.string ? plain(code.textOf(index + 2)) : undefined;
    const since =
      isCall && code.kind(index + 4) === TokenKind.string ? plain(code.textOf(index + 4)) : undefined;
    if (name === undefined || since === undefined) continue;
    const key = JSON.stringify([name, since]);
    const snapshot = snapshots.get(key) ?? { name, since, table: `snapshot ${snapshots.size + 1}` };
    snapshots.set(key, snapshot);
    text += `${sql.slice(at, code.start(index))}"${snapshot.table}"`;
    at = code.end(index + 5);
  }
  return { sql: text + sql.slice(at), snapshots: [...snapshots.values()] };
}

/** Returns the value of a plain string constant; undefined for one of another notation. */
function plain(token: string): string | undefined {
  const [, value] = /^'((?:[^']|'')*)'$/s.exec(token) ?? [];
  return value?.replaceAll("''", "'");
}
