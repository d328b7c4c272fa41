/** Splits a cell's text where it matches the search, so that the matches can be marked. */

export interface TextMatch {
  readonly text: string;
  readonly matchCase: boolean;
}

export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Returns all parts of the text in order; undefined if nothing matches. */
export function matchParts(text: string, { text: sought, matchCase }: TextMatch): TextPart[] | undefined {
  const needle = matchCase ? sought : sought.toLowerCase();
  const haystack = matchCase ? text : text.toLowerCase();
  let at = needle === '' ? -1 : haystack.indexOf(needle);
  if (at < 0) return undefined;
  // A letter such as İ becomes two in lower case, which moves the positions after it.
  if (haystack.length !== text.length) return [{ text, isMatch: true }];
  const parts: TextPart[] = [];
  let from = 0;
  for (; at >= 0; at = haystack.indexOf(needle, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isMatch: false });
    from = at + needle.length;
    parts.push({ text: text.slice(at, from), isMatch: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false });
  return parts;
}
