/**
 * Leaves out suggestions that PostgreSQL's grammar refuses at their place. The parser has no tables to ask, so it reads
 * the text before the place with each word behind it.
 */
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';
import { replacePlaceholders, type StatementSpan } from '../text/statements.ts';
import type { Suggestion } from './suggestion.ts';

/**
 * Returns for each text whether the grammar allows it directly behind the beginning of a statement; undefined if that is
 * not known at once, or if the beginning itself is refused.
 */
export type GrammarProbe = (beginning: string, texts: readonly string[]) => readonly boolean[] | undefined;

export function allowedSuggestions(
  lexed: LexedText,
  span: StatementSpan,
  offset: number,
  { suggestions, probe }: { readonly suggestions: readonly Suggestion[]; readonly probe: GrammarProbe },
): readonly Suggestion[] {
  const { code } = lexed;
  const at = code.at(offset);
  const isFirst = at <= span.firstToken;
  if (!isFirst && code.kind(at - 1) === TokenKind.invalid) return suggestions;
  const start = code.start(selectBefore(code, span.firstToken, at));
  // The grammar reads some words with the next one, so they are asked about together.
  const isHeld = !isFirst && Object.hasOwn(readWithNext, code.word(at - 1));
  const behind = isHeld ? at - 2 : at - 1;
  // Two operators that touch are one token, until something stands between them.
  const end = code.start(at) < offset ? offset : code.end(behind);
  const isWhole = isFirst || behind < span.firstToken;
  const beginning = isWhole
    ? ''
    : replacePlaceholders(lexed, { ...span, start, end }).replaceAll(/ {2,}/g, ' ');
  const withHeld = (text: string): string => (isHeld ? `${code.word(at - 1)} ${text}` : text);
  const answers = new Map<string, boolean>();
  const ask = (texts: readonly string[]): boolean => {
    const open = [...new Set(texts)].filter((text) => !answers.has(text));
    const found = open.length === 0 ? [] : probe(beginning, open.map(withHeld));
    open.forEach((text, index) => answers.set(text, found?.[index] === true));
    return found !== undefined;
  };
  const allows = (text: string): boolean => answers.get(text) === true;
  if (!ask(suggestions.flatMap(probesOf))) return suggestions;
  const reading = suggestions.filter((suggestion) => probesOf(suggestion).some(allows));
  const types = reading.filter(({ kind }) => kind === 'type');
  // Where a type is expected, what else the grammar reads would be the name of one.
  const allowed = types.length > 0 ? types : reading;
  // Where a name may stand, so may every key word that is not reserved, but as a name.
  const words = allowed.flatMap((each) => (each.kind === 'keyword' ? each.insertText.toLowerCase() : []));
  const doubtful = new Map(
    words.flatMap((word) => {
      const next = asKeyWord[word];
      return next === undefined ? [] : [[word, next.map((text) => `${word} ${text}`)] as const];
    }),
  );
  if (doubtful.size === 0 || !ask([name]) || !allows(name)) return allowed;
  ask([...doubtful.values()].flat());
  return allowed.filter(({ kind, insertText }) => {
    const texts = kind === 'keyword' ? doubtful.get(insertText.toLowerCase()) : undefined;
    return texts === undefined || texts.some(allows);
  });
}

/** All names are alike to the grammar. */
const name = 'x';

/** What follows key words that could also be names, as columns, functions or aliases, even without AS. */
const asKeyWord: Readonly<Record<string, readonly string[]>> = {
  by: [],
  join: ['x ON'],
  left: ['join'],
  right: ['join'],
  inner: ['join'],
  full: ['join'],
  cross: ['join'],
  natural: ['join'],
  is: ['null'],
  like: ['x'],
  ilike: ['x'],
  between: ['1 AND'],
  exists: ['(select'],
  values: ['(1)'],
  select: ['*'],
  when: ['x then'],
  then: ['x'],
  else: ['x'],
  end: ['is null'],
  using: ['('],
  asc: ['nulls first'],
  desc: ['nulls first'],
  recursive: ['x AS ('],
  first: [],
  last: [],
  over: ['(partition by'],
  partition: ['by x'],
  filter: ['(where'],
  rows: ['unbounded preceding'],
  range: ['unbounded preceding'],
  interval: ["'1'"],
  cycle: ['x set'],
  'search depth first by': ['x set'],
  'search breadth first by': ['x set'],
};

/**
 * Returns the SELECT that the token belongs to, or the first token: what stands before a SELECT does not change what the
 * grammar allows inside.
 */
function selectBefore(code: TokenList, first: number, at: number): number {
  let closed = 0;
  for (let index = at - 1; index > first; index--) {
    if (code.is(index, ')')) closed++;
    else if (code.is(index, '(')) closed = Math.max(0, closed - 1);
    else if (closed === 0 && code.word(index) === 'select') return index;
  }
  return first;
}

/** The grammar reads these words with the next one. */
const readWithNext: Readonly<Record<string, readonly string[]>> = {
  not: ['not', 'not in'],
  nulls: ['nulls first'],
  with: ['with', 'with ordinality'],
};

/** Returns texts of which the grammar must allow one. All strings are alike to it, all operands, and all types. */
function probesOf({ kind, insertText }: Suggestion): readonly string[] {
  switch (kind) {
    case 'keyword': {
      const word = insertText.toLowerCase();
      return readWithNext[word] ?? [word];
    }
    case 'value':
      return ["'x'"];
    case 'parameter':
      return ['.0'];
    case 'type':
      // With nothing behind it may begin a constant, as in `date '2026-01-31'`.
      return ['double precision [', 'double precision )'];
    case 'column':
    case 'alias':
      return [`${name} ::`];
    case 'function':
      // Without its schema it may be a new name with a list of columns.
      return [`${name}.${name} (`];
    default:
      return [name];
  }
}
