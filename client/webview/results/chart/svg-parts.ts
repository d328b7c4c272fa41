/** SVG elements and small arithmetic for charts. */

const space = 'http://www.w3.org/2000/svg';

export function make<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

export function text(content: string, attributes: Readonly<Record<string, string | number>>): SVGTextElement {
  const made = make('text', attributes);
  made.textContent = content;
  return made;
}

export function title(content: string): SVGTitleElement {
  const made = make('title', {});
  made.textContent = content;
  return made;
}

export function cut(label: string, max: number): string {
  if (label.length <= max) return label;
  // Never half of a character.
  return `${label.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Cuts a label until it fits into a width in pixels. @param measure returns the width of a text. */
export function cutToFit(label: string, width: number, measure: (text: string) => number): string {
  if (measure(label) <= width) return label;
  let [fits, tooLong] = [1, label.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (measure(cut(label, middle)) <= width) fits = middle;
    else tooLong = middle;
  }
  return cut(label, fits);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
}

export function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);
}

/** Returns a function that measures a text of the picture, in pixels. */
export function textMeasure(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context !== null) context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context?.measureText(text).width ?? text.length * 7;
}
