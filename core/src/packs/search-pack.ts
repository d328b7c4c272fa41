/** A pack's queries as a list, searchable by title, tag, severity, description and column. Pure. */
import { controlText, type ControlText } from './control-text.ts';
import { missingFor, type FitReport } from './fit.ts';
import type { Pack, PackQuery } from './read-pack.ts';

export interface LibraryQuery {
  readonly query: PackQuery;
  /** Undefined if the query is not a control. */
  readonly control: ControlText | undefined;
  /** As `model.table.column`. */
  readonly columns: readonly string[];
}

export type QueryFit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'lacks'; readonly names: readonly string[] }
  | { readonly kind: 'unknown' };

/** Returns the queries sorted by topic, then by ID. */
export function libraryQueries({ queries, manifest }: Pack): readonly LibraryQuery[] {
  return queries
    .map((query) => ({
      query,
      control: controlText(query.text),
      columns: Object.hasOwn(manifest.requires, query.file) ? (manifest.requires[query.file] ?? []) : [],
    }))
    .sort((a, b) => topicOf(a).localeCompare(topicOf(b), 'en') || idOf(a).localeCompare(idOf(b), 'en'));
}

/** Returns the part of the name before the first slash; empty if there is none. */
export function topicOf({ query }: LibraryQuery): string {
  return query.name.includes('/') ? query.name.slice(0, query.name.indexOf('/')) : '';
}

/** Returns the queries that contain every word in any field, ignoring case. */
export function searchLibrary(queries: readonly LibraryQuery[], text: string): readonly LibraryQuery[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0
    ? queries
    : queries.filter((query) => {
        const haystack = haystackOf(query);
        return words.every((word) => haystack.includes(word));
      });
}

export function fitOfQuery(report: FitReport | undefined, { query }: LibraryQuery): QueryFit {
  if (report === undefined) return { kind: 'unknown' };
  const names = missingFor(report, query.file);
  if (names.length > 0) return { kind: 'lacks', names };
  return report.fitting.includes(query.file) ? { kind: 'fits' } : { kind: 'unknown' };
}

function idOf({ control, query }: LibraryQuery): string {
  return control?.id ?? query.name;
}

function haystackOf({ query, control, columns }: LibraryQuery): string {
  const { id = '', title = '', severity = '', tags = [], finds = '', why = '', advice = '' } = control ?? {};
  return [query.name, query.description, id, title, severity, ...tags, finds, why, advice, ...columns]
    .join('\n')
    .toLowerCase();
}
