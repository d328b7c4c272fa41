/** Finds the lines of array items and object members in JSON text, so that error messages can name them. */

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

function joined(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}
