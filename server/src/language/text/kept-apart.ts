/** Keeps edits from merging words, whatever they insert or remove. */
import type { Edit } from './edits.ts';
import { lex } from './lexer/lex.ts';
import type { LexedText } from './lexer/tokens.ts';

/** Returns the edits with a space where they would merge two tokens: `SELECT id,FROM t` without its comma. */
export function keptApart({ all }: LexedText, edits: readonly Edit[]): readonly Edit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return sorted.map((edit, index) => {
    const { start, end, newText } = edit;
    // Beside another edit stands its text, not the one that is there now.
    const isAlone = (sorted[index - 1]?.end ?? -1) < start && (sorted[index + 1]?.start ?? Infinity) > end;
    if (!isAlone) return edit;
    const [left, right] = [all.at(start - 1), all.at(end)];
    const before = start > 0 && all.end(left) === start ? all.textOf(left) : '';
    const after = right < all.length && all.start(right) === end ? all.textOf(right) : '';
    if (newText === '') return isMerged(before, after) ? { ...edit, newText: ' ' } : edit;
    const space = (one: string, other: string): string => (isMerged(one, other) ? ' ' : '');
    return { ...edit, newText: `${space(before, newText)}${newText}${space(newText, after)}` };
  });
}

function isMerged(left: string, right: string): boolean {
  const [one, other] = [lex(left), lex(right)];
  // A lone quote ends or begins what is beside it.
  const isWhole = one.problems.length + other.problems.length === 0;
  const apart = [...textsOf(one), ...textsOf(other)].join('\0');
  return isWhole && /\S$/.test(left) && /^\S/.test(right) && textsOf(lex(left + right)).join('\0') !== apart;
}

const textsOf = ({ all }: LexedText): readonly string[] =>
  Array.from({ length: all.length }, (_, index) => all.textOf(index));
