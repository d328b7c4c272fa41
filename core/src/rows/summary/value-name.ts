/** Names a column's value where the column is not in sight: headers of a pivot, series of a chart. */

/** Numbers, and words for true and false. */
const bare = /^(?:[-+]?[\d.,]+(?:e[-+]?\d+)?|true|false|t|f|yes|no|y|n|on|off)$/i;

/**
 * Returns the words of a value, with its column if the value alone says too little: `enabled: true`, but `Sales`.
 *
 * @param words the value as shown.
 */
export function valueName(column: string, value: string | null, words: string): string {
  const explainsItself = value !== null && value !== '' && !bare.test(value);
  return explainsItself ? words : `${column}: ${words}`;
}

/** Returns the words of a value without its column. */
export function wordsOfValueName(column: string, name: string): string {
  const prefix = `${column}: `;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
