/**
 * Values of the service, fit for an agent to read: characters that are not seen become visible, long texts are cut, and
 * no more is given than asked for. That hardens against instructions in data. It is no boundary.
 */
import { ExactNumber } from '../../../../api/client/json.ts';
import { cutEnd } from '../../shown-text/cut.ts';
import { escapeHidden } from '../../shown-text/hidden-characters.ts';

/** Characters of a text in a cell, of a name, of a description. */
export const textLengths = { cell: 500, name: 200, description: 1_000 } as const;

/** Line breaks and tabs stay: JSON writes them down. */
export function fitText(text: string, max: number = textLengths.cell): string {
  const near = text.slice(0, 2 * max);
  const fit = near
    .split(/(\r\n|[\n\t])/)
    .map((part, index) => (index % 2 === 1 ? part : escapeHidden(part)))
    .join('');
  return cutEnd(fit, max);
}

export const fitName = (text: string): string => fitText(text.replaceAll(/\s+/g, ' '), textLengths.name);

const depthMax = 20;
const membersMax = 200;

/** A cell, its inside too where it is JSON. */
export function fitValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return fitText(value);
  // As JSON has it: a number of more digits than a double holds stays a text.
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return value ?? null;
  if (depth >= depthMax) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, membersMax).map((item) => fitValue(item, depth + 1));
    return value.length > membersMax ? [...items, '…'] : items;
  }
  const members = Object.entries(value).slice(0, membersMax);
  // Its own members only: a name such as __proto__ is a name like any other.
  return Object.fromEntries(members.map(([name, inner]) => [fitName(name), fitValue(inner, depth + 1)]));
}
