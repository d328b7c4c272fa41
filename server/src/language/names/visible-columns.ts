/** Columns that a place can speak of by the text alone: of common tables and of subqueries. */
import type { TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import { readColumns } from './over-tokens/bindings.ts';
import type { OutlineSelect } from './over-tokens/outline.ts';
import type { NameContext } from './name-context.ts';

/** Names by the alias or table that has them, the innermost first. */
export function derivedColumns(
  code: TokenList,
  span: StatementSpan,
  at: number,
  context: NameContext,
): ReadonlyMap<string, readonly string[]> {
  const bindings = readColumns(code, span, context);
  const found = new Map<string, readonly string[]>();
  let inner: OutlineSelect | undefined;
  for (const select of bindings.outline.selects) {
    const isAround = select.first <= at && at <= select.last + 1;
    if (isAround && (inner === undefined || select.first >= inner.first)) {
      inner = select;
    }
  }
  for (let select = inner; select !== undefined; select = select.parent) {
    for (const relation of select.relations) {
      const name = relation.definition?.name;
      const isDerived = relation.query ?? relation.commonTable;
      if (
        name !== undefined &&
        !found.has(name) &&
        (isDerived !== undefined || relation.columnAliases.length > 0)
      ) {
        found.set(
          name,
          bindings.columnsOf(relation).list.map((column) => column.name),
        );
      }
    }
  }
  return found;
}
