/** Arranges saved queries for the view: filters, groups and sorts them. Pure. */
import { nameOrder, type KnownQuery } from './known-query.ts';

export const groupings = ['prefix', 'model', 'author', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export const sortings = ['name', 'changed'] as const;
export type Sorting = (typeof sortings)[number];

export interface Arrangement {
  readonly grouping: Grouping;
  readonly sorting: Sorting;
  /** Words that must occur in a query's name, description, model, author or text; empty to match all queries. */
  readonly filter: string;
}

export type GroupKind = 'root' | 'favourites' | 'recent' | 'prefix' | 'model' | 'author';

export interface QueryRow {
  readonly query: KnownQuery;
  /** The name without the folders that are shown as groups. */
  readonly label: string;
}

export interface QueryGroup {
  readonly kind: GroupKind;
  /** Unique within an arrangement, and stable across refreshes. */
  readonly key: string;
  readonly label: string;
  readonly groups: readonly QueryGroup[];
  readonly rows: readonly QueryRow[];
  /** Number of rows in the group and its subgroups. */
  readonly count: number;
}

/**
 * @param queries sorted by name.
 * @param marked favorites and recently opened queries, each in their own order. They form groups above all others
 * unless the view is filtered.
 * @param textOf returns the text of a query, if it is known.
 */
export function arrangeQueries(
  queries: readonly KnownQuery[],
  arrangement: Arrangement,
  marked: { readonly favourites: readonly KnownQuery[]; readonly recent: readonly KnownQuery[] },
  textOf: (queryId: string) => string | undefined,
): QueryGroup {
  const words = wordsOf(arrangement.filter);
  const shown = words.length === 0 ? queries : queries.filter((query) => matchesAll(query, words, textOf));
  const ordered =
    arrangement.sorting === 'name' ? shown : shown.toSorted((a, b) => changedAt(b) - changedAt(a));
  const { groups, rows } = grouped(ordered, arrangement.grouping);
  const special =
    words.length > 0
      ? []
      : [flatGroup('favourites', marked.favourites), flatGroup('recent', marked.recent)].filter(
          (group) => group.count > 0,
        );
  return { kind: 'root', key: '', label: '', groups: [...special, ...groups], rows, count: shown.length };
}

/** Splits a filter into words for `matchesAll`. */
export function wordsOf(filter: string): readonly string[] {
  return fold(filter)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Returns whether every word occurs in the query's name, description, model, author or text, ignoring case. */
function matchesAll(
  query: KnownQuery,
  words: readonly string[],
  textOf: (queryId: string) => string | undefined,
): boolean {
  const fields = fold([query.name, query.description ?? '', query.model, authorOf(query) ?? ''].join('\n'));
  const missing = words.filter((word) => !fields.includes(word));
  if (missing.length === 0) return true;
  const text = fold(textOf(query.query_id) ?? '');
  return missing.every((word) => text.includes(word));
}

export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Returns the author of the first version; undefined if the service does not report it. */
export function authorOf(query: KnownQuery): string | undefined {
  return query.created_by?.id;
}

/** Returns the time of the last change in milliseconds since 1970; 0 if the service does not report it. */
export function changedAt(query: KnownQuery): number {
  const time = Date.parse(query.last_modified_at ?? query.created_at ?? '');
  return Number.isNaN(time) ? 0 : time;
}

/**
 * Splits a name into folders and a label: ["Access reviews", "EU"] and "Orphans". A name with an empty part has no
 * folders.
 */
export function splitName(name: string): { readonly folders: readonly string[]; readonly label: string } {
  const parts = name.split('/').map((part) => part.trim());
  if (parts.length < 2 || parts.includes('')) return { folders: [], label: name };
  return { folders: parts.slice(0, -1), label: parts.at(-1) ?? name };
}

/** Returns the folders that the names of these queries have, in order. */
export function foldersOf(queries: readonly { readonly name: string }[]): readonly string[] {
  const folders = queries.map(({ name }) => splitName(name).folders.join('/'));
  return [...new Set(folders)].filter((folder) => folder !== '').sort((a, b) => a.localeCompare(b));
}

interface Building {
  readonly kind: GroupKind;
  readonly key: string;
  readonly label: string;
  readonly groups: Map<string, Building>;
  readonly rows: QueryRow[];
}

function grouped(queries: readonly KnownQuery[], grouping: Grouping): Pick<QueryGroup, 'groups' | 'rows'> {
  const root: Building = { kind: 'root', key: '', label: '', groups: new Map(), rows: [] };
  // Most queries belong to a known group. Looking it up by its original spelling avoids normalizing the name.
  const met = new Map<string, Building>();
  const groupOf = (written: string, find: () => Building): Building => {
    const known = met.get(written);
    if (known !== undefined) return known;
    const found = find();
    met.set(written, found);
    return found;
  };
  for (const query of queries) {
    const { name, model } = query;
    switch (grouping) {
      case 'none':
        root.rows.push({ query, label: name });
        break;
      case 'model':
        groupOf(model, () => childOf(root, 'model', model)).rows.push({ query, label: name });
        break;
      case 'author': {
        const author = authorOf(query) ?? '';
        groupOf(author, () => childOf(root, 'author', author)).rows.push({ query, label: name });
        break;
      }
      case 'prefix': {
        const slash = name.lastIndexOf('/');
        const label = name.slice(slash + 1).trim();
        const group =
          slash < 0 || label === '' ? root : groupOf(name.slice(0, slash), () => folderOf(root, name));
        group.rows.push({ query, label: group === root ? name : label });
        break;
      }
      default:
        grouping satisfies never;
    }
  }
  return finished(root);
}

function folderOf(root: Building, name: string): Building {
  return splitName(name).folders.reduce((group, folder) => childOf(group, 'prefix', folder), root);
}

/** Folders whose names differ only in case are one folder, labeled with the first spelling. */
function childOf(parent: Building, kind: GroupKind, label: string): Building {
  const name = fold(label);
  const known = parent.groups.get(name);
  if (known !== undefined) return known;
  const key = parent.key === '' ? `${kind}:${name}` : `${parent.key}/${name}`;
  const made: Building = { kind, key, label, groups: new Map(), rows: [] };
  parent.groups.set(name, made);
  return made;
}

function finished(building: Building): QueryGroup {
  const groups = [...building.groups.values()]
    .map(finished)
    .sort((a, b) => nameOrder.compare(a.label, b.label));
  const { kind, key, label, rows } = building;
  const count = groups.reduce((sum, group) => sum + group.count, rows.length);
  return { kind, key, label, groups, rows, count };
}

function flatGroup(kind: 'favourites' | 'recent', queries: readonly KnownQuery[]): QueryGroup {
  const rows = queries.map((query) => ({ query, label: query.name }));
  return { kind, key: kind, label: '', groups: [], rows, count: rows.length };
}

export interface ArrangementChange {
  /** Whether rows or groups were added, removed or moved. */
  readonly isStructureChanged: boolean;
  /** Rows that changed but did not move, by group key and query ID. */
  readonly rows: readonly { readonly groupKey: string; readonly queryId: string }[];
}

/** Determines what to redraw when one arrangement replaces another. */
export function compareArrangements(before: QueryGroup, after: QueryGroup): ArrangementChange {
  const rows: { groupKey: string; queryId: string }[] = [];
  const isSame = (a: QueryGroup, b: QueryGroup): boolean => {
    const isAlike =
      a.key === b.key &&
      a.label === b.label &&
      a.count === b.count &&
      a.rows.length === b.rows.length &&
      a.groups.length === b.groups.length;
    if (!isAlike) return false;
    for (const [index, row] of b.rows.entries()) {
      const old = a.rows[index];
      if (old?.query.query_id !== row.query.query_id || old.label !== row.label) return false;
      if (old.query !== row.query) rows.push({ groupKey: b.key, queryId: row.query.query_id });
    }
    return b.groups.every((group, index) => {
      const old = a.groups[index];
      return old !== undefined && isSame(old, group);
    });
  };
  return isSame(before, after) ? { isStructureChanged: false, rows } : { isStructureChanged: true, rows: [] };
}
