/** Chooses the statement to run: the selected one, or the one at the cursor. */
import type { StatementInfo } from '#server/protocol.ts';
import type { TextPosition } from './source-positions.ts';

export type Choice =
  | { readonly kind: 'chosen'; readonly statement: StatementInfo }
  | { readonly kind: 'none' }
  /** Several statements are selected; running only one of them would be surprising. */
  | { readonly kind: 'several'; readonly count: number };

export function chooseStatement(
  statements: readonly StatementInfo[],
  at: { readonly cursor: TextPosition; readonly isSelection: boolean },
): Choice {
  const [first] = statements;
  if (first === undefined) return { kind: 'none' };
  if (at.isSelection) {
    return statements.length === 1
      ? { kind: 'chosen', statement: first }
      : { kind: 'several', count: statements.length };
  }
  const { cursor } = at;
  const touching = statements.filter(
    ({ range }) => compare(range.start, cursor) <= 0 && compare(cursor, range.end) <= 0,
  );
  // If the cursor is between two adjacent statements, the first one was probably just typed.
  const chosen = touching[0] ?? nearest(statements, cursor) ?? first;
  return { kind: 'chosen', statement: chosen };
}

/**
 * Returns the statement for a cursor outside all statements: the last one that ends on its line; otherwise, the next
 * one; otherwise, the last one.
 */
function nearest(statements: readonly StatementInfo[], cursor: TextPosition): StatementInfo | undefined {
  return (
    statements.findLast(({ range }) => range.end.line === cursor.line && compare(range.end, cursor) <= 0) ??
    statements.find(({ range }) => compare(range.start, cursor) > 0) ??
    statements.at(-1)
  );
}

function compare(a: TextPosition, b: TextPosition): number {
  return a.line - b.line || a.character - b.character;
}
