/** Suggests the selected columns for GROUP BY and ORDER BY. */
import type { ReadColumns } from '../names/over-tokens/bindings.ts';
import {
  selectAround,
  type Definition,
  type OutlineOutput,
  type OutlineSelect,
} from '../names/over-tokens/outline.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { isAggregateName } from '../tree/aggregates.ts';

export interface SelectedColumn {
  readonly text: string;
  readonly type: string | undefined;
}

/** Returns nothing outside a SELECT's GROUP BY or ORDER BY. */
export function selectedColumns(
  code: TokenList,
  at: number,
  { outline, outputTypeOf, columnsOf }: ReadColumns,
): readonly SelectedColumn[] {
  const select = selectAround(outline.selects, at);
  const clause = select?.clauses.findLast(({ first }) => first + 1 < at);
  if (select === undefined || (clause?.word !== 'group' && clause?.word !== 'order')) return [];
  const isGroup = clause.word === 'group';
  const isElement = startsElement(code, clause.first + 1, at, isGroup);
  const selected = outputNames(select, columnsOf);
  const read = new Set(
    select.relations.flatMap((relation) => columnsOf(relation).list.map(({ name }) => name)),
  );
  return select.outputs.flatMap((output) => {
    const { definition } = output;
    if (definition === undefined || (isGroup && hasAggregate(code, output))) return [];
    const { text, isQualified } = writtenAs(code, output, definition);
    // GROUP BY prefers a column that is read, ORDER BY one that is selected, and no expression names a selected one.
    const isNamed = definition.aliasBehind === undefined;
    const isOther = isGroup ? isNamed && read.has(definition.name) : (selected.get(definition.name) ?? 0) > 1;
    const isWrong = (isNamed && !isElement) || (isOther && !isQualified);
    return text === undefined || isWrong ? [] : [{ text, type: outputTypeOf(output, select) }];
  });
}

/** Returns whether an element of the list begins at the token: brackets hold further ones in GROUP BY alone. */
function startsElement(code: TokenList, by: number, at: number, isGroup: boolean): boolean {
  let depth = 0;
  for (let index = at - 1; index > by; index--) {
    if (code.is(index, ')')) depth++;
    else if (code.is(index, '(') && depth-- === 0) {
      const isSet = ['rollup', 'cube', 'sets', ''].includes(code.word(index - 1));
      return isGroup && isSet && (code.is(at - 1, '(') || code.is(at - 1, ','));
    }
  }
  return at - 1 === by || code.is(at - 1, ',');
}

/** Returns how often the list of a SELECT names each column, also by a star. */
export function outputNames(
  { outputs, relations }: OutlineSelect,
  columnsOf: ReadColumns['columnsOf'],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { definition, name: field, star } of outputs) {
    const own = definition?.name ?? field;
    if (own !== undefined) add(own);
    if (star === undefined) continue;
    for (const relation of relations)
      if (star.length === 0 || star[0] === relation.definition?.name)
        for (const { name } of columnsOf(relation).list) add(name);
  }
  return counts;
}

/** Returns the alias, or the column as written if it has none; no text for computed values. */
function writtenAs(
  code: TokenList,
  { first, last }: OutlineOutput,
  { token, aliasBehind }: Definition,
): { readonly text: string | undefined; readonly isQualified: boolean } {
  if (aliasBehind === undefined) return { text: code.textOf(token), isQualified: false };
  const text = token === last ? code.text.slice(code.start(first), code.end(last)) : undefined;
  return { text, isQualified: first < last };
}

function hasAggregate(code: TokenList, { first, last }: OutlineOutput): boolean {
  for (let index = first; index < last; index++) {
    if (code.is(index + 1, '(') && isAggregateName(code.word(index))) return true;
  }
  return false;
}
