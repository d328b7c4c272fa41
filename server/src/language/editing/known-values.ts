/** Finds the known values of a column inside the quotes after `column = `, `column <> ` and `column IN (`. */
import { findColumn } from '../names/catalogue.ts';
import type { NameContext } from '../names/name-context.ts';
import { visibleAt } from '../names/over-tokens/visible.ts';
import { nameAt } from '../text/identifiers.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';

export interface KnownValues {
  readonly values: readonly string[];
  readonly column: string;
  readonly type: string;
}

/**
 * Returns the values; undefined if the string is not compared with a column.
 * @param text index of the string's token
 */
export function knownValues(
  code: TokenList,
  span: StatementSpan,
  text: number,
  context: NameContext,
): KnownValues | undefined {
  const { catalogue, model } = context;
  const at = comparedColumn(code, text);
  const name = at === undefined ? undefined : nameAt(code, at);
  if (catalogue === undefined || at === undefined || name === undefined) return undefined;
  const qualifier = code.is(at - 1, '.') ? nameAt(code, at - 2) : undefined;
  const relations = visibleAt(code, span, text, context).scopes.flat();
  for (const { alias, table, columns } of relations) {
    if (qualifier !== undefined && alias !== qualifier) continue;
    const known =
      table === undefined
        ? columns().find((column) => column.name === name)?.catalogue
        : findColumn(catalogue, { model: table.schema ?? model, table: table.name, column: name });
    if (known !== undefined) return { values: known.values ?? [], column: name, type: known.type };
  }
  return undefined;
}

function comparedColumn(code: TokenList, text: number): number | undefined {
  if (['=', '<>', '!='].some((operator) => code.is(text - 1, operator))) return text - 2;
  let index = text - 1;
  while (code.is(index, ',')) index -= 2;
  if (!code.is(index, '(') || code.word(index - 1) !== 'in') return undefined;
  return code.word(index - 2) === 'not' ? index - 3 : index - 2;
}
