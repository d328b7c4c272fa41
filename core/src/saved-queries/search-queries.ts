/** Searches saved queries by name, description, model, author and text. Pure; long searches yield to the event loop. */
import { authorOf, changedAt, fold, wordsOf } from './arrange-queries.ts';
import type { KnownQuery } from './known-query.ts';

export interface FoundQuery {
  readonly query: KnownQuery;
  /** The first matching line of the text, if some words occur only in the text. */
  readonly line: string | undefined;
}

export interface SearchResult {
  readonly found: readonly FoundQuery[];
  /** Total number of matches, of which `found` contains the best. */
  readonly count: number;
  /** Number of queries whose other fields do not match and whose text is unknown. */
  readonly unknownTexts: number;
}

/** Number of queries searched between two yields. */
const atATime = 500;
const longestLine = 120;

/**
 * Finds the queries that contain every word. Matches in the name rank first, then those in the description, model or
 * author, then those in the text. Names that start with the first word come first.
 * @returns undefined if `isCancelled` returned true.
 */
export async function searchQueries(
  queries: readonly KnownQuery[],
  search: {
    readonly words: string;
    readonly textOf: (queryId: string) => string | undefined;
    readonly limit: number;
    readonly isCancelled: () => boolean;
  },
): Promise<SearchResult | undefined> {
  const words = wordsOf(search.words);
  const ranks: FoundQuery[][] = [[], [], [], []];
  let unknownTexts = 0;
  for (const [index, query] of queries.entries()) {
    if (index % atATime === atATime - 1) {
      await new Promise(setImmediate);
      if (search.isCancelled()) return undefined;
    }
    const name = fold(query.name);
    const rest = fold([query.description ?? '', query.model, authorOf(query) ?? ''].join('\n'));
    const missing = words.filter((word) => !name.includes(word));
    if (missing.length === 0) {
      ranks[name.startsWith(words[0] ?? '') ? 0 : 1]?.push({ query, line: undefined });
    } else if (missing.every((word) => rest.includes(word))) {
      ranks[2]?.push({ query, line: undefined });
    } else {
      const text = search.textOf(query.query_id);
      if (text === undefined) unknownTexts += 1;
      else {
        const line = lineWith(
          text,
          missing.filter((word) => !rest.includes(word)),
        );
        if (line !== undefined) ranks[3]?.push({ query, line });
      }
    }
  }
  const all = ranks.flat();
  return { found: all.slice(0, search.limit), count: all.length, unknownTexts };
}

/** Returns the first line that contains the first word. Undefined if the text does not contain all words. */
function lineWith(text: string, words: readonly string[]): string | undefined {
  const folded = fold(text);
  if (!words.every((word) => folded.includes(word))) return undefined;
  const word = words[0] ?? '';
  const line = text.split(/\r\n|\r|\n/).find((each) => fold(each).includes(word)) ?? '';
  const shown = line.trim().replaceAll(/\s+/g, ' ');
  if (shown.length <= longestLine) return shown;
  const from = Math.max(0, fold(shown).indexOf(word) - longestLine / 3);
  return `${from > 0 ? '\u2026' : ''}${shown.slice(from, from + longestLine).trim()}\u2026`;
}

/**
 * Returns suggestions for an empty search: recently opened queries, then favorites, then the most recently changed
 * ones.
 */
export function suggestQueries(
  queries: readonly KnownQuery[],
  first: readonly KnownQuery[],
  limit: number,
): readonly KnownQuery[] {
  const ids = new Set(first.map((query) => query.query_id));
  const rest = queries.filter((query) => !ids.has(query.query_id));
  const latest = rest.toSorted((a, b) => changedAt(b) - changedAt(a)).slice(0, limit);
  return [...first, ...latest].slice(0, limit);
}
