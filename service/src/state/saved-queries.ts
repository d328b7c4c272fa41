/**
 * Saved queries of one source with all their versions. Names are unique, a save needs the current version, and a save
 * that is sent again with the same key is the same save. A deleted query keeps its versions for a while.
 */
import { createHash, randomUUID } from 'node:crypto';
import type {
  Principal,
  SavedQuery,
  SavedQueryCreate,
  SavedQueryUpdate,
} from '#api/contract/saved-queries.ts';
import { badField, ServiceError } from '../errors.ts';
import type { sampleQueries } from '../store/sample-queries.ts';
import {
  numberOf,
  optionalText,
  textOf,
  UniqueViolation,
  type RunSql,
  type StateDatabase,
  type StateRow,
  type StateValue,
} from './state-database.ts';

/** The last query on a page of the list. The next page starts after it. */
export interface SavedQueryPosition {
  readonly nameKey: string;
  readonly id: string;
}

/** The position before the first query. */
export const listStart: SavedQueryPosition = { nameKey: '', id: '' };

/** Who saves, and the caller's key of this save. */
export interface Saver {
  readonly by: Principal;
  readonly repeatKey?: string | undefined;
}

/** Runs inside the transaction of a save. */
export type SaveWitness = (
  run: RunSql,
  save: {
    readonly by: Principal;
    readonly action: 'create' | 'update' | 'delete';
    readonly id: string;
    readonly text: string;
  },
) => Promise<void>;

export interface SavedQueryStore {
  list(
    size: number,
    after: SavedQueryPosition,
  ): Promise<{ items: SavedQuery[]; next: SavedQueryPosition | undefined }>;
  get(id: string): Promise<SavedQuery | undefined>;
  /** Returns versions below `before`, newest first; undefined if the query never was or its versions are gone. */
  versions(
    id: string,
    size: number,
    before: number | undefined,
  ): Promise<{ items: SavedQuery[]; next: number | undefined } | undefined>;
  create(query: SavedQueryCreate & { model: string }, saver: Saver): Promise<SavedQuery | 'name-conflict'>;
  update(
    id: string,
    change: SavedQueryUpdate,
    saver: Saver,
  ): Promise<SavedQuery | 'not-found' | 'name-conflict' | { currentVersion: number }>;
  delete(id: string, saver: Saver): Promise<boolean>;
}

const columns = `query_id, name, name_key, query_string, model, description, created_by, last_modified_by, version,
  created_at, last_modified_at`;
const isThere = 'source = $1 AND deleted_at IS NULL';

/** The number of `nameKeyOf`, beside each key: keys of another rule would have to be made anew. */
const keyRule = 1;

/** Names that differ only in case, outer whitespace or Unicode normalization are equal. */
function nameKeyOf(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

const noWitness: SaveWitness = () => Promise.resolve();

/** @param witness called in the transaction of each save */
export function savedQueriesOf(
  state: StateDatabase,
  source: string,
  witness: SaveWitness = noWitness,
): SavedQueryStore {
  const keep = (run: RunSql, id: string): Promise<readonly StateRow[]> =>
    run(
      `INSERT INTO state.saved_query_versions
         SELECT query_id, version, name, query_string, model, description, last_modified_by, last_modified_at
         FROM state.saved_queries WHERE query_id = $1`,
      [id],
    );
  const read = async (run: RunSql, id: string): Promise<SavedQuery | undefined> => {
    const [row] = await run(`SELECT ${columns} FROM state.saved_queries WHERE ${isThere} AND query_id = $2`, [
      source,
      id,
    ]);
    return row === undefined ? undefined : toSavedQuery(row);
  };

  /** Runs a save once for its key. `work` returns the saved record, or why nothing was saved. */
  const once = async <Outcome>(
    { by, repeatKey }: Saver,
    request: readonly unknown[],
    work: (run: RunSql) => Promise<{ readonly saved: Outcome } | { readonly refused: Outcome }>,
  ): Promise<Outcome> => {
    if (repeatKey === undefined)
      return await state.write(async (run) => {
        const outcome = await work(run);
        return 'saved' in outcome ? outcome.saved : outcome.refused;
      });
    const key: readonly StateValue[] = [source, by.id, digestOf(repeatKey)];
    const asked = digestOf(JSON.stringify(request));
    const isKey = 'source = $1 AND client = $2 AND key_digest = $3';
    return await state.write(async (run) => {
      await run(`DELETE FROM state.repeated_saves WHERE ${isKey} AND at < {now} - ${repeatMs}`, key);
      // Another save with this key that runs at the moment is waited for here.
      const [isFirst] = await run(
        `INSERT INTO state.repeated_saves (source, client, key_digest, request_digest, outcome, at)
         VALUES ($1, $2, $3, $4, '', {now}) ON CONFLICT DO NOTHING RETURNING at`,
        [...key, asked],
      );
      if (isFirst === undefined) {
        const [before] = await run(
          `SELECT request_digest, outcome FROM state.repeated_saves WHERE ${isKey}`,
          key,
        );
        if (before === undefined)
          throw new ServiceError('SERVICE_UNAVAILABLE', 'This save is being done. Try again.', {
            headers: { 'retry-after': '1' },
          });
        if (textOf(before, 'request_digest') !== asked)
          throw badField('header', 'Idempotency-Key', 'was sent with another save before');
        return JSON.parse(textOf(before, 'outcome')) as Outcome; // written below
      }
      const outcome = await work(run);
      if ('refused' in outcome) {
        await run(`DELETE FROM state.repeated_saves WHERE ${isKey}`, key);
        return outcome.refused;
      }
      await run(`UPDATE state.repeated_saves SET outcome = $4 WHERE ${isKey}`, [
        ...key,
        JSON.stringify(outcome.saved),
      ]);
      return outcome.saved;
    });
  };

  const store: SavedQueryStore = {
    async list(size, after) {
      const rows = await state.read(
        `SELECT ${columns} FROM state.saved_queries WHERE ${isThere} AND (name_key, query_id) > ($2, $3)
         ORDER BY name_key, query_id LIMIT $4`,
        [source, after.nameKey, after.id, size + 1],
      );
      const shown = rows.slice(0, size);
      const last = shown.at(-1);
      return {
        items: shown.map(toSavedQuery),
        next:
          rows.length > size && last !== undefined
            ? { nameKey: textOf(last, 'name_key'), id: textOf(last, 'query_id') }
            : undefined,
      };
    },
    get: (id) => read(state.read, id),
    async versions(id, size, before) {
      const rows = await state.read(
        `SELECT q.query_id, v.name, v.query_string, v.model, v.description, q.created_by, v.modified_by AS last_modified_by,
           v.version, q.created_at, v.modified_at AS last_modified_at
         FROM state.saved_queries q JOIN state.saved_query_versions v ON v.query_id = q.query_id
         WHERE q.source = $1 AND q.query_id = $2 AND v.version < $3 ORDER BY v.version DESC LIMIT $4`,
        [source, id, before ?? Number.MAX_SAFE_INTEGER, size + 1],
      );
      if (rows.length === 0 && before === undefined) return undefined;
      const items = rows.slice(0, size).map(toSavedQuery);
      return { items, next: rows.length > size ? items.at(-1)?.version : undefined };
    },
    create: (query, saver) =>
      once<SavedQuery | 'name-conflict'>(saver, ['create', query], async (run) => {
        const by = JSON.stringify(saver.by);
        const id = randomUUID();
        const [row] = await run(
          `INSERT INTO state.saved_queries (${columns}, source, key_rule)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1, {now}, {now}, $8, ${keyRule})
           ON CONFLICT (source, name_key) WHERE deleted_at IS NULL DO NOTHING RETURNING ${columns}`,
          [
            id,
            query.name,
            nameKeyOf(query.name),
            query.query_string,
            query.model,
            emptyToNull(query.description),
            by,
            source,
          ],
        );
        if (row === undefined) return { refused: 'name-conflict' };
        await keep(run, id);
        await witness(run, { by: saver.by, action: 'create', id, text: query.query_string });
        return { saved: toSavedQuery(row) };
      }),
    async update(id, change, saver) {
      type Outcome = Awaited<ReturnType<SavedQueryStore['update']>>;
      try {
        return await once<Outcome>(saver, ['update', id, change], async (run) => {
          const nameKey = nameKeyOf(change.name);
          const [row] = await run(
            `UPDATE state.saved_queries SET name = $4, name_key = $5, key_rule = ${keyRule}, query_string = $6,
               model = coalesce($7, model), description = CASE WHEN $8 = 1 THEN $9 ELSE description END,
               last_modified_by = $10, last_modified_at = {now}, version = version + 1
             WHERE ${isThere} AND query_id = $2 AND version = $3 AND NOT EXISTS (
               SELECT 1 FROM state.saved_queries o WHERE o.source = $1 AND o.name_key = $5 AND o.deleted_at IS NULL AND o.query_id <> $2)
             RETURNING ${columns}`,
            [
              source,
              id,
              change.expected_version,
              change.name,
              nameKey,
              change.query_string,
              change.model ?? null,
              change.description === undefined ? 0 : 1,
              emptyToNull(change.description),
              JSON.stringify(saver.by),
            ],
          );
          if (row === undefined) {
            const current = await read(run, id);
            if (current === undefined) return { refused: 'not-found' };
            return current.version === change.expected_version
              ? { refused: 'name-conflict' }
              : { refused: { currentVersion: current.version } };
          }
          await keep(run, id);
          await witness(run, { by: saver.by, action: 'update', id, text: change.query_string });
          return { saved: toSavedQuery(row) };
        });
      } catch (error) {
        // Another query took the name between the look and the write.
        if (error instanceof UniqueViolation) return 'name-conflict';
        throw error;
      }
    },
    delete: (id, saver) =>
      once<boolean>(saver, ['delete', id], async (run) => {
        const [row] = await run(
          `UPDATE state.saved_queries SET deleted_at = {now} WHERE ${isThere} AND query_id = $2 RETURNING query_string`,
          [source, id],
        );
        if (row === undefined) return { refused: false };
        await witness(run, { by: saver.by, action: 'delete', id, text: textOf(row, 'query_string') });
        return { saved: true };
      }),
  };
  return store;
}

/** Inserts the samples only once, so that deleted samples stay deleted. */
export async function addSamples(
  state: StateDatabase,
  store: SavedQueryStore,
  samples: typeof sampleQueries,
): Promise<void> {
  const [isMade] = await state.read("SELECT value FROM state.settings WHERE name = 'samples'");
  if (isMade !== undefined) return;
  const by = { type: 'user', id: 'sandbox-samples' };
  for (const sample of samples) await store.create(sample, { by });
  await state.write((run) =>
    run("INSERT INTO state.settings (name, value) VALUES ('samples', 'made') ON CONFLICT DO NOTHING"),
  );
}

const dayMs = 86_400_000;
/** How long a save that is sent again with its key is known. */
const repeatMs = dayMs;
/** How long a deleted query keeps its versions. */
const deletedMs = 30 * dayMs;

export interface Purged {
  readonly queries: number;
}

/**
 * Removes deleted queries whose time is over, and the keys of saves.
 * @param isEvery remove every deleted query, however recent
 */
export async function purgeSavedQueries(state: StateDatabase, isEvery: boolean): Promise<Purged> {
  return await state.write(async (run) => {
    await run(`DELETE FROM state.repeated_saves WHERE at < {now} - ${repeatMs}`);
    const gone = await run(
      `DELETE FROM state.saved_queries WHERE deleted_at IS NOT NULL AND deleted_at <= {now} - ${isEvery ? 0 : deletedMs} RETURNING query_id`,
    );
    return { queries: gone.length };
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function emptyToNull(value: string | null | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

function toSavedQuery(row: StateRow): SavedQuery {
  const description = optionalText(row, 'description');
  const principal = (name: string): Principal => JSON.parse(textOf(row, name)) as Principal; // this module wrote it as a Principal
  return {
    query_id: textOf(row, 'query_id'),
    name: textOf(row, 'name'),
    query_string: textOf(row, 'query_string'),
    model: textOf(row, 'model'),
    ...(description === undefined ? {} : { description }),
    created_by: principal('created_by'),
    last_modified_by: principal('last_modified_by'),
    version: numberOf(row, 'version'),
    created_at: new Date(numberOf(row, 'created_at')).toISOString(),
    last_modified_at: new Date(numberOf(row, 'last_modified_at')).toISOString(),
  };
}
