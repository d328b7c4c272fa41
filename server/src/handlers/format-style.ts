/** Parses the formatting settings. */
import type { PrintStyle } from '../language/editing/layout/layout.ts';

/** The user's formatting settings. */
export type FormatStyle = Pick<PrintStyle, 'keywordCase' | 'width'>;
type KeywordCase = FormatStyle['keywordCase'];

const cases: readonly KeywordCase[] = ['preserve', 'upper', 'lower'];
const widths = { least: 20, usual: 50, most: 400 };

export const usualStyle: FormatStyle = { keywordCase: 'preserve', width: widths.usual };

/** Parses the client's `identityQueries.format`. Invalid values fall back to the defaults. */
export function parseFormatStyle(value: unknown): FormatStyle {
  if (typeof value !== 'object' || value === null) return usualStyle;
  const { keywordCase, width } = value as Readonly<Record<string, unknown>>; // Each member is validated below.
  return {
    keywordCase: cases.find((one) => one === keywordCase) ?? usualStyle.keywordCase,
    width:
      typeof width === 'number' && Number.isFinite(width)
        ? Math.round(Math.max(widths.least, Math.min(widths.most, width)))
        : usualStyle.width,
  };
}
