/**
 * Determines the names visible at a position. Uses only tokens, so it works in incomplete text. It may miss names, so
 * findings never depend on it.
 */
import { nameAt } from '#server/language/text/identifiers.ts';
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import type { NameContext } from '../name-context.ts';
import { readColumns, type BoundColumn, type ReadColumns } from './bindings.ts';
import {
  isAround,
  selectAround,
  type OutlineCommonTable,
  type OutlineQuery,
  type OutlineRelation,
  type OutlineSelect,
} from './outline.ts';

export interface VisibleRelation {
  /** The name that qualifies the columns; undefined if there is none. */
  readonly alias: string | undefined;
  /** The first token of its item in FROM. */
  readonly first?: number;
  /** Set only for a model's table. */
  readonly table?: { readonly schema?: string; readonly name: string };
  /** The name of the table or CTE, if any. */
  readonly name: string | undefined;
  /** Set if its columns belong to other relations, too. */
  readonly isOnlyQualified?: true;
  /** Set if it must not be read here, although its columns make others ambiguous: beside a RIGHT or FULL JOIN. */
  readonly isRefused?: true;
  /** The known columns. */
  readonly columns: () => readonly BoundColumn[];
}

export interface Visible {
  /** The relations of the SELECT that contains the token, then those of each visible outer SELECT. */
  readonly scopes: readonly (readonly VisibleRelation[])[];
  /** The CTEs that a query here may read. */
  readonly commonTables: readonly string[];
}

export function visibleAt(code: TokenList, span: StatementSpan, at: number, context: NameContext): Visible {
  return visibleIn(readColumns(code, span, at, context), code, at);
}

export function visibleIn(
  { outline, columnsOf, outputsBefore }: Omit<ReadColumns, 'outputTypeOf'>,
  code: TokenList,
  at: number,
): Visible {
  const toVisible = (relation: OutlineRelation): VisibleRelation => {
    const { first, definition, functionName, functionNames, table, commonTable, isOnlyQualified } = relation;
    return {
      ...(first === undefined ? {} : { first }),
      alias: definition?.name ?? functionName ?? functionNames?.[0],
      ...(isOnlyQualified === undefined ? {} : { isOnlyQualified }),
      ...(table === undefined ? {} : { table }),
      name: table?.name ?? commonTable?.definition.name,
      columns: () => columnsOf(relation).list,
    };
  };
  // Excludes `model.` while the table name is missing, and a LATERAL subquery, which cannot read itself.
  const isWritten = ({ definition, query, inside, brackets }: OutlineRelation): boolean =>
    (brackets === undefined || !isAround(brackets, at)) &&
    (definition === undefined || !code.is(definition.token + 1, '.')) &&
    (query === undefined || !isAround(query, at)) &&
    (inside === undefined || isAround(inside, at));
  const scopes: VisibleRelation[][] = [];
  for (let select = selectAround(outline.selects, at); select !== undefined; select = select.parent) {
    const before = outputsBefore(select);
    const { isRead, isRefused } = readAt(select, at);
    const isJoined = ({ first }: OutlineRelation): boolean => first === undefined || isRead(first);
    const toRead = (relation: OutlineRelation): VisibleRelation =>
      relation.first !== undefined && isRefused(relation.first)
        ? { ...toVisible(relation), isRefused: true }
        : toVisible(relation);
    scopes.push([
      ...(before === undefined ? [] : [{ alias: undefined, name: undefined, columns: () => before.list }]),
      ...select.relations.filter((relation) => isJoined(relation) && isWritten(relation)).map(toRead),
    ]);
  }
  const commonTables = new Set(
    outline.queries
      .filter((query) => isAround(query, at))
      .flatMap((query) => commonTablesAt(query, code, at).map(({ definition }) => definition.name)),
  );
  return { scopes, commonTables: [...commonTables] };
}

/** Which items of FROM a token sees, by their first tokens: behind ON those of the join, in LATERAL those before it. */
function readAt(
  { conditions, laterals }: OutlineSelect,
  at: number,
): Readonly<Record<'isRead' | 'isRefused', (item: number) => boolean>> {
  const condition = conditions.find((each) => isAround(each, at));
  const lateral = condition === undefined ? laterals.find((each) => isAround(each, at)) : undefined;
  const from = condition?.from ?? 0;
  const until = condition?.first ?? lateral?.until ?? Infinity;
  return {
    isRead: (item) => from <= item && item < until,
    isRefused: (item) => lateral?.hidden.some(([first, behind]) => first <= item && item < behind) === true,
  };
}

/** Returns how often USING names each column of the tables that the token reads, of those from one on. */
export function mergedAt(
  code: TokenList,
  select: OutlineSelect,
  at: number,
  from = 0,
): ReadonlyMap<string, number> {
  const { isRead } = readAt(select, at);
  const brackets = select.relations.flatMap((each) => each.brackets ?? []);
  const merged = new Map<string, number>();
  for (const {
    clause,
    tokens: [token = -1],
  } of select.mentions) {
    const name = clause === 'using' ? nameAt(code, token) : undefined;
    const isInside = brackets.some((each) => isAround(each, token) && !isAround(each, at));
    if (name !== undefined && token >= from && isRead(token) && !isInside)
      merged.set(name, (merged.get(name) ?? 0) + 1);
  }
  return merged;
}

/** A CTE reads those before it, and with RECURSIVE all of its WITH. */
function commonTablesAt(
  { commonTables, first }: OutlineQuery,
  code: TokenList,
  at: number,
): readonly OutlineCommonTable[] {
  const own = commonTables.findIndex((table) => isAround(table, at));
  return own < 0 || code.word(first + 1) === 'recursive' ? commonTables : commonTables.slice(0, own);
}
