/** Test strings with marks: `«` and `»` enclose a finding's expected range. */
export interface MarkedText {
  readonly text: string;
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

export function readMarks(marked: string): MarkedText {
  let text = '';
  const starts: number[] = [];
  const ranges: { start: number; end: number }[] = [];
  for (const character of marked) {
    if (character === '«') {
      starts.push(text.length);
    } else if (character === '»') {
      ranges.push({ start: starts.pop() ?? 0, end: text.length });
    } else {
      text += character;
    }
  }
  return { text, ranges: ranges.sort((a, b) => a.start - b.start) };
}
