/** Words that start a clause: right before one of them a comma is one too many. */
export const clauseStarts: ReadonlySet<string> = new Set(
  'from where group having order limit offset union intersect except window fetch'.split(' '),
);
