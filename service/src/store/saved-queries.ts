/**
 * Stores saved queries in SQLite, either in a file that survives restarts or in memory. Enforces name and version
 * rules.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type {
  Principal,
  SavedQuery,
  SavedQueryCreate,
  SavedQueryUpdate,
} from '#api/contract/saved-queries.ts';
import { sampleQueries } from './sample-queries.ts';
import { inTransaction, openSqlite, text } from './sqlite.ts';

/** The last query on a page of the list. The next page starts after it. */
export interface SavedQueryPosition {
  readonly nameKey: string;
  readonly id: string;
}

/** The position before the first query. */
export const listStart: SavedQueryPosition = { nameKey: '', id: '' };

export interface SavedQueryStore {
  list(
    size: number,
    after: SavedQueryPosition,
  ): { items: SavedQuery[]; next: SavedQueryPosition | undefined };
  get(id: string): SavedQuery | undefined;
  create(query: SavedQueryCreate & { model: string }, by: Principal): SavedQuery | 'name-conflict';
  update(
    id: string,
    change: SavedQueryUpdate,
    by: Principal,
  ): SavedQuery | 'not-found' | 'name-conflict' | { currentVersion: number };
  delete(id: string): boolean;
  close(): void;
}

const columns = `query_id, name, name_key, query_string, model, description, created_by, last_modified_by,
  version, created_at, last_modified_at`;

/**
 * Opens the store in `folder`, or in memory. A new store starts with `samples`.
 * @throws Error with a plain-language message if this runtime has no SQLite or the file cannot be used.
 */
export function openSavedQueryStore(
  folder: string | undefined,
  samples: typeof sampleQueries = sampleQueries,
): SavedQueryStore {
  const database = openSqlite(folder, 'saved-queries.sqlite', 'saved queries');
  createTable(database);
  const run = (sql: string) => database.prepare(sql);
  const selectById = run(`SELECT ${columns} FROM saved_queries WHERE query_id = ?`);
  const selectByName = run('SELECT query_id FROM saved_queries WHERE name_key = ?');
  const selectPage = run(
    `SELECT ${columns} FROM saved_queries WHERE (name_key, query_id) > (?, ?) ORDER BY name_key, query_id LIMIT ?`,
  );
  const insert = run(`INSERT INTO saved_queries (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`);
  const update = run(
    `UPDATE saved_queries SET name = ?, name_key = ?, query_string = ?, model = ?, description = ?,
       last_modified_by = ?, last_modified_at = ?, version = version + 1
     WHERE query_id = ? AND version = ?`,
  );
  const remove = run('DELETE FROM saved_queries WHERE query_id = ?');

  const store: SavedQueryStore = {
    list(size, after) {
      const rows = selectPage.all(after.nameKey, after.id, size + 1);
      const shown = rows.slice(0, size);
      const last = shown.at(-1);
      return {
        items: shown.map(toSavedQuery),
        next:
          rows.length > size && last !== undefined
            ? { nameKey: text(last['name_key']), id: text(last['query_id']) }
            : undefined,
      };
    },
    get(id) {
      const row = selectById.get(id);
      return row === undefined ? undefined : toSavedQuery(row);
    },
    create(query, by) {
      return inTransaction(database, () => {
        const nameKey = nameKeyOf(query.name);
        if (selectByName.get(nameKey) !== undefined) return 'name-conflict';
        const id = randomUUID();
        const now = new Date().toISOString();
        const principal = JSON.stringify(by);
        insert.run(
          id,
          query.name,
          nameKey,
          query.query_string,
          query.model,
          emptyToNull(query.description),
          principal,
          principal,
          now,
          now,
        );
        return existing(store, id);
      });
    },
    update(id, change, by) {
      return inTransaction(database, () => {
        const current = store.get(id);
        if (current === undefined) return 'not-found';
        if (current.version !== change.expected_version) return { currentVersion: current.version };
        const nameKey = nameKeyOf(change.name);
        const holder = selectByName.get(nameKey);
        if (holder !== undefined && holder['query_id'] !== id) return 'name-conflict';
        update.run(
          change.name,
          nameKey,
          change.query_string,
          change.model ?? current.model,
          emptyToNull(change.description ?? current.description),
          JSON.stringify(by),
          new Date().toISOString(),
          id,
          current.version,
        );
        return existing(store, id);
      });
    },
    delete(id) {
      return Number(remove.run(id).changes) > 0;
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
  seed(database, store, samples);
  return store;
}

function createTable(database: DatabaseSync): void {
  database.exec(`CREATE TABLE IF NOT EXISTS saved_queries (
    query_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    query_string TEXT NOT NULL,
    model TEXT NOT NULL,
    description TEXT,
    created_by TEXT NOT NULL,
    last_modified_by TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    last_modified_at TEXT NOT NULL
  ) STRICT`);
}

/** Inserts the samples only once, so that deleted samples stay deleted. */
function seed(database: DatabaseSync, store: SavedQueryStore, samples: typeof sampleQueries): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version === 1) return;
  const by = { type: 'user', id: 'sandbox-samples' };
  for (const sample of samples) store.create(sample, by);
  database.exec('PRAGMA user_version = 1');
}

/** Names that differ only in case, outer whitespace or Unicode normalization are equal. */
function nameKeyOf(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

function emptyToNull(value: string | null | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

function existing(store: SavedQueryStore, id: string): SavedQuery {
  const query = store.get(id);
  if (query === undefined) throw new Error('A saved query vanished inside its own transaction.');
  return query;
}

function toSavedQuery(row: Record<string, SQLOutputValue>): SavedQuery {
  const description = row['description'];
  return {
    query_id: text(row['query_id']),
    name: text(row['name']),
    query_string: text(row['query_string']),
    model: text(row['model']),
    ...(typeof description === 'string' ? { description } : {}),
    created_by: JSON.parse(text(row['created_by'])) as Principal, // this module wrote it as a Principal
    last_modified_by: JSON.parse(text(row['last_modified_by'])) as Principal, // this module wrote it as a Principal
    version: Number(row['version']),
    created_at: text(row['created_at']),
    last_modified_at: text(row['last_modified_at']),
  };
}
