/** Chooses the code lenses that fit beside the side bar of a window that is 800 pixels wide, in every language. */

/** Maximum width of a line of lenses, in average Latin letters. */
const lineWidthMax = 51;

/** The width of the line between two lenses. */
const gapWidth = 3;

/** The letters of Chinese and Japanese are twice as wide. */
const widthOf = (title: string): number =>
  [...title].reduce((width, letter) => width + ((letter.codePointAt(0) ?? 0) >= 0x2e80 ? 2 : 1), 0);

export const lensesFit = (titles: readonly string[]): boolean =>
  titles.reduce((width, title) => width + widthOf(title) + gapWidth, -gapWidth) <= lineWidthMax;

/** Returns the first ways that fit beside `more`, which offers all of them. */
export function fittingLenses<T extends { readonly title: string }>(
  ways: readonly T[],
  more: string,
): readonly T[] {
  let count = ways.length;
  while (count > 1 && !lensesFit([...ways.slice(0, count).map(({ title }) => title), more])) count--;
  return ways.slice(0, count);
}
