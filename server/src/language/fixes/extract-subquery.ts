/** Extracts a subquery in FROM into a CTE, at any depth. */
import { t } from '#base/texts.ts';
import type { Bindings } from '../names/over-tokens/bindings.ts';
import {
  isSelect,
  type Definition,
  type OutlineCommonTable,
  type OutlineQuery,
  type OutlineSelect,
} from '../names/over-tokens/outline.ts';
import type { Edit } from '../text/edits.ts';
import { isPlainName, nameAt, quoteName } from '../text/identifiers.ts';
import type { Action, ActionPlace } from './action.ts';

interface Subquery {
  readonly query: OutlineQuery;
  readonly alias: Definition;
}

export function extractSubquery(place: ActionPlace): readonly Action[] {
  const { analysis } = place;
  const { code, text } = analysis.lexed;
  const bindings = place.bindings();
  const top = bindings.outline.query;
  const subquery = subqueryAround(place, bindings);
  if (top === undefined || subquery === undefined) return [];
  const { query, alias } = subquery;
  const around = top.commonTables.find(({ first, last }) => first <= query.first && query.last <= last);
  if (!readsOnlyTables(query, bindings, top, around) || isTaken(place, alias)) return [];
  const name = quoteName(alias.name, isPlainName, place.names.nameQuotes);
  const open = query.first - 1;
  const body = `${name} AS ${text.slice(code.start(open), code.end(query.last + 1))}`;
  const replaced = { start: code.start(open), end: code.end(alias.token), newText: name };
  return [
    {
      title: t('Move the subquery to WITH {0}', name),
      kind: 'refactor.extract',
      edits: [insertion(place, top, around, body), replaced],
    },
  ];
}

/** Finds the innermost independent subquery in FROM at the position. */
function subqueryAround({ analysis, at }: ActionPlace, { outline }: Bindings): Subquery | undefined {
  const { code } = analysis.lexed;
  let found: Subquery | undefined;
  for (const select of outline.selects) {
    for (const { query, definition, columnAliases } of select.relations) {
      const isThere = query !== undefined && query.first - 1 <= at && at <= query.last + 1;
      const isInner = found === undefined || (query?.first ?? 0) > found.query.first;
      if (
        isThere &&
        isInner &&
        definition !== undefined &&
        columnAliases.length === 0 &&
        isIndependent(select) &&
        code.word(query.first - 2) !== 'lateral' &&
        code.is(query.first - 1, '(') &&
        code.is(query.last + 1, ')')
      ) {
        found = { query, alias: definition };
      }
    }
  }
  return found;
}

/** A query in an expression may use columns of its outer query. */
const isIndependent = (select: OutlineSelect): boolean => select.parent === undefined;

/** Returns whether the query reads only its own CTEs and those visible at the insertion point. */
function readsOnlyTables(
  query: OutlineQuery,
  { outline }: Bindings,
  top: OutlineQuery,
  around: OutlineCommonTable | undefined,
): boolean {
  const isInside = (token: number): boolean => query.first <= token && token <= query.last;
  const before = around === undefined ? top.commonTables.length : top.commonTables.indexOf(around);
  const visible = new Set(top.commonTables.slice(0, before));
  return outline.selects
    .filter(({ first }) => isInside(first))
    .flatMap(({ relations }) => relations)
    .every(
      ({ commonTable }) =>
        commonTable === undefined || visible.has(commonTable) || isInside(commonTable.definition.token),
    );
}

function insertion(
  { analysis, first }: ActionPlace,
  top: OutlineQuery,
  around: OutlineCommonTable | undefined,
  body: string,
): Edit {
  const { code } = analysis.lexed;
  const last = top.commonTables.at(-1);
  if (around !== undefined) {
    const start = code.start(around.definition.token);
    return { start, end: start, newText: `${body}, ` };
  }
  if (last !== undefined) {
    // Behind SEARCH and CYCLE.
    const [main] = top.branches;
    const behind = main === undefined ? undefined : isSelect(main) ? main.first : main.first - 1;
    const end = code.end(behind === undefined ? last.last + 1 : behind - 1);
    return { start: end, end, newText: `, ${body}` };
  }
  const start = code.start(first);
  return { start, end: start, newText: `WITH ${body}\n` };
}

/** Returns whether the statement also uses the name as a table, which the new CTE would hide. */
function isTaken({ analysis, first, last }: ActionPlace, alias: Definition): boolean {
  const { code } = analysis.lexed;
  for (let index = first; index <= last; index++) {
    const mayBeTable =
      ['from', 'join', 'only', 'table', 'with', 'recursive'].includes(code.word(index - 1)) ||
      code.is(index - 1, ',');
    const isTable = mayBeTable && !code.is(index + 1, '.') && !code.is(index - 1, '.');
    if (index !== alias.token && isTable && nameAt(code, index) === alias.name) return true;
  }
  return false;
}
