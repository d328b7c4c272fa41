/**
 * Determines the names visible at a position. Uses only tokens, so it works in incomplete text. It may miss names, so
 * findings never depend on it.
 */
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
    const { from, until } = joinedAt(select, at);
    const isJoined = ({ first = from }: OutlineRelation): boolean => from <= first && first < until;
    scopes.push([
      ...(before === undefined ? [] : [{ alias: undefined, name: undefined, columns: () => before.list }]),
      ...select.relations.filter((relation) => isJoined(relation) && isWritten(relation)).map(toVisible),
    ]);
  }
  const commonTables = new Set(
    outline.queries
      .filter((query) => isAround(query, at))
      .flatMap((query) => commonTablesAt(query, code, at).map(({ definition }) => definition.name)),
  );
  return { scopes, commonTables: [...commonTables] };
}

/** Where the tables begin and end that FROM sees: behind ON those of the join, in LATERAL those before it. */
function joinedAt(
  { conditions, relations }: OutlineSelect,
  at: number,
): { readonly from: number; readonly until: number } {
  const condition = conditions.find((each) => isAround(each, at));
  const lateral = relations.find(({ query }) => query !== undefined && isAround(query, at));
  return { from: condition?.from ?? 0, until: condition?.first ?? lateral?.first ?? Infinity };
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
