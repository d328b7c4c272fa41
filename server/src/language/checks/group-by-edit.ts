/** Adds columns to the GROUP BY of a SELECT. */
import type { Edit } from '../text/edits.ts';
import type { TokenList } from '../text/lexer/tokens.ts';

const behindGroupBy = new Set('having window order limit offset fetch for union intersect except'.split(' '));

/**
 * Appends the names to GROUP BY, or inserts a new GROUP BY before later clauses.
 * @param first a token of the SELECT list, outside parentheses
 */
export function groupByEdit(code: TokenList, first: number, names: readonly string[]): Edit {
  let depth = 0;
  let hasGroupBy = false;
  let index = first;
  for (; index < code.length; index++) {
    if (code.is(index, '(')) {
      depth++;
    } else if (code.is(index, ')')) {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && (code.is(index, ';') || behindGroupBy.has(code.word(index)))) {
      break;
    } else if (depth === 0 && code.word(index) === 'group' && code.word(index + 1) === 'by') {
      hasGroupBy = true;
    }
  }
  const offset = code.end(index - 1);
  const newText = hasGroupBy ? `, ${names.join(', ')}` : ` GROUP BY ${names.join(', ')}`;
  return { start: offset, end: offset, newText };
}

/** Returns the first token of the list of the innermost SELECT around a token; undefined if there is none. */
export function selectListAround(code: TokenList, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index >= 0; index--) {
    if (code.is(index, ';')) return undefined;
    if (code.is(index, ')')) depth++;
    else if (code.is(index, '(')) depth = Math.max(0, depth - 1);
    else if (depth === 0 && code.word(index) === 'select') return index + 1;
  }
  return undefined;
}
