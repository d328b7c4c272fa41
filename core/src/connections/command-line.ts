/**
 * Converts between a typed command line and a program with its arguments. Quotes group words; no other character is
 * special.
 */
import { t } from '#base/texts.ts';

/** Says why `splitCommand` found no program, as text that follows a colon. */
export function sayCommandProblem(line: string): string {
  return wordsOf(line).isOpen ? t('a quote is not closed') : t('it names no program');
}

/**
 * Splits a line into words, separated by spaces and grouped by single or double quotes. Undefined if the line is empty
 * or a quote is not closed.
 */
export function splitCommand(line: string): readonly [string, ...string[]] | undefined {
  const { words, isOpen } = wordsOf(line);
  const [program, ...rest] = words;
  return isOpen || program === undefined || program === '' ? undefined : [program, ...rest];
}

function wordsOf(line: string): { readonly words: readonly string[]; readonly isOpen: boolean } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const character of line) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return { words, isOpen: quote !== undefined };
}

/** Joins words into a line that `splitCommand` splits into the same words. */
export function joinCommand(words: readonly string[]): string {
  return words
    .map((word) => {
      if (word !== '' && !/[\s"']/.test(word)) return word;
      // Quote each part with the kind of quote that it does not contain.
      return (word.match(/[^"]+|"+/g) ?? [''])
        .map((part) => (part.startsWith('"') ? `'${part}'` : `"${part}"`))
        .join('');
    })
    .join(' ');
}
