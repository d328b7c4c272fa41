/**
 * Measures the Saved Queries view with 10,000 queries: time to the first rows, to the full list, and to redraw one row.
 * Also measures Quick Open over all queries, and memory. A real window runs the packaged extension with its own
 * service.
 */
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  arrangeQueries,
  compareArrangements,
  type Arrangement,
} from '#core/saved-queries/arrange-queries.ts';
import { QueryCollection } from '#core/saved-queries/query-collection.ts';
import { searchQueries } from '#core/saved-queries/search-queries.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { onlySource } from '#service/state/migrate.ts';
import { addSamples, savedQueriesOf } from '#service/state/saved-queries.ts';
import { openSqliteState, stateFile } from '#service/state/sqlite-state.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { inTransaction, openSqlite } from '#service/store/sqlite.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';
import { percentile, print } from './statistics.ts';

const count = 10_000;
const folders = 100;
const turns = 5;
/** The query whose row is near the top of the view, where it is drawn. */
const target = folders;

function nameOf(index: number): string {
  return `Area ${index % folders}/Review ${index}`;
}

/** Returns query text of about 500 characters, a typical length. */
function textOf(index: number): string {
  const columns = Array.from(
    { length: 12 },
    (_, column) => `  a.column_${(index * 7 + column) % 97} AS c${column}`,
  );
  return `-- Review ${index}: who still has access\nSELECT\n${columns.join(',\n')}\nFROM accounts a\nWHERE a.enabled AND a.id <> '${index}'\nORDER BY 1\n`;
}

function report(name: string, values: readonly number[], unit: string): void {
  print({ bench: 'saved-queries', name, unit, median: percentile(values, 0.5), runs: values.length });
}

/** Returns the resident memory in MB of the extension host that is connected to this service. */
function extensionHostMegabytes(baseUrl: string): number {
  for (const folder of globSync('/proc/[0-9]*')) {
    try {
      if (!readFileSync(path.join(folder, 'cmdline'), 'utf8').includes('--type=extensionHost')) continue;
      if (!readFileSync(path.join(folder, 'environ'), 'utf8').includes(baseUrl)) continue;
      const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(path.join(folder, 'status'), 'utf8'));
      if (match !== null) return Number(match[1]) / 1_024;
    } catch {
      continue; // the process exited in the meantime
    }
  }
  return Number.NaN;
}

async function inWindow(
  dataFolder: string | undefined,
  body: (workbench: Workbench, baseUrl: string) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ from: 'dist', ...(dataFolder === undefined ? {} : { dataFolder }) });
  try {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name: 'bench-saved-queries', env }, async (workbench) => {
      await workbench.page.waitForLoadState('networkidle');
      await body(workbench, sandbox.baseUrl);
    });
  } finally {
    await sandbox.stop();
  }
}

const head = (workbench: Workbench, text: string) =>
  workbench.page.locator('.part.sidebar .pane-header .description', { hasText: text });

/**
 * Inserts the samples and 10,000 queries in one transaction: separate ones would take longer than the whole benchmark.
 */
async function fillStore(folder: string): Promise<void> {
  const state = await openSqliteState(folder);
  const store = savedQueriesOf(state, onlySource);
  await addSamples(state, store, sampleQueries);
  const model = 'platform_identity';
  const first = await store.create(
    { name: nameOf(0), query_string: textOf(0), model },
    { by: { type: 'user', id: '' } },
  );
  await state.close();
  if (first === 'name-conflict') throw new Error('the store is not empty');
  const database = openSqlite(folder, stateFile, 'saved queries');
  const copy = database.prepare(`INSERT INTO saved_queries
    SELECT ?1, source, ?2, lower(?2), key_rule, ?3, model, description, ?4, ?4, version, created_at, last_modified_at, NULL
    FROM saved_queries WHERE query_id = ?5`);
  inTransaction(database, () => {
    for (let index = 1; index < count; index += 1) {
      const by = JSON.stringify({ type: 'user', id: `user-${index % 20}` });
      copy.run(randomUUID(), nameOf(index), textOf(index), by, first.query_id);
    }
  });
  database.close();
}

const [firstRows, complete, again, saved, found, megabytes]: [
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
] = [[], [], [], [], [], []];

/** Saves one query. The view is filtered to a few rows, so that it draws this query's row. */
async function saveOne(workbench: Workbench, version: number): Promise<void> {
  await workbench.setEditorText(`SELECT ${version} -- <> '${target}'`);
  const pressed = performance.now();
  await workbench.page.keyboard.press('ControlOrMeta+S');
  await workbench
    .treeItem(new RegExp(`^${nameOf(target)}, version ${version}`))
    .first()
    .waitFor();
  saved.push(performance.now() - pressed);
}

async function measure(workbench: Workbench, baseUrl: string): Promise<void> {
  const started = performance.now();
  const since = () => performance.now() - started;
  await workbench.openIdentityView();
  await workbench
    .treeItem(/^Area \d+, /)
    .first()
    .waitFor();
  firstRows.push(since());
  await head(workbench, `${(count / 1_000).toFixed(0)},0`).waitFor();
  await head(workbench, '\u2026').waitFor({ state: 'detached' });
  complete.push(since());
  megabytes.push(extensionHostMegabytes(baseUrl));

  for (const other of ['Models', 'Records'])
    await workbench.page.locator('.part.sidebar .pane-header').filter({ hasText: other }).click();

  for (let turn = 0; turn < turns; turn += 1) {
    await workbench.runCommand('Saved Queries: Refresh');
    const refreshed = performance.now();
    await head(workbench, '\u2026').waitFor();
    await head(workbench, '\u2026').waitFor({ state: 'detached' });
    again.push(performance.now() - refreshed);
  }

  for (let turn = 0; turn < turns; turn += 1) {
    await workbench.runCommand('Identity Queries: Open Saved Query...');
    const searched = performance.now();
    // A query that is not in the list before typing.
    const sought = folders + folders / 2 + turn;
    await workbench.quickInput.fill(`<> '${sought}'`);
    await workbench.quickPick(nameOf(sought)).waitFor();
    found.push(performance.now() - searched);
    await workbench.page.keyboard.press('Escape');
  }

  await workbench.runCommand('Saved Queries: Filter or Show All');
  await workbench.quickInput.fill(nameOf(target));
  const row = workbench.treeItem(new RegExp(`^${nameOf(target)}, version 1`)).first();
  await row.waitFor();
  await workbench.page.keyboard.press('Enter');
  await row.click();
  await workbench.editor.locator('.view-line').first().waitFor();
  for (let turn = 0; turn < turns; turn += 1) await saveOne(workbench, turn + 2);
}

const dataFolder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
try {
  await fillStore(dataFolder);
  let emptyMegabytes = Number.NaN;
  await inWindow(undefined, async (workbench, baseUrl) => {
    await workbench.openIdentityView();
    await workbench.treeItem(/^Access reviews, /).waitFor();
    emptyMegabytes = extensionHostMegabytes(baseUrl);
  });
  await inWindow(dataFolder, measure);
  report('view opened until first rows', firstRows, 'ms');
  report('view opened until all 10,000 are known', complete, 'ms');
  report('read again, nothing changed', again, 'ms');
  report('Ctrl+S until its row shows the next version', saved, 'ms');
  report('quick open: a word in one text of 10,000', found, 'ms');
  report(
    'extension host: 10,000 queries more',
    megabytes.map((full) => full - emptyMegabytes),
    'MB',
  );
} finally {
  await rm(dataFolder, { recursive: true, force: true });
}

// Without a window: the time that the extension needs to find the row to redraw.
const records = Array.from({ length: count }, (_, index): SavedQuery => ({
  query_id: String(index),
  name: nameOf(index),
  query_string: textOf(index),
  model: 'platform_identity',
  version: 1,
  last_modified_at: new Date(index * 1_000).toISOString(),
}));
const collection = new QueryCollection();
const listed = performance.now();
collection.putListed(records);
const arrangement: Arrangement = { grouping: 'prefix', sorting: 'name', filter: '' };
const marked = { favourites: [], recent: [] };
let arranged = arrangeQueries(collection.list(), arrangement, marked, () => undefined);
report('10,000 records into sorted groups', [performance.now() - listed], 'ms');
const rows = Array.from({ length: 50 }, (_, turn) => {
  const record = records[turn * 199];
  if (record === undefined) throw new Error('fewer records than said');
  const started = performance.now();
  collection.put({ ...record, version: 2 });
  const next = arrangeQueries(collection.list(), arrangement, marked, () => undefined);
  const change = compareArrangements(arranged, next);
  if (change.isStructureChanged || change.rows.length !== 1) throw new Error('more than one row is drawn');
  arranged = next;
  return performance.now() - started;
});
report('one record changed: find its row', rows, 'ms');
const searches = [];
for (let turn = 0; turn < 9; turn += 1) {
  const started = performance.now();
  await searchQueries(collection.list(), {
    words: `column_13 ${turn}`,
    textOf: (queryId) => collection.texts.get(queryId, collection.get(queryId)?.version ?? 0),
    limit: 100,
    isCancelled: () => false,
  });
  searches.push(performance.now() - started);
}
report('search in 10,000 texts', searches, 'ms');
