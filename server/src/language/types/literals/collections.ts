/** Literals of arrays and ranges. */
interface Problem {
  readonly message: string;
  readonly remedy?: string;
}

type Check = (text: string) => Problem | undefined;

/** `{1,2,{...}}`, with bounds before it where a person wants them. */
export function checkArray(text: string, check: Check): Problem | undefined {
  const malformed = {
    message: `malformed array literal: "${text}"`,
    remedy: "Write '{one,two}' or ARRAY['one', 'two'].",
  };
  if (!/^\s*[{[]/.test(text)) {
    return malformed;
  }
  const body = /^\s*(?:(?:\[[^\]]*\]\s*)+=\s*)?(\{[^]*\})\s*$/.exec(text)?.[1];
  if (body === undefined) {
    return malformed;
  }
  for (const item of itemsOf(body) ?? []) {
    const problem = item.isQuoted || !/^null$/i.test(item.text) ? check(item.text) : undefined;
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

interface Item {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Undefined for what is not plain: nothing is said of it then. */
function itemsOf(body: string): readonly Item[] | undefined {
  const items: Item[] = [];
  const pattern = /\s*(?:(?:"((?:[^"\\]|\\[^])*)"|([^{}",\\\s](?:[^{}",\\]*[^{}",\\\s])?))\s*)?([{},])/y;
  while (pattern.lastIndex < body.length) {
    const at = pattern.exec(body);
    if (at === null) {
      return undefined;
    }
    const [, quoted, plain] = at;
    if (quoted !== undefined) {
      items.push({ text: quoted.replaceAll(/\\([^])/g, '$1'), isQuoted: true });
    } else if (plain !== undefined) {
      items.push({ text: plain, isQuoted: false });
    }
  }
  return items;
}

export function checkRange(text: string, check: Check): Problem | undefined {
  if (/^\s*empty\s*$/i.test(text)) {
    return undefined;
  }
  const plain = /^\s*[[(]([^",\\()[\]]*),([^",\\()[\]]*)[\])]\s*$/.exec(text);
  if (plain !== null) {
    return plain
      .slice(1)
      .reduce<Problem | undefined>(
        (found, bound) => found ?? (bound.trim() === '' ? undefined : check(bound)),
        undefined,
      );
  }
  return /^\s*[[(][^]*[\])]\s*$/.test(text)
    ? undefined
    : { message: `malformed range literal: "${text}"`, remedy: "Write '[from,to)'." };
}
