/**
 * Keeps row values out of reports, since service messages quote them (`invalid input syntax for type integer:
 * "jonas"`).
 */

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  '\u201c': '\u201d',
  '\u00ab': '\u00bb',
  '(': ')',
};

/**
 * Omits quoted text and values in parentheses (`Key (id)=(7)`) unless the query contains them. Scans by hand, since a
 * regular expression would take quadratic time on text with many opening quotes.
 */
export function withoutForeignQuotes(message: string, query: string): string {
  const known = query.toLowerCase();
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < message.length; at += 1) {
    const mark = message.charAt(at);
    const close = closing[mark];
    if (close === undefined || (mark === '(' && message.charAt(at - 1) !== '=')) continue;
    const end = message.indexOf(close, at + 1);
    const inside = end < 0 ? message.slice(at + 1) : message.slice(at + 1, end);
    const isKnown = known.includes(inside.toLowerCase());
    if (end < 0 && isKnown) break;
    parts.push(
      message.slice(from, at),
      isKnown ? message.slice(at, end + 1) : mark === '(' ? '(...)' : '"..."',
    );
    from = end < 0 ? message.length : end + 1;
    at = from - 1;
  }
  return parts.join('') + message.slice(from);
}
