/**
 * The tables of the state, and how they change. A newer minor number only adds, so that programs of the same major work
 * side by side during a rolling upgrade. A newer major needs all instances stopped.
 */
import { randomBytes } from 'node:crypto';
import { numberOf, StateError, textOf, type RunSql, type StateDatabase } from './state-database.ts';

export interface StateVersion {
  readonly major: number;
  readonly minor: number;
}

/** Steps in order. The last one is the version that this program writes. */
const steps: readonly (StateVersion & { readonly statements: readonly string[] })[] = [
  {
    major: 1,
    minor: 0,
    statements: [
      `CREATE TABLE state.settings (name {text} PRIMARY KEY, value {text} NOT NULL)`,
      `CREATE TABLE state.saved_queries (
        query_id {text} PRIMARY KEY, source {text} NOT NULL, name {text} NOT NULL, name_key {text} NOT NULL,
        key_rule {integer} NOT NULL, query_string {text} NOT NULL, model {text} NOT NULL, description {text},
        created_by {text} NOT NULL, last_modified_by {text} NOT NULL, version {integer} NOT NULL,
        created_at {integer} NOT NULL, last_modified_at {integer} NOT NULL, deleted_at {integer})`,
      `CREATE UNIQUE INDEX saved_queries_by_name ON state.saved_queries (source, name_key) WHERE deleted_at IS NULL`,
      `CREATE TABLE state.saved_query_versions (
        query_id {text} NOT NULL REFERENCES state.saved_queries (query_id) ON DELETE CASCADE, version {integer} NOT NULL,
        name {text} NOT NULL, query_string {text} NOT NULL, model {text} NOT NULL, description {text},
        modified_by {text} NOT NULL, modified_at {integer} NOT NULL, PRIMARY KEY (query_id, version))`,
      `CREATE TABLE state.repeated_saves (
        source {text} NOT NULL, client {text} NOT NULL, key_digest {text} NOT NULL, request_digest {text} NOT NULL,
        outcome {text} NOT NULL, at {integer} NOT NULL, PRIMARY KEY (source, client, key_digest))`,
      `CREATE TABLE state.clients (
        name {text} PRIMARY KEY, source {text} NOT NULL, scopes {text} NOT NULL, secret_digest {text} NOT NULL,
        old_secret_digest {text}, old_secret_until {integer}, created_at {integer} NOT NULL)`,
      `CREATE TABLE state.access_tokens (
        digest {text} PRIMARY KEY, client {text} NOT NULL REFERENCES state.clients (name) ON DELETE CASCADE,
        scopes {text} NOT NULL, expires_at {integer} NOT NULL)`,
      `CREATE INDEX access_tokens_by_client ON state.access_tokens (client)`,
      `CREATE TABLE state.instances (
        id {text} PRIMARY KEY, boot {text} NOT NULL, address {text}, certificate {text},
        configuration {text} NOT NULL, sources {text} NOT NULL, program {text} NOT NULL, seen_at {integer} NOT NULL)`,
      `CREATE TABLE state.exports (
        id {text} PRIMARY KEY, source {text} NOT NULL, client {text} NOT NULL, context {text} NOT NULL,
        format {text} NOT NULL, minutes {integer} NOT NULL, requested_at {integer} NOT NULL)`,
      `CREATE TABLE state.audit (
        id {text} PRIMARY KEY, at {integer} NOT NULL, source {text} NOT NULL, client {text} NOT NULL,
        action {text} NOT NULL, subject {text} NOT NULL, text_code {text})`,
      `CREATE INDEX audit_by_time ON state.audit (at)`,
    ],
  },
];

export const written: StateVersion = steps.at(-1) ?? { major: 0, minor: 0 };

const named = ({ major, minor }: StateVersion): string => `${major}.${minor}`;

/** Returns the state's version; undefined if it has no tables yet. */
export async function versionOf(run: RunSql): Promise<StateVersion | undefined> {
  const rows = await run("SELECT value FROM state.settings WHERE name = 'version'");
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(rows[0] === undefined ? '' : textOf(rows[0], 'value')) ?? [];
  if (major === undefined || minor === undefined)
    throw new StateError(
      'The state has no version: something else than this program changed its table "settings". Restore it from a backup.',
    );
  return { major: Number(major), minor: Number(minor) };
}

/** @throws StateError if this program cannot use a state of this version. */
export function requireVersion(found: StateVersion | undefined, shown: string): void {
  if (found === undefined)
    throw new StateError(
      `The state ${shown} has no tables yet. Make them: identity-queries serve migrate --state ADDRESS`,
    );
  if (found.major > written.major)
    throw new StateError(
      `The state ${shown} has version ${named(found)}, and this program knows ${named(written)}: it was changed by a newer program. Update this one.`,
    );
  if (found.major < written.major)
    throw new StateError(
      `The state ${shown} has version ${named(found)}, and this program needs ${named(written)}. Stop all instances, then run: identity-queries serve migrate --state ADDRESS`,
    );
  if (found.minor < written.minor)
    throw new StateError(
      `The state ${shown} has version ${named(found)}, and this program needs ${named(written)}. Instances of the older program may go on. Run: identity-queries serve migrate --state ADDRESS`,
    );
}

/** An instance that was seen this recently is running. */
export const aliveMs = 15_000;

/** Makes the missing tables, inside a transaction. Returns what was done, as a sentence. */
export async function migrate(run: RunSql, found: StateVersion | undefined, shown: string): Promise<string> {
  if (found !== undefined && found.major > written.major) requireVersion(found, shown);
  if (found !== undefined && found.major < written.major) {
    const running = await run(`SELECT id FROM state.instances WHERE seen_at > {now} - ${aliveMs}`);
    if (running.length > 0)
      throw new StateError(
        `The state ${shown} has version ${named(found)}. Version ${named(written)} needs all instances stopped, and ${running.length} ${running.length === 1 ? 'is' : 'are'} running. Stop all of them, then migrate.`,
      );
  }
  const missing = steps.filter((step) => isNewer(step, found));
  for (const { statements } of missing) for (const statement of statements) await run(statement);
  if (missing.length === 0)
    return `The state ${shown} has version ${named(found ?? written)}: nothing to do.`;
  if (found === undefined)
    await run("INSERT INTO state.settings (name, value) VALUES ('version', $1), ('sealing-key', $2)", [
      named(written),
      randomBytes(32).toString('base64'),
    ]);
  else await run("UPDATE state.settings SET value = $1 WHERE name = 'version'", [named(written)]);
  return found === undefined
    ? `The state ${shown} was made, with version ${named(written)}.`
    : `The state ${shown} was changed from version ${named(found)} to ${named(written)}.`;
}

function isNewer(step: StateVersion, found: StateVersion | undefined): boolean {
  if (found === undefined) return true;
  return step.major > found.major || (step.major === found.major && step.minor > found.minor);
}

/** The source of a service that has only one. */
export const onlySource = 'default';

/** Brings the tables of a SQLite state up to date, also those of a file that held only the newest versions. */
export async function migrateFolder(state: StateDatabase): Promise<void> {
  await state.write(async (run) => {
    const tables = await run(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('settings', 'saved_queries')",
    );
    const names = tables.map((row) => textOf(row, 'name'));
    const found = names.includes('settings') ? await versionOf(run) : undefined;
    const isOld = found === undefined && names.includes('saved_queries');
    if (isOld) await run('ALTER TABLE saved_queries RENAME TO old_saved_queries');
    await migrate(run, found, state.shown);
    if (found === undefined) {
      // The mark of a file whose samples were made.
      const marked = numberOf((await run('PRAGMA user_version'))[0], 'user_version');
      if (marked === 1) await run("INSERT INTO settings (name, value) VALUES ('samples', 'made')");
    }
    if (!isOld) return;
    const time = (column: string): string => `CAST(round(unixepoch(${column}, 'subsec') * 1000) AS INTEGER)`;
    await run(`INSERT INTO saved_queries
      SELECT query_id, '${onlySource}', name, name_key, 1, query_string, model, description, created_by, last_modified_by,
        version, ${time('created_at')}, ${time('last_modified_at')}, NULL FROM old_saved_queries`);
    await run(`INSERT INTO saved_query_versions
      SELECT query_id, version, name, query_string, model, description, last_modified_by, last_modified_at FROM saved_queries`);
    await run('DROP TABLE old_saved_queries');
  });
}
