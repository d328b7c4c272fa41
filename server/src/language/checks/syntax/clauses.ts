/** The words that begin clauses. */

/** First words of clauses. A comma before one of them is superfluous. */
export const clauseStarts: ReadonlySet<string> = new Set(
  'from where group having order limit offset union intersect except window fetch'.split(' '),
);
