/** Key words of single clauses: of a window's frame, of XML and JSON tables, and of recursive queries. */
import type { TokenList } from '../text/lexer/tokens.ts';
import type { Suggestion } from './suggestion.ts';

/** Returns whether a bound of a window's frame follows, as in `ROWS BETWEEN ` and behind its AND. */
export function isFrameBound(code: TokenList, first: number, at: number): boolean {
  const open = openAround(code, first, at);
  if (open === undefined || !['over', 'as'].includes(code.word(open - 1))) return false;
  let unit = at - 1;
  while (unit > open && !frameUnits.has(code.word(unit))) unit--;
  const isUnit = unit > open && !['by', '.', ','].includes(code.textOf(unit - 1).toLowerCase());
  const isNext = unit === at - 1 || (unit === at - 2 && code.word(at - 1) === 'between');
  return isUnit && (isNext || (code.word(unit + 1) === 'between' && code.word(at - 1) === 'and'));
}

const frameUnits = new Set(['rows', 'range', 'groups']);

export function frameBounds(code: TokenList, previous: string): readonly Suggestion[] {
  const bounds = ['UNBOUNDED PRECEDING', 'CURRENT ROW', 'UNBOUNDED FOLLOWING'];
  return inTextCase(code, [...(frameUnits.has(previous) ? ['BETWEEN'] : []), ...bounds]);
}

export function inTextCase(code: TokenList, words: readonly string[]): readonly Suggestion[] {
  const isLower = usesLowerCase(code);
  return words.map((word, order) => {
    const label = isLower ? word.toLowerCase() : word;
    return { label, kind: 'keyword', insertText: label, rank: 1, order };
  });
}

/** Returns the key words that only the clause around the token has, for the grammar to choose from. */
export function clauseWords(code: TokenList, first: number, at: number): readonly Suggestion[] {
  const open = openAround(code, first, at) ?? first - 1;
  if (documentCalls.has(code.word(open - 1))) return inTextCase(code, ofDocuments);
  // The columns of a table that a document is read as.
  if (code.word(open - 1) === 'columns') return inTextCase(code, ofColumns);
  const clause = wordBefore(code, open, at, clauses);
  if (clause === 'exclude') return inTextCase(code, ['CURRENT ROW', 'GROUP', 'TIES', 'NO OTHERS']);
  if (clause !== undefined && frameUnits.has(clause)) return inTextCase(code, ['EXCLUDE']);
  // A column is named.
  if (namesColumn.has(code.word(at - 1))) return [];
  if (clause === 'search') return inTextCase(code, ['SET', 'CYCLE']);
  if (clause === 'cycle') return inTextCase(code, ['SET', 'TO', 'DEFAULT', 'USING']);
  return code.is(at - 1, ')') && clause === 'with'
    ? inTextCase(code, ['SEARCH DEPTH FIRST BY', 'SEARCH BREADTH FIRST BY', 'CYCLE'])
    : [];
}

const documentCalls = new Set([
  ...['xmltable', 'xmlexists', 'json_table', 'json_exists', 'json_query', 'json_value'],
]);
const ofDocuments = ['PASSING', 'COLUMNS'];
const ofColumns = ['PATH', 'NESTED PATH', 'EXISTS', 'DEFAULT', 'NOT NULL'];
const namesColumn = new Set(['by', 'cycle', 'set', 'using']);
const clauses = new Set([...frameUnits, 'exclude', 'search', 'cycle', 'with', 'select']);

/** Returns the last of the words between a bracket that is open and the token, outside of brackets in between. */
function wordBefore(
  code: TokenList,
  open: number,
  at: number,
  words: ReadonlySet<string>,
): string | undefined {
  let depth = 0;
  for (let index = at - 1; index > open; index--) {
    if (code.is(index, ')')) depth++;
    else if (code.is(index, '(')) depth--;
    else if (depth === 0 && words.has(code.word(index))) return code.word(index);
  }
  return undefined;
}

/** Returns the bracket that is open at the token. */
export function openAround(code: TokenList, first: number, at: number): number | undefined {
  let depth = 0;
  for (let index = at - 1; index >= first; index--) {
    if (code.is(index, ')')) {
      depth++;
    } else if (code.is(index, '(') && depth-- === 0) {
      return index;
    }
  }
  return undefined;
}

export function usesLowerCase(code: TokenList): boolean {
  for (let index = 0; index < code.length; index++) {
    if (/^(select|from|where|with)$/.test(code.word(index))) {
      const text = code.textOf(index);
      return text === text.toLowerCase();
    }
  }
  return false;
}
