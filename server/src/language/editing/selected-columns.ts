/** What GROUP BY and ORDER BY probably name: the columns that the SELECT around them gives. */
import { readColumns } from '../names/over-tokens/bindings.ts';
import type { OutlineOutput } from '../names/over-tokens/outline.ts';
import type { NameContext } from '../names/name-context.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import { isAggregateName } from '../tree/aggregates.ts';

export interface SelectedColumn {
  /** As it is to be written. */
  readonly text: string;
  readonly type: string | undefined;
}

/** Empty where the place is in no GROUP BY or ORDER BY of a SELECT. */
export function selectedColumns(
  code: TokenList,
  span: StatementSpan,
  at: number,
  context: NameContext,
): readonly SelectedColumn[] {
  const { outline, outputTypeOf } = readColumns(code, span, at, context);
  const around = outline.selects.filter(({ first, last }) => first <= at && at <= last + 1);
  const select = around.toSorted((a, b) => b.first - a.first)[0];
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

/** The name that the text gives, else the column as it is written; undefined for what has to be computed again. */
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
