/** Finds the lines of array items, object members and mistakes in JSON text, so that error messages can name them. */
import { t } from '#base/texts.ts';

/** Returns 1-based lines by path, such as `waivers.0` or `controls.AC-07`. The text must be valid JSON. */
export function linesOfJson(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const open: { readonly path: string; index: number; name: string | undefined; readonly isList: boolean }[] =
    [];
  let line = 1;
  let read = 0;
  let pending: string | undefined;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    for (; read < match.index; read += 1) if (text[read] === '\n') line += 1;
    const [token] = match;
    const inside = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      continue;
    }
    if (token === ',') {
      if (inside !== undefined) {
        inside.index += 1;
        inside.name = undefined;
      }
      continue;
    }
    if (token === ':') {
      if (inside !== undefined) inside.name = pending;
      continue;
    }
    if (inside !== undefined && !inside.isList && inside.name === undefined) {
      pending = token.startsWith('"') ? String(JSON.parse(token)) : token;
      lines.set(joined(inside.path, pending), line);
      continue;
    }
    const path =
      inside === undefined
        ? ''
        : joined(inside.path, inside.isList ? String(inside.index) : (inside.name ?? ''));
    if (inside?.isList === true) lines.set(path, line);
    if (token === '{' || token === '[') open.push({ path, index: 0, name: undefined, isList: token === '[' });
  }
  return lines;
}

/**
 * Returns the first member that an object has twice, as a JSON pointer. This program takes the last, other readers and
 * people may take the first. The text must be valid JSON.
 */
export function repeatedMember(
  text: string,
): { readonly name: string; readonly pointer: string; readonly line: number } | undefined {
  const open: { readonly names: Set<string> | undefined; at: string | number }[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(?=(\s*:)?)|[{}[\],]/g)) {
    const inside = open.at(-1);
    if (token === '{' || token === '[')
      open.push(token === '{' ? { names: new Set(), at: '' } : { names: undefined, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (typeof inside?.at === 'number') inside.at += 1;
    } else if (inside?.names !== undefined && colon !== undefined) {
      const name = String(JSON.parse(token));
      inside.at = name;
      if (inside.names.has(name)) {
        const parts = open.map(({ at }) => String(at).replaceAll('~', '~0').replaceAll('/', '~1'));
        return { name, pointer: `/${parts.join('/')}`, line: text.slice(0, index).split('\n').length };
      }
      inside.names.add(name);
    }
  }
  return undefined;
}

/** Says which member is written twice, and where; undefined if none is. The text must be valid JSON. */
export function repeatedWords(text: string, file: string): string | undefined {
  const repeated = repeatedMember(text);
  if (repeated === undefined) return undefined;
  return `${file}:${repeated.line}: ${t('The member "{0}" is written twice.', repeated.name)}`;
}

function joined(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}

/** Returns the 1-based line of the first conflict marker that Git left, if any. */
export function lineOfConflict(text: string): number | undefined {
  const marked = /^(?:<{7}|>{7})(?: |$)/m.exec(text);
  return marked === null ? undefined : text.slice(0, marked.index).split('\n').length;
}

/** Returns the 1-based line at which the text stops being JSON. @param error thrown by `JSON.parse`. */
export function lineOfSyntaxError(error: unknown, text: string): number {
  const message = error instanceof Error ? error.message : '';
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const at = position === undefined ? strangeWord(text) : Number(position);
  // Of what is missing at the end, not of the empty lines after it.
  return text.trimEnd().slice(0, at).split('\n').length;
}

/** Returns the position of the first token that cannot be where it is, or the end of the text if there is none. */
function strangeWord(text: string): number {
  let before: string | undefined;
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:]+/g)) {
    const isWord = /^(?:"(?:.*")|[{}[\],:]|true|false|null|-?\d[\d.eE+-]*)$/s.test(token);
    // A value is missing, as in `[1, ]`.
    const isMissing = /^[\]},:]$/.test(token) && (before === undefined || /^[[,:]$/.test(before));
    if (!isWord || (isMissing && !(before === '[' && token === ']'))) return index;
    before = token;
  }
  return text.length;
}
