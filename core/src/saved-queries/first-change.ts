/** Returns the end of the first change within its line of the second text. Both are 0-based. */
export function endOfFirstChange(
  before: string,
  after: string,
): { readonly line: number; readonly character: number } | undefined {
  const [was, is] = [before, after].map((text) => text.split(/\r\n|\r|\n/)) as [string[], string[]];
  const line = is.findIndex((text, index) => text !== was[index]);
  if (line === -1) return undefined;
  const [old = '', text = ''] = [was[line], is[line]];
  let end = 0;
  while (end < Math.min(old.length, text.length) && old.at(-1 - end) === text.at(-1 - end)) end += 1;
  return { line, character: text.length - end };
}
