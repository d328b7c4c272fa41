/** Column widths measured from the first rows. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import { shownText } from '../ui/shown-text.ts';
import { typeWord } from '../ui/type-word.ts';
import { columnWidthMin } from './geometry.ts';

/** Maximum initial width: the user can widen a column of long text, but may not notice a column pushed out of view. */
const fittedWidthMax = 360;
const padding = 18;
const sortMarkWidth = 18;

/** Returns a function that measures text in an element's font. */
export function textMeasure(host: HTMLElement): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  const { fontSize, fontFamily } = getComputedStyle(host);
  if (context !== null) context.font = `${fontSize} ${fontFamily}`;
  return (text) => context?.measureText(text).width ?? text.length * 7;
}

export function fitWidth(
  column: ShownColumn | undefined,
  texts: readonly string[],
  measure: (text: string) => number,
): number {
  if (column === undefined) return columnWidthMin;
  // Measuring is slow, so only the longest strings are measured, even though a shorter one with wide letters may be wider.
  const longest = texts
    .map(shownText)
    .sort((a, b) => b.length - a.length)
    .slice(0, 5);
  const head = measure(column.name) * 1.08 + measure(typeWord(column.type)) * 0.85 + 6 + sortMarkWidth;
  const width = longest.reduce((most, text) => Math.max(most, measure(text)), head) + padding;
  return Math.ceil(Math.max(columnWidthMin, Math.min(fittedWidthMax, width)));
}
