/** Truncates text without splitting characters. */

/** Returns the start of the text, with an ellipsis if truncated. */
export function cutEnd(text: string, max: number): string {
  return text.length <= max ? text : `${wholeCharacters(text.slice(0, max - 1))}…`;
}

/** Keeps the start and end of the text, because messages end with advice. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor(max / 3);
  const end = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/, '');
  return `${wholeCharacters(text.slice(0, max - tail - 1))}…${end}`;
}

function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
