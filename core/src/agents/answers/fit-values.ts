/**
 * Makes values from the service safe for an agent to read: shows hidden characters, truncates long strings, and limits
 * the size. This hardens against instructions in data; it is not a security boundary.
 */
import { ExactNumber } from '#api/client/json.ts';
import { cutEnd } from '#base/shown-text/cut.ts';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';

/** Maximum lengths in characters. */
export const textLengths = { cell: 500, name: 200, description: 1_000 } as const;

/** Makes a string safe to read. Keeps line breaks and tabs, since JSON escapes them. */
export function fitText(
  text: string,
  max: number = textLengths.cell,
  onCut: () => void = () => undefined,
): string {
  const near = text.slice(0, 2 * max);
  const fit = near
    .split(/(\r\n|[\n\t])/)
    .map((part, index) => (index % 2 === 1 ? part : escapeHidden(part)))
    .join('');
  const cut = cutEnd(fit, max);
  if (cut !== fit || near !== text) onCut();
  return cut;
}

export const fitName = (text: string): string => fitText(text.replaceAll(/\s+/g, ' '), textLengths.name);

const depthMax = 20;
const membersMax = 200;

/** Makes a cell safe to read, including nested values if it is JSON. @param onCut called if a part was left out. */
export function fitValue(value: unknown, onCut: () => void, depth = 0): unknown {
  if (typeof value === 'string') return fitText(value, textLengths.cell, onCut);
  // Numbers with more digits than a double holds are kept as text.
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return value ?? null;
  if (depth >= depthMax) {
    onCut();
    return '…';
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, membersMax).map((item) => fitValue(item, onCut, depth + 1));
    if (value.length <= membersMax) return items;
    onCut();
    return [...items, '…'];
  }
  const all = Object.entries(value);
  if (all.length > membersMax) onCut();
  const members = all.slice(0, membersMax);
  const names = new Set<string>();
  // Object.fromEntries defines own members, so `__proto__` is an ordinary name here.
  return Object.fromEntries(
    members.map(([name, inner]) => {
      const fitted = freeName(fitName(name), names);
      if (fitted !== name) onCut();
      return [fitted, fitValue(inner, onCut, depth + 1)];
    }),
  );
}

/** Long names with the same beginning stay apart. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  taken.add(free);
  return free;
}
