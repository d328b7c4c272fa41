/**
 * Completes the read-only proof with the models: `accounts.note` and `(accounts).note` are a column if the table has it,
 * otherwise a call of the function `note`, so its effects are unknown.
 */
import type { BoundNames } from '#server/language/names/over-tree/bound-names.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { isOneQuery } from './read-only.ts';
import { withoutCalls } from './without-calls.ts';

/** @param text the statement as it was parsed */
export function withColumnCalls(
  read: AnalysedStatement,
  text: string,
  bound: BoundNames | undefined,
): AnalysedStatement {
  if (bound === undefined || !isOneQuery(read.verdict)) return read;
  const { rowColumns } = bound;
  const columns = (read.calls ?? []).filter(
    ({ name, rowFields }) => rowFields !== undefined && rowColumns.get(name) === rowFields,
  );
  const statement = withoutCalls(read, text, columns);
  const { verdict, calls = [] } = statement;
  const names = bound.problems.flatMap(({ code, start, part }) => {
    return code === 'UNKNOWN_COLUMN' && part > 0 ? [partOf(text, start, part)] : [];
  });
  const known = new Set(calls.map(({ name }) => name));
  const added = [...new Set(names)].filter((name) => !known.has(name));
  if (added.length === 0) return statement;
  return {
    ...statement,
    verdict: verdict === 'read-only' ? 'unknown-function' : verdict,
    calls: [...calls, ...added.map((name) => ({ kind: 'function', name, isColumn: true }) as const)],
  };
}

const part = /"((?:[^"]|"")*)"|([\p{L}\p{M}\p{N}_$]+)/uy;

/** Returns a part of a dotted name; `?` if it is written in an unusual way. */
function partOf(text: string, start: number, index: number): string {
  let at = start;
  for (let nth = 0; ; nth++) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) return '?';
    if (nth === index) return match[1]?.replaceAll('""', '"') ?? (match[2] ?? '?').toLowerCase();
    at = part.lastIndex;
    const dot = /\s*\.\s*/y;
    dot.lastIndex = at;
    if (!dot.test(text)) return '?';
    at = dot.lastIndex;
  }
}
