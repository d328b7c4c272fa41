/** Turns a subquery of FROM into a common table. */
import { isPlainName, nameAt, quoteName } from '../names.ts';
import { commonTableNames } from '../table-scope.ts';
import { keywords } from '../keywords.ts';
import type { Action, ActionPlace } from './action.ts';

/** Only at the top of the statement, where a subquery without LATERAL cannot depend on anything around it. */
export function extractSubquery({ analysis, first, last, at }: ActionPlace): readonly Action[] {
  const { code, text } = analysis.lexed;
  const pair = pairAround();
  if (pair === undefined) {
    return [];
  }
  const [open, close] = pair;
  const isAs = code.word(close + 1) === 'as';
  const aliasAt = isAs ? close + 2 : close + 1;
  const alias = keywords.get(code.word(aliasAt)) === 'reserved' ? undefined : nameAt(code, aliasAt);
  if (alias === undefined || aliasAt > last || code.is(aliasAt + 1, '(') || isTaken(alias, aliasAt)) {
    return [];
  }
  const name = quoteName(alias, isPlainName);
  const query = text.slice(code.start(open), code.end(close));
  const start = code.start(first);
  const head =
    code.word(first) === 'with' ? mainSelect() : { start, end: start, newText: `WITH ${name} AS ${query}\n` };
  const replaced = { start: code.start(open), end: code.end(aliasAt), newText: name };
  const action: Action = {
    title: `Move the subquery to WITH ${name}`,
    kind: 'refactor.extract',
    edits: [head, replaced],
  };
  return [action];

  /** The parentheses of the subquery that the token is in or on. */
  function pairAround(): readonly [number, number] | undefined {
    const stack: number[] = [];
    for (let index = first; index <= last; index++) {
      if (code.is(index, '(')) {
        stack.push(index);
      } else if (code.is(index, ')')) {
        const opened = stack.pop();
        const isTop = stack.length === 0 && opened !== undefined && opened <= at && at <= index;
        if (isTop && isSubquery(opened)) {
          return [opened, index];
        }
      }
    }
    return undefined;
  }

  function isSubquery(opened: number): boolean {
    const before = code.word(opened - 1);
    return code.word(opened + 1) === 'select' && (before === 'from' || before === 'join');
  }

  /** Behind the last common table there is. */
  function mainSelect(): { readonly start: number; readonly end: number; readonly newText: string } {
    let depth = 0;
    let index = first;
    for (; index <= last; index++) {
      depth += code.is(index, '(') ? 1 : code.is(index, ')') ? -1 : 0;
      if (depth === 0 && code.word(index) === 'select') {
        break;
      }
    }
    const end = code.end(index - 1);
    return { start: end, end, newText: `, ${name} AS ${query}` };
  }

  /** Whether the name means a table somewhere in the statement, which a common table would hide. */
  function isTaken(wanted: string, own: number): boolean {
    if (commonTableNames(code, first, last).includes(wanted)) {
      return true;
    }
    for (let index = first; index <= last; index++) {
      const mayBeTable =
        ['from', 'join', 'only', 'table'].includes(code.word(index - 1)) || code.is(index - 1, ',');
      if (index !== own && mayBeTable && nameAt(code, index) === wanted && !code.is(index + 1, '.')) {
        return true;
      }
    }
    return false;
  }
}
