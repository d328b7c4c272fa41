/** A program with its arguments as people type it, and back. Quotes hold words together; nothing else is special. */

/**
 * The words of a line, separated by spaces and grouped by single or double quotes. Undefined if empty or a quote is
 * open.
 */
export function splitCommand(line: string): readonly [string, ...string[]] | undefined {
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
  const [program, ...rest] = words;
  return quote !== undefined || program === undefined || program === '' ? undefined : [program, ...rest];
}

/** A line that `splitCommand` splits into the same words. */
export function joinCommand(words: readonly string[]): string {
  return words
    .map((word) => {
      if (word !== '' && !/[\s"']/.test(word)) return word;
      // Each part in the kind of quotes it does not contain.
      return (word.match(/[^"]+|"+/g) ?? [''])
        .map((part) => (part.startsWith('"') ? `'${part}'` : `"${part}"`))
        .join('');
    })
    .join(' ');
}
