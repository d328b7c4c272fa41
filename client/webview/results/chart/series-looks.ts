/**
 * How the series of a chart look. Color is never all that tells them apart: lines differ in their dashes, and bars in
 * high contrast in their textures.
 */
import type { NamedChart } from './chart-picture.ts';
import { make } from './svg-parts.ts';

/** In pixels, one for each color of `chart.css`. */
const dashes = ['', '7 3', '2 3', '10 3 2 3', '5 2', '1 3', '10 3 2 3 2 3'];

/** Lines on a square of this many pixels. */
const textureSize = 8;
const textures = [
  '',
  'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  'M0 4H8',
  'M-2 6L2 10M0 0L8 8M6 -2L10 2',
  'M4 0V8',
  'M0 4H8M4 0V8',
  'M0 0L8 8M0 8L8 0',
];

/** Returns a group whose marks look like a series, or an ordinary one if the chart is not split. */
export function seriesGroup({ data }: Pick<NamedChart, 'data'>, index: number | undefined): SVGGElement {
  if (index === undefined) return make('g', {});
  if (isRest({ data }, index)) return make('g', { class: 'chart-series-others' });
  const group = make('g', { class: `chart-series-${index}` });
  if (textures[index] !== '') group.style.setProperty('--texture', `url(#${textureId(index)})`);
  return group;
}

/** Whether a series combines others. */
function isRest({ data }: Pick<NamedChart, 'data'>, index: number | undefined): boolean {
  return index !== undefined && data.series?.[index]?.kind === 'others';
}

/** Whether a series of a line chart has only points. Rows of different values are not connected, but counts are. */
export function isDots({ data }: Pick<NamedChart, 'data'>, index: number | undefined): boolean {
  return isRest({ data }, index) && data.period === undefined;
}

export function dashOf(index: number | undefined): Readonly<Record<string, string>> {
  const dash = dashes[index ?? 0] ?? '';
  return dash === '' ? {} : { 'stroke-dasharray': dash };
}

/** Returns the definitions that the groups refer to. */
export function textureDefinitions(): SVGDefsElement {
  const definitions = make('defs', {});
  for (const [index, lines] of textures.entries()) {
    if (lines === '') continue;
    const size = { width: textureSize, height: textureSize };
    const pattern = make('pattern', { id: textureId(index), patternUnits: 'userSpaceOnUse', ...size });
    const group = make('g', { class: `chart-series-${index}` });
    group.append(
      make('rect', { ...size, class: 'chart-texture-ground' }),
      make('path', { d: lines, class: 'chart-texture' }),
    );
    pattern.append(group);
    definitions.append(pattern);
  }
  return definitions;
}

function textureId(index: number): string {
  return `chart-texture-${index}`;
}
