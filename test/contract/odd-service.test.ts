/**
 * Each oddity of the second service: the client's result is complete, or the client reports that it is not. An oddity
 * without a case causes a compile error.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { AuthError, ContractError, NotFoundError, UnfinishedListError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { ChangeRun } from '#core/changes/change-run.ts';
import { createChangeService } from '#core/changes/change-service.ts';
import type { Confirmation } from '#core/changes/change.ts';
import { fetchExport } from '#core/exports/fetch-export.ts';
import { readModelTables } from '#core/models/model-schema.ts';
import type { RowsProgress, RowsWriter } from '#core/reading/rows-writer.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { recordsFeed } from '#core/records/records-source.ts';
import { cellText } from '#core/rows/chunk.ts';
import type { Chunk } from '#core/rows/packed-rows.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { QueryRun, type Execute } from '#core/runs/query-run.ts';
import { runSave } from '#core/saved-queries/run-save.ts';
import { draftFor, settledOn, type SaveEffect, type SaveState } from '#core/saved-queries/save-machine.ts';
import { StoredForm } from '#core/saved-queries/stored-text.ts';
import { pagesOfFeed, queryPages } from '../helpers/query-pages.ts';
import { startService, type RunningService } from '../service/service.ts';
import type { Oddity } from '../service/switches.ts';

const accountCount = 130;
/** Small enough that the accounts need several pages. */
const pageSize = 50;
const accountsQuery = 'SELECT alias, email FROM accounts';
const model = 'platform_identity';

let service: RunningService;
const clients: ServiceClient[] = [];

before(async () => {
  service = await startService({ accounts: accountCount });
});
afterEach(async () => {
  service.set({});
  await service.setFaults([]);
  await Promise.all(clients.splice(0).map((each) => each.close()));
});
after(() => service.stop());

function open(options: Partial<Parameters<typeof createClient>[0]> = {}): ServiceClient {
  const client = createClient({ ...service, retry: { attempts: 1 }, ...options });
  clients.push(client);
  return client;
}

const never = new AbortController().signal;
const noWait = (): Promise<void> => Promise.resolve();

async function countOf(path: string): Promise<number> {
  return (await service.requests()).filter((request) => request.path === path).length;
}

/** Returns why a read is incomplete, and how many requests for the path it sent. */
async function endOf(items: AsyncIterable<unknown> | Promise<unknown>, path: string) {
  await service.forgetRequests();
  const reading = items instanceof Promise ? items : Array.fromAsync(items);
  const error = await reading.then(
    () => assert.fail('it ends as if that were all'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnfinishedListError, String(error));
  return { why: error.why, requests: await countOf(path) };
}

/**
 * Checks that lists, results and schemas all end with an error instead of looking complete.
 * @param ofResults requests of the first result, which learns how the service pages, and of the second
 */
async function neverLooksWhole(
  client: ServiceClient,
  expected: Awaited<ReturnType<typeof endOf>>,
  ofResults: readonly [first: number, second: number],
) {
  const quick = { emptyPageDelayMs: 0 };
  const pages = queryPages(client, { query_string: accountsQuery, pageSize }, quick);
  assert.deepEqual(
    [
      await endOf(client.accounts.listAll({ ...quick, pageSize }), '/v1/accounts'),
      await endOf(client.savedQueries.listSummaries(quick), '/v1/query/saved-queries'),
      await endOf(pages, '/v1/query/execute'),
      await endOf(readModelTables(client, model, quick), '/v1/query/execute'),
    ],
    [expected, expected, ...ofResults.map((requests) => ({ ...expected, requests }))],
  );
}

/** Collects the visible cells of a run by column name. */
class ShownRows implements RowsWriter {
  readonly columns: string[] = [];
  readonly #rows: (readonly unknown[])[] = [];
  progress: RowsProgress | undefined;

  get rows(): readonly Readonly<Record<string, unknown>>[] {
    return this.#rows.map((row) =>
      Object.fromEntries(this.columns.map((name, index) => [name, row[index] ?? null])),
    );
  }

  set(): void {
    // The progress in between is not needed.
  }
  open(columns: Parameters<RowsWriter['open']>[0]): void {
    this.grow(columns);
  }
  grow(columns: Parameters<RowsWriter['grow']>[0]): void {
    this.columns.push(...columns.map(({ name }) => name));
  }
  append(rows: Parameters<RowsWriter['append']>[0]) {
    this.#rows.push(...(isPacked(rows) ? textRows(rows) : rows));
    return Promise.resolve({ rowCount: this.#rows.length });
  }
  setRows(progress: RowsProgress): void {
    this.progress = progress;
  }
}

/** Account values are text, so a cell's text is its value. */
function textRows({ rowCount, columns }: Chunk): (readonly unknown[])[] {
  return Array.from({ length: rowCount }, (_, row) => columns.map((column) => cellText(column, row) ?? null));
}

/** Runs the query, and checks that rows read from values and rows packed from bytes are equal. */
async function ran(client: ServiceClient): Promise<ShownRows> {
  const shown = await ranBy((request, options) => client.queries.execute(request, options));
  const scanner = new PageScanner('texts');
  const packed = await ranBy((request, options) => client.queries.executeBytes(request, scanner, options));
  assert.deepEqual(packed.columns, shown.columns);
  assert.deepEqual(packed.rows, shown.rows);
  return shown;
}

async function ranBy(execute: Execute): Promise<ShownRows> {
  const writer = new ShownRows();
  const run = new QueryRun({
    deadline: limitedByCaller(),
    signal: new AbortController().signal,
    execute,
    request: { query_string: accountsQuery },
    writer,
    pageSize,
    rowLimit: 1_000,
    explain: (error) => {
      throw error;
    },
  });
  await run.start();
  await run.load(true);
  assert.equal(writer.progress?.extent, 'complete');
  return writer;
}

const person = (index: number) => ({ alias: `user${index}`, email: `user${index}@example.com` });
const everybody = Array.from({ length: accountCount }, (_, index) => person(index));

/** Returns the accounts as shown in the result panel. */
async function shownAccounts(client: ServiceClient): Promise<Readonly<Record<string, unknown>>[]> {
  const feed = recordsFeed(client, 'accounts', { filter: {}, say: () => undefined });
  const rows = [];
  for await (const { columns, rows: page } of pagesOfFeed(feed, never))
    for (const cells of page)
      rows.push(Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])));
  return rows;
}

async function readyExport(client: ServiceClient): Promise<string> {
  const { id } = await client.downloads.create({ context: 'accessInventoryAccounts' });
  await client.downloads.wait(id, { pollMs: 1 });
  return id;
}

async function fileOf(client: ServiceClient, id: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of fetchExport(client, id, { signal: never, wait: noWait })) {
    if (chunk === 'restart') chunks.length = 0;
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Downloads the file as a plain client would. */
async function wholeFile(client: ServiceClient, id: string): Promise<string> {
  const { url = '' } = await client.downloads.get(id);
  const text = await (await fetch(url)).text();
  assert.equal(text.split('\r\n').length, accountCount + 2);
  return text;
}

const created = (client: ServiceClient) =>
  client.savedQueries.create({ name: randomUUID(), query_string: 'SELECT 1' });

/** Overwrites a record as the editor does. */
async function save(
  client: ServiceClient,
  state: SaveState,
  text: string,
): Promise<{ readonly state: SaveState; readonly effect: SaveEffect }> {
  const outcome = await runSave(
    state,
    { kind: 'save', mine: draftFor(state, text) },
    {
      client,
      stored: new StoredForm(),
      labels: () => ({ mine: 'Mine', theirs: 'Theirs' }),
      onRecord: () => undefined,
    },
  );
  assert.ok(outcome);
  return outcome;
}

async function isGone(client: ServiceClient): Promise<void> {
  const query: SavedQuery = await created(client);
  await client.savedQueries.delete(query.query_id);
  await assert.rejects(client.savedQueries.get(query.query_id), NotFoundError);
  const { effect } = await save(client, settledOn(query), 'SELECT 2');
  assert.deepEqual(effect, { kind: 'keep', reason: 'deleted' });
}

const cases: Readonly<Record<Oddity, (client: ServiceClient) => Promise<void>>> = {
  // One request of the second result asks whether its value is used; for pages without rows it waits ten times.
  'repeated-page-token': (client) => neverLooksWhole(client, { why: 'repeated', requests: 3 }, [8, 3]),
  'endless-empty-pages': (client) => neverLooksWhole(client, { why: 'empty', requests: 450 }, [467, 461]),

  'short-range': async (client) => {
    const id = await readyExport(client);
    const whole = await wholeFile(client, id);
    const path = `/downloads/${id}/file`;
    await service.forgetRequests();
    await service.nextAnswers(path, { kind: 'truncate' });
    assert.equal(await fileOf(client, id), whole);
    const statuses = (await service.requests()).flatMap((one) => (one.path === path ? [one.status] : []));
    assert.ok(statuses.length > 2, 'the rest came in one piece');
    assert.deepEqual(new Set(statuses.slice(1)), new Set([206]));
  },

  'swapped-columns': async (client) => {
    const shown = await ran(client);
    assert.deepEqual([shown.columns, shown.rows], [['alias', 'email'], everybody]);
  },

  'late-column': async (client) => {
    const shown = await ran(client);
    const expected = everybody.map((row, index) => ({ ...row, late: index < pageSize ? null : 'seen' }));
    assert.deepEqual([shown.columns, shown.rows], [['alias', 'email', 'late'], expected]);
  },

  gzip: async (client) => {
    assert.deepEqual(
      (await Array.fromAsync(client.accounts.listAll())).map(({ alias, email }) => ({ alias, email })),
      everybody,
    );
    assert.deepEqual((await ran(client)).rows, everybody);
    const { effect } = await save(client, settledOn(await created(client)), 'SELECT 2');
    assert.equal(effect.kind, 'saved');
    await assert.rejects(client.savedQueries.get(randomUUID()), NotFoundError);
    const id = await readyExport(client);
    assert.equal(await fileOf(client, id), await wholeFile(client, id));
  },

  'html-export': async (client) => {
    const id = await readyExport(client);
    await assert.rejects(fileOf(client, id), (error) => {
      assert.ok(error instanceof ContractError);
      return /with a page .* instead of the file/.test(error.message);
    });
  },

  'number-page-token': async (client) => {
    const aliases = (await Array.fromAsync(client.accounts.listAll({ pageSize }))).map(({ alias }) => alias);
    assert.deepEqual(
      aliases,
      everybody.map(({ alias }) => alias),
    );
    assert.deepEqual((await ran(client)).rows, everybody);
  },

  'object-page-token': async (client) => {
    assert.deepEqual((await ran(client)).rows, everybody);
    // A page token that is an object does not fit in a URL, so the client must not report the list as complete.
    await assert.rejects(
      Array.fromAsync(client.accounts.listAll({ pageSize })),
      (error) => error instanceof ContractError && /The list is incomplete/.test(error.message),
    );
  },

  'write-not-taken': async (client) => {
    const query = await created(client);
    const { effect } = await save(client, settledOn(query), 'SELECT 2');
    assert.deepEqual(effect, { kind: 'keep', reason: 'unanswered' });
    assert.deepEqual(await client.savedQueries.get(query.query_id), query);
  },

  'trims-text': async (client) => {
    const first = await save(client, settledOn(await created(client)), '  SELECT 2\n');
    assert.ok(first.effect.kind === 'saved');
    assert.equal(first.effect.record.query_string, 'SELECT 2');
    const second = await save(client, first.state, '  SELECT 3\n');
    assert.ok(second.effect.kind === 'saved');
    assert.deepEqual([second.effect.record.version, second.effect.record.query_string], [3, 'SELECT 3']);
  },

  'odd-saved-query': async (client) => {
    const { query_id } = await created(client);
    const problems: string[] = [];
    const onLeftOut = (more: readonly string[]) => problems.push(...more);
    const summaries = await Array.fromAsync(client.savedQueries.listSummaries({ onLeftOut }));
    assert.ok(summaries.some((each) => each.query_id === query_id));
    assert.equal(problems.length, 1);
    await assert.rejects(Array.fromAsync(client.savedQueries.listSummaries()), ContractError);
  },

  'odd-record': async (client) => {
    const shown = await shownAccounts(client);
    assert.equal(shown.length, accountCount + 1);
    const [odd, ...more] = shown.filter((row) => row['globalId'] === null);
    assert.deepEqual([odd?.['unreadable record'], more.length], ['not a record', 0]);
  },

  'write-scope-refused': async () => {
    const granted: (readonly string[])[] = [];
    const client = open({ onGrantedScopes: (scopes) => granted.push(scopes) });
    assert.equal((await client.models.list()).length, 2);
    assert.deepEqual(granted, [['read']]);
    await assert.rejects(created(client), (error) => error instanceof AuthError && error.at === 'forbidden');
  },

  'gone-as-410': isGone,
  'gone-as-400': isGone,

  'job-without-self': async (client) => {
    const [account] = (await client.accounts.list()).items;
    assert.ok(account);
    const operation = { kind: 'disable-account', account: account.globalId } as const;
    const confirmation: Confirmation = {
      id: randomUUID(),
      kind: operation.kind,
      connectionKey: 'k',
      connection: 'Second service',
      clientId: service.clientId,
      confirmedAt: 0,
      targets: [{ operation, label: account.alias, state: { kind: 'waiting' } }],
    };
    const run = new ChangeRun(confirmation, {
      service: createChangeService(client),
      save: noWait,
      changed: () => undefined,
      words: {
        stopped: '',
        restarted: '',
        noSuchData: '',
        noSuchJob: '',
        unfollowed: '',
        followedTooLong: '',
      },
      pause: noWait,
    });
    await run.run(never);
    const state = run.confirmation.targets[0]?.state;
    assert.ok(state?.kind === 'ended');
    assert.equal(state.job?.targets[0]?.outcome, 'changed');
  },

  'ids-only': async (client) => {
    const shown = await shownAccounts(client);
    assert.equal(new Set(shown.map((row) => row['globalId'])).size, accountCount);
    for (const { globalId, ...others } of shown) {
      assert.match(String(globalId), /^[0-9a-f-]{36}$/);
      assert.ok(Object.values(others).every((value) => value === null));
    }
  },

  'null-members': async (client) => {
    const shown = await shownAccounts(client);
    assert.deepEqual(
      shown.map(({ alias, email }) => ({ alias, email })),
      everybody,
    );
    assert.ok(shown.every((row) => row['sourceTag'] === null));
    const { effect } = await save(client, settledOn(await created(client)), 'SELECT 2');
    assert.equal(effect.kind, 'saved');
  },
};

suite('each oddity of the second service', () => {
  for (const [oddity, check] of Object.entries(cases) as [Oddity, (typeof cases)[Oddity]][]) {
    test(oddity, async () => {
      service.set({ oddities: [oddity] });
      await check(open());
    });
  }
});
