/** Says a number of things in English, for texts that are not translated. */

/** @returns `1 row` or `12,000 rows` */
export function countedText(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${many}`;
}
