/** Parses JSON; undefined if the text is none. The parser's message is not passed on, since it may quote the text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what is wrong
  }
}
