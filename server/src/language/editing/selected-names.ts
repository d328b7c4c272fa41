/** The names of a query's selected columns. Uses only tokens, so it also works for invalid text. */
import type { NameContext } from '../names/name-context.ts';
import { readColumns } from '../names/over-tokens/bindings.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';

export function selectedNames(lexed: LexedText, context: NameContext): readonly string[] {
  const { code } = lexed;
  const [span] = splitStatements(lexed);
  if (span === undefined) return [];
  const { selects } = readColumns(code, span, span.lastToken, context).outline;
  const isInside = (inner: (typeof selects)[number]) =>
    selects.some((outer) => outer !== inner && outer.first < inner.first && inner.last <= outer.last);
  const outermost = selects.findLast((select) => !isInside(select));
  const names = (outermost?.outputs ?? []).flatMap(({ definition }) =>
    definition === undefined ? [] : code.textOf(definition.token),
  );
  return [...new Set(names)];
}
