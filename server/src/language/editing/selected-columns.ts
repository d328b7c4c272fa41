/** Suggests the selected columns for GROUP BY and ORDER BY. */
import type { ReadColumns } from '../names/over-tokens/bindings.ts';
import { selectAround, type OutlineOutput } from '../names/over-tokens/outline.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { isAggregateName } from '../tree/aggregates.ts';

export interface SelectedColumn {
  /** The text to insert. */
  readonly text: string;
  readonly type: string | undefined;
}

/** Returns nothing outside a SELECT's GROUP BY or ORDER BY. */
export function selectedColumns(
  code: TokenList,
  at: number,
  { outline, outputTypeOf }: ReadColumns,
): readonly SelectedColumn[] {
  const select = selectAround(outline.selects, at);
  const clause = select?.clauses.findLast(({ first }) => first + 1 < at);
  if (select === undefined || (clause?.word !== 'group' && clause?.word !== 'order')) {
    return [];
  }
  const isGroup = clause.word === 'group';
  return select.outputs.flatMap((output) => {
    const text = isGroup && hasAggregate(code, output) ? undefined : writtenAs(code, output);
    return text === undefined ? [] : [{ text, type: outputTypeOf(output, select) }];
  });
}

/** Returns the alias, or the column as written if it has none; undefined for computed values. */
function writtenAs(code: TokenList, { first, last, definition }: OutlineOutput): string | undefined {
  if (definition === undefined) {
    return undefined;
  }
  const isNamed = definition.aliasBehind === undefined;
  const isColumn = definition.token === last;
  return isNamed
    ? code.textOf(definition.token)
    : isColumn
      ? code.text.slice(code.start(first), code.end(last))
      : undefined;
}

function hasAggregate(code: TokenList, { first, last }: OutlineOutput): boolean {
  for (let index = first; index < last; index++) {
    if (code.is(index + 1, '(') && isAggregateName(code.word(index))) {
      return true;
    }
  }
  return false;
}
