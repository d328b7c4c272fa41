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

export function cut(label: string, max: number): string {
  return label.length > max ? `${label.slice(0, max - 1)}…` : label;
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
