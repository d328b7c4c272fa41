/**
 * Parses and writes JSON of any depth. JSON.parse with a reviver and JSON.stringify recurse and overflow the stack
 * after a few thousand levels; these functions keep their own stack. They are slower, so they serve only as a fallback.
 */

/**
 * Parses text that JSON.parse accepts, with each number converted by `toNumber`.
 * @param text valid JSON; not validated here.
 */
export function parseDeepJson(text: string, toNumber: (written: string) => unknown): unknown {
  let result: unknown;
  const open: Frame[] = [];
  const put = (value: unknown) => {
    const frame = open.at(-1);
    if (frame === undefined) result = value;
    else if (frame.items !== undefined) frame.items.push(value);
    else if (frame.name === undefined) frame.name = value as string; // names are always strings
    else {
      frame.members.push([frame.name, value]);
      frame.name = undefined;
    }
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '[') open.push({ items: [] });
    else if (character === '{') open.push({ members: [], name: undefined });
    else if (character === ']' || character === '}') {
      const closed = open.pop();
      // Like JSON.parse, keeps a member named `__proto__` as data.
      put(closed?.items ?? Object.fromEntries(closed?.members ?? []));
    } else if (character === ',' || character === ':' || /\s/.test(character)) continue;
    else {
      const end = endOfScalar(text, at);
      const written = text.slice(at, end);
      put(/[-\d]/.test(character) ? toNumber(written) : JSON.parse(written));
      at = end - 1;
    }
  }
  return result;
}

type Frame =
  | { readonly items: unknown[]; readonly members?: undefined }
  | {
      readonly items?: undefined;
      readonly members: (readonly [string, unknown])[];
      /** Member name of the next value. */
      name: string | undefined;
    };

function endOfScalar(text: string, start: number): number {
  if (text.charAt(start) !== '"') {
    let end = start + 1;
    while (end < text.length && !/[\s,\]}]/.test(text.charAt(end))) end += 1;
    return end;
  }
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return text.length;
}

/** Returns whether JSON has more levels of lists and objects. Text that is not JSON may count as less deep. */
export function isDeeperThan(text: string, levels: number): boolean {
  // Most texts are too short, or have fewer brackets, which is found faster than their depth.
  if (text.length <= 2 * levels || !hasMoreThan(text, levels)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfScalar(text, at) - 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

function hasMoreThan(text: string, brackets: number): boolean {
  let count = 0;
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > brackets) return true;
    }
  return false;
}

export interface JsonWriting {
  /** Returns the text of a scalar, or of an object written as one; undefined for anything else. */
  readonly scalar: (value: unknown) => string | undefined;
  /** Sorts the members of an object. */
  readonly order?: (members: [string, unknown][]) => [string, unknown][];
}

/** Writes no whitespace. Undefined members are omitted; in a list they become `null`. */
export function writeDeepJson(value: unknown, { scalar, order = (members) => members }: JsonWriting): string {
  const parts: string[] = [];
  /** Pending output, next item last. */
  const left: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('text' in next) {
      parts.push(next.text);
      continue;
    }
    const one = next.value;
    const written = one === undefined ? 'null' : scalar(one);
    if (written !== undefined) parts.push(written);
    else if (Array.isArray(one)) {
      parts.push('[');
      left.push({ text: ']' });
      for (let index = one.length - 1; index >= 0; index -= 1) {
        left.push({ value: one[index] as unknown });
        if (index > 0) left.push({ text: ',' });
      }
    } else {
      const members = order(Object.entries(one as object).filter(([, member]) => member !== undefined)); // neither a scalar nor a list
      parts.push('{');
      left.push({ text: '}' });
      for (const [index, [name, member]] of [...members.entries()].reverse())
        left.push({ value: member }, { text: `${index > 0 ? ',' : ''}${JSON.stringify(name)}:` });
    }
  }
  return parts.join('');
}
