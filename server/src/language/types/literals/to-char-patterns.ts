/**
 * Checks number patterns for to_char and to_number (formatting.c). Finds only those that PostgreSQL certainly rejects.
 */

/** Returns PostgreSQL's message, or undefined if the pattern is valid or not checked. */
export function numberPatternProblem(pattern: string): string | undefined {
  const plain = pattern.replaceAll(/"[^"]*"?|\\[^]/g, '').toUpperCase();
  const points = plain.replaceAll(/RD|ND|TH/g, '').match(/[.D]/g)?.length ?? 0;
  if (points > 1) return 'multiple decimal points';
  if (points > 0 && plain.includes('V')) return 'cannot use "V" and decimal point together';
  const exponent = plain.indexOf('EEEE');
  return exponent >= 0 && /[9018,.]/.test(plain.slice(exponent + 4))
    ? '"EEEE" must be the last pattern used'
    : undefined;
}
