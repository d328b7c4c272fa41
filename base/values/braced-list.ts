/** Parses arrays as PostgreSQL's `array_in` does. The form's page also uses this module. */

export type Nested = string | null | readonly Nested[];

/** PostgreSQL's white space, which is not all of JavaScript's. */
const blanks = /[ \t\n\v\f\r]*/y;
const bounds = /\[(?:([+-]?\d+):)?([+-]?\d+)\]/y;
const quotedItem = /"([^"\\]*(?:\\[^][^"\\]*)*)"/y;
/** Ends at a delimiter, a brace or a quote; the blanks at its end are not part of it. */
const bareItem = /(?:[^",{}\\]|\\[^])+/y;
/** MAXDIM of PostgreSQL. */
const depthMax = 6;

/** Parses `{1,NULL,"a b",{...}}`, with optional bounds before it (`[0:1]=`), which must fit. */
export function bracedList(text: string): readonly Nested[] | undefined {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const takes = (character: string): boolean => {
    take(blanks);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const readList = (depth: number): readonly Nested[] | undefined => {
    if (depth > depthMax || !takes('{')) return undefined;
    const items: Nested[] = [];
    if (takes('}')) return items;
    do {
      take(blanks);
      const item = text[at] === '{' ? readList(depth + 1) : readItem();
      if (item === undefined) return undefined;
      items.push(item);
    } while (takes(','));
    return takes('}') ? items : undefined;
  };
  const readItem = (): string | null | undefined => {
    const quoted = take(quotedItem);
    if (quoted !== null) return unescaped(quoted[1] ?? '');
    const bare = withoutEndBlanks(take(bareItem)?.[0] ?? '');
    if (bare === '') return undefined;
    return /^null$/i.test(bare) ? null : unescaped(bare);
  };
  const sizes = readSizes();
  const list = sizes === undefined ? undefined : readList(1);
  take(blanks);
  if (list === undefined || sizes === undefined || at !== text.length) return undefined;
  return sizes.length === 0 || hasSizes(list, sizes) ? list : undefined;

  /** None if there are no bounds. @returns undefined if they are followed by no `=`. */
  function readSizes(): readonly number[] | undefined {
    const found: number[] = [];
    take(blanks);
    for (let bound = take(bounds); bound !== null; bound = take(bounds))
      found.push(Number(bound[2]) - Number(bound[1] ?? 1) + 1);
    return found.length === 0 || takes('=') ? found : undefined;
  }
}

/** A blank after a backslash belongs to its item. */
function withoutEndBlanks(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (' \t\n\v\f\r'.includes(text.charAt(at))) continue;
    end = at + 1;
  }
  return text.slice(0, end);
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\([^])/g, '$1') : text;
}

function hasSizes(list: Nested, [size, ...inner]: readonly number[]): boolean {
  const isScalar = list === null || typeof list === 'string';
  if (size === undefined || isScalar) return size === undefined && isScalar;
  return size > 0 && list.length === size && list.every((item) => hasSizes(item, inner));
}
