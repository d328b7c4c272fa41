/** Parses arrays as PostgreSQL writes them. The form's page also uses this module. */

export type Nested = string | null | readonly Nested[];

/** Parses `{1,NULL,"a b",{...}}`, with an optional `[lower:upper]=` before it. */
export function bracedList(text: string): readonly Nested[] | undefined {
  let at = /^(?:\[[^\]]*\])*=?/.exec(text)?.[0].length ?? 0;
  const read = (): readonly Nested[] | undefined => {
    if (text[at] !== '{') return undefined;
    at += 1;
    const items: Nested[] = [];
    if (text[at] === '}') {
      at += 1;
      return items;
    }
    for (;;) {
      const item = text[at] === '{' ? read() : readItem();
      if (item === undefined) return undefined;
      items.push(item);
      if (text[at] === '}') {
        at += 1;
        return items;
      }
      if (text[at] !== ',') return undefined;
      at += 1;
    }
  };
  const readItem = (): string | null | undefined => {
    const found = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^",{}]+))/s.exec(text.slice(at, at + itemMax));
    if (found === null) return undefined;
    at += found[0].length;
    const [, quoted, bare = ''] = found;
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, '$1');
    return /^null$/i.test(bare.trim()) ? null : bare.trim();
  };
  const list = read();
  return at === text.length ? list : undefined;
}

/** Longer elements are not read, so that a long text is not copied for each of them. */
const itemMax = 100_000;
