/** Creates a false positive report that contains the shape of a statement, but no user data. */
import type { Finding } from '../checks/finding.ts';
import { nameAt } from '../text/identifiers.ts';
import { keywords } from '../text/keywords.ts';
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';

/**
 * Returns the tokens between the offsets. Names and parameters are numbered, literals are replaced, and comments are
 * dropped.
 */
export function describeFalsePositive(
  { code }: LexedText,
  finding: Finding,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const numbers = new Map<string, string>();
  const numbered = (prefix: string, key: string): string => {
    const known = numbers.get(prefix + key) ?? `${prefix}${numbers.size + 1}`;
    numbers.set(prefix + key, known);
    return known;
  };
  const shape = (index: number): string => {
    const word = code.word(index);
    switch (code.kind(index)) {
      case TokenKind.word:
        return isSyntax(code, index) ? word : numbered('name', word);
      case TokenKind.quotedName:
        return `"${numbered('Name', nameAt(code, index) ?? '')}"`;
      case TokenKind.string:
        return "'text'";
      case TokenKind.number:
        return '0';
      case TokenKind.placeholder:
        return `:${numbered('parameter', code.textOf(index))}`;
      case TokenKind.operator:
      case TokenKind.punctuation:
      case TokenKind.positional:
        return code.textOf(index);
      default:
        return '?';
    }
  };
  const words: string[] = [];
  for (let index = code.at(start); index < code.length && code.start(index) < end; index++) {
    const isStart = code.start(index) <= finding.start && finding.start < code.end(index);
    words.push(isStart ? `>>> ${shape(index)}` : shape(index));
  }
  return [
    'False positive of Identity Queries',
    `Code: ${finding.code}`,
    `Severity: ${finding.severity}`,
    'Statement, with names and values replaced, the mark at >>>:',
    words.join(' '),
    '',
  ].join('\n');
}

/** Unreserved words that are syntax in queries. */
const queryWords: ReadonlySet<string> = new Set(
  `by over partition range rows groups filter within recursive materialized unbounded preceding following current row
   first last nulls next only escape ordinality ties exclude others cube rollup sets between values interval exists
   grouping lateral at zone time`.split(/\s+/),
);

/** Returns whether a word is syntax. Most such words may also be user-defined names. */
function isSyntax(code: TokenList, index: number): boolean {
  const word = code.word(index);
  if (code.is(index - 1, '.') || code.is(index + 1, '.')) return false;
  const category = keywords.get(word);
  return (
    category === 'reserved' ||
    category === 'typeOrFunctionName' ||
    queryWords.has(word) ||
    (category === 'columnName' && (code.is(index + 1, '(') || code.is(index - 1, '::')))
  );
}
