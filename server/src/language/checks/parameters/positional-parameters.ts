/** Reports `$1` and similar parameters: the service binds by name, so they would never get a value. */
import { t } from '#base/texts.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import { finding, type Finding } from '../finding.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

export function checkPositionalParameters(code: TokenList, statements: readonly Span[]): readonly Finding[] {
  const positional = tokensOf(code, TokenKind.positional);
  if (positional.length === 0) return [];
  const taken = new Set(tokensOf(code, TokenKind.placeholder).map((index) => code.textOf(index).slice(1)));
  const within = new Map<Span, Map<string, number[]>>();
  let next = 0;
  for (const index of positional) {
    while ((statements[next]?.end ?? Infinity) <= code.start(index)) next++;
    const statement = statements[next];
    if (statement !== undefined) {
      const uses = within.get(statement) ?? new Map<string, number[]>();
      within.set(statement, uses);
      const text = code.textOf(index);
      const same = uses.get(text);
      if (same === undefined) {
        uses.set(text, [index]);
      } else {
        same.push(index);
      }
    }
  }
  return [...within.values()].flatMap((uses) =>
    [...uses].flatMap(([text, indexes]) => findingsFor(code, text, indexes, freeName(text, taken))),
  );
}

function tokensOf(code: TokenList, kind: TokenKind): readonly number[] {
  const indexes: number[] = [];
  for (let index = 0; index < code.length; index++) {
    if (code.kind(index) === kind) indexes.push(index);
  }
  return indexes;
}

/** Returns one finding per use. The fix replaces all uses, since they share a value. */
function findingsFor(
  code: TokenList,
  text: string,
  indexes: readonly number[],
  name: string,
): readonly Finding[] {
  const message = t(
    '{0} has no value here: the service binds parameters by name. Write :{1}, or another name.',
    text,
    name,
  );
  const fix = {
    title: t('Replace with {0}', `:${name}`),
    edits: indexes.map((index) => ({
      start: code.start(index),
      end: code.end(index),
      // After a colon, as in an array slice, `:name` would become a cast.
      newText: code.text.charAt(code.start(index) - 1) === ':' ? ` :${name}` : `:${name}`,
    })),
  };
  return indexes.map((index) => ({
    ...finding('POSITIONAL_PARAMETER', message, code.start(index), code.end(index)),
    fix,
  }));
}

function freeName(text: string, taken: ReadonlySet<string>): string {
  let name = `p${text.slice(1)}`;
  while (taken.has(name)) name += '_';
  return name;
}
