/**
 * Suggests the columns in scope, each so that its name is clear: qualified where several tables have one of that name,
 * and not at all where nothing can name it.
 */
import { columnsMax } from '../names/expansion-limit.ts';
import type { ReadColumns } from '../names/over-tokens/bindings.ts';
import { selectAround, type Outline } from '../names/over-tokens/outline.ts';
import { mergedAt, type VisibleRelation } from '../names/over-tokens/visible.ts';
import { nameAt, quoteName } from '../text/identifiers.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import { columnSuggestions, isPlain } from './name-suggestions.ts';
import { outputNames } from './selected-columns.ts';
import type { Suggestion } from './suggestion.ts';

/** @param scopes the relations that a bare name may mean, the innermost query first. */
export function clearColumns(
  code: TokenList,
  { span, at, read }: { readonly span: StatementSpan; readonly at: number; readonly read: ReadColumns },
  scopes: readonly (readonly VisibleRelation[])[],
): readonly Suggestion[] {
  const relations = unambiguous(scopes.flat().filter(isReadable), scopes, {
    ...mergedColumns(code, read, at),
    written: columnsWritten(code, span, read.outline),
  });
  return upTo(columnsMax, relations);
}

export const isReadable = ({ isRefused }: VisibleRelation): boolean => isRefused !== true;

/** Returns how often USING names each column around the token, and in ORDER BY how often the list does. */
function mergedColumns(
  code: TokenList,
  { outline, columnsOf: outputsOf }: ReadColumns,
  at: number,
): {
  readonly isNatural: boolean;
  readonly using: ReadonlyMap<string, number>;
  readonly selected: ReadonlyMap<string, number>;
} {
  const select = selectAround(outline.selects, at);
  const isOrder = select?.clauses.findLast(({ first }) => first < at)?.word === 'order';
  return {
    // Of more than two tables, some may be joined otherwise.
    isNatural: select?.isNatural === true && select.relations.length === 2,
    using: select === undefined ? new Map<string, number>() : mergedAt(code, select, at),
    selected: isOrder ? outputNames(select, outputsOf) : new Map<string, number>(),
  };
}

/** Returns the columns that the statement names of a table. */
type Written = (alias: string | undefined) => ReadonlySet<string>;

const noNames: ReadonlySet<string> = new Set();

/**
 * Finds the columns that a statement names of each table: all that is known of one that no model has. Those without an
 * alias are columns of some table before them, as in `FROM t, unnest(tags)`.
 */
function columnsWritten(
  code: TokenList,
  { firstToken, lastToken }: StatementSpan,
  { selects }: Outline,
): Written {
  let found: Map<string | undefined, Set<string>> | undefined;
  const read = (): Map<string | undefined, Set<string>> => {
    const names = new Map<string | undefined, Set<string>>();
    const add = (alias: string | undefined, name: string | undefined): void => {
      const own = names.get(alias) ?? new Set();
      if (name !== undefined) names.set(alias, own.add(name));
    };
    for (let index = firstToken; index + 1 < lastToken; index++)
      if (code.is(index + 1, '.')) add(nameAt(code, index), nameAt(code, index + 2));
    for (const { first, last } of selects.flatMap(({ laterals }) => laterals)) {
      for (let index = first; index <= last; index++) {
        const isBare = !code.is(index - 1, '.') && !code.is(index + 1, '.') && code.word(index - 1) !== 'as';
        if (isBare && !code.is(index + 1, '(')) add(undefined, nameAt(code, index));
      }
    }
    return names;
  };
  return (alias) => (found ??= read()).get(alias) ?? noNames;
}

/** A relation with the names that only its alias makes clear. */
interface NamedRelation extends VisibleRelation {
  readonly isUnclear: (column: string) => boolean;
}

/**
 * A column is qualified if several tables of its query have one of that name, or if a query inside hides it: PostgreSQL
 * would refuse the bare name, or silently take the inner column.
 */
function unambiguous(
  relations: readonly VisibleRelation[],
  scopes: readonly (readonly VisibleRelation[])[],
  { isNatural, using, selected, written }: ReturnType<typeof mergedColumns> & { readonly written: Written },
): readonly NamedRelation[] {
  const inner = new Set<string>();
  const unclear = new Map<VisibleRelation, ReadonlySet<string>>();
  for (const [depth, scope] of scopes.entries()) {
    const counts = new Map<string, number>();
    for (const relation of scope) {
      for (const { name } of relation.columns()) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const unknown = counts.size === 0 ? [] : scope.filter(({ columns }) => columns().length === 0);
    const aliases = unknown.length === 0 ? [] : [undefined, ...unknown.map(({ alias }) => alias)];
    for (const alias of new Set(aliases)) {
      for (const name of written(alias)) if (counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const names = new Set<string>();
    for (const [name, count] of counts) {
      const merged = depth === 0 ? (isNatural ? count - 1 : (using.get(name) ?? 0)) : 0;
      // Of two selected columns of one name, ORDER BY takes neither.
      const isSelectedTwice = depth === 0 && (selected.get(name) ?? 0) > 1;
      if (count - merged > 1 || inner.has(name) || isSelectedTwice) names.add(name);
    }
    for (const relation of scope) unclear.set(relation, names);
    for (const name of counts.keys()) inner.add(name);
  }
  return relations.map((relation) => ({
    ...relation,
    isUnclear: (column) => unclear.get(relation)?.has(column) === true,
  }));
}

function upTo(max: number, relations: readonly NamedRelation[]): readonly Suggestion[] {
  const found: Suggestion[] = [];
  for (const relation of relations) {
    for (const column of found.length < max ? columnsOf(relation) : []) found.push(column);
  }
  return found;
}

/** Without an alias, a column of an unclear name cannot be written at all. */
function columnsOf(relation: NamedRelation): readonly Suggestion[] {
  const { alias, isUnclear } = relation;
  return columnSuggestions(relation).flatMap((column) => {
    if (!isUnclear(column.label)) return column;
    return alias === undefined
      ? []
      : { ...column, insertText: `${quoteName(alias, isPlain)}.${column.insertText}`, qualifier: alias };
  });
}
