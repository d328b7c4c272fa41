/**
 * What a place in a text can name, from its tokens alone: unlike a parser this also works while the text is broken,
 * which it is while somebody types. It may miss something; it is never used to report anything.
 */
import type { TokenList } from '../../text/lexer/tokens.ts';
import type { StatementSpan } from '../../text/statements.ts';
import type { NameContext } from '../name-context.ts';
import { readColumns, type BoundColumn, type ReadColumns } from './bindings.ts';
import type { OutlineRelation, OutlineSelect } from './outline.ts';

export interface VisibleRelation {
  /** What qualifies its columns; undefined where nothing does. */
  readonly alias: string | undefined;
  /** A table of a model. */
  readonly table?: { readonly schema?: string; readonly name: string };
  /** What the alias stands for: the table, or the common table. */
  readonly name: string | undefined;
  /** Those that are known. */
  readonly columns: () => readonly BoundColumn[];
}

export interface Visible {
  /** The relations of the SELECT around the token, then those of each SELECT around it that it sees. */
  readonly scopes: readonly (readonly VisibleRelation[])[];
  /** All that the statement gives by WITH. */
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
    const { definition, functionName, table, commonTable } = relation;
    return {
      alias: definition?.name ?? functionName,
      ...(table === undefined ? {} : { table }),
      name: table?.name ?? commonTable?.definition.name,
      columns: () => columnsOf(relation).list,
    };
  };
  // Not a model, behind which no table is written yet; and a LATERAL subquery does not see itself.
  const isWritten = ({ definition, query }: OutlineRelation): boolean =>
    (definition === undefined || !code.is(definition.token + 1, '.')) &&
    (query === undefined || !isAround(query, at));
  const scopes: VisibleRelation[][] = [];
  for (let select = selectAround(outline.selects, at); select !== undefined; select = select.parent) {
    const before = outputsBefore(select);
    scopes.push([
      ...(before === undefined ? [] : [{ alias: undefined, name: undefined, columns: () => before.list }]),
      ...select.relations.filter(isWritten).map(toVisible),
    ]);
  }
  const commonTables = outline.queries.flatMap((query) =>
    query.commonTables.map(({ definition }) => definition.name),
  );
  return { scopes, commonTables };
}

function selectAround(selects: readonly OutlineSelect[], at: number): OutlineSelect | undefined {
  let inner: OutlineSelect | undefined;
  for (const select of selects) {
    if (isAround(select, at) && (inner === undefined || select.first >= inner.first)) {
      inner = select;
    }
  }
  return inner;
}

const isAround = ({ first, last }: { readonly first: number; readonly last: number }, at: number): boolean =>
  first <= at && at <= last + 1;
