/** Reads a flag, which some services write as a word or a number. Undefined if the value is none. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (/^(?:true|yes|y|1)$/i.test(word)) return true;
  return /^(?:false|no|n|0)$/i.test(word) ? false : undefined;
}
