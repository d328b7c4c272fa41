/** What is asked of the tables that a service lists, or that records are looked for in. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Asking } from '#api/client/doctor/asking.ts';
import { differs, holds, unknown, type Found } from '#api/client/doctor/finding.ts';
import { probes } from '#api/client/doctor/probes.ts';
import { UnfinishedListError } from '#api/client/errors.ts';
import type { AssumptionId } from '#api/contract/assumptions.ts';
import { identityModel } from '#api/contract/tables.ts';

interface Tables {
  /** By model, in pages; undefined for a model whose tables are not listed. */
  readonly listed: Readonly<Record<string, readonly (readonly string[])[] | undefined>>;
  /** Tables that no query can read, and the status of such a query. */
  readonly unreadable?: readonly string[];
  readonly status?: number;
  readonly code?: string;
  /** The status of the second page of the list. */
  readonly secondPage?: number;
  /** Whether the second page comes again and again. */
  readonly isEndless?: boolean;
  /** Whether one query may read several tables. */
  readonly hasUnions?: boolean;
}

/** Returns the finding, and the SQL that was sent. */
async function found(
  id: AssumptionId,
  {
    listed,
    unreadable = [],
    status = 400,
    code = 'QUERY_FAILED',
    secondPage = 200,
    isEndless = false,
    hasUnions = true,
  }: Tables,
): Promise<{ readonly finding: Found; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const answer = (code: number, body: object) => ({ status: code, headers: {}, body: JSON.stringify(body) });
  const ask = new Asking({
    baseUrl: 'http://127.0.0.1',
    token: 'token',
    secrets: [],
    renew: () => Promise.resolve('token'),
    userAgent: 'test',
    rateLimit: undefined,
    signal: new AbortController().signal,
    exchange({ url, body }) {
      const [, model] = /^\/v1\/schema\/models\/([^/]+)\/tables$/.exec(url.pathname) ?? [];
      if (model !== undefined) {
        const at = Number(url.searchParams.get('pageToken') ?? 0);
        if (at === 1 && secondPage !== 200) return Promise.resolve(answer(secondPage, {}));
        const pages = listed[decodeURIComponent(model)] ?? [];
        const items = (pages[at] ?? []).map((name) => ({ name }));
        const isMore = at + 1 < pages.length || isEndless;
        const more = isMore ? { nextPageToken: String(Math.min(at + 1, pages.length - 1)) } : {};
        return Promise.resolve(answer(200, { items, ...more }));
      }
      const { query_string: sql } = JSON.parse(String(body)) as { query_string: string };
      asked.push(sql);
      const isRefused =
        (!hasUnions && sql.includes('UNION')) || unreadable.some((name) => sql.includes(name));
      return Promise.resolve(
        isRefused ? answer(status, { code, message: 'no' }) : answer(200, { rows: [[1]] }),
      );
    },
  });
  const models = Object.keys(listed);
  const finding = await probes[id]({
    ask,
    model: models[0],
    listingModels: models.filter((name) => listed[name] !== undefined),
    token: holds,
    tellsMethods: false,
  });
  return { finding, asked };
}

const request = 'POST /v1/query/execute';

suite('the tables that a service lists', () => {
  test('are asked for nothing, all of them, by their names', async () => {
    const { finding, asked } = await found('model-columns', {
      listed: { public: [['notes'], ['Full "name"', 'order']], hr: [['people']] },
    });
    assert.deepEqual(finding, holds);
    const of = (name: string) => `SELECT 1 AS one FROM ${name} WHERE false`;
    assert.deepEqual(asked, [
      [of('notes'), of('"Full ""name"""'), of('"order"')].join('\nUNION ALL\n'),
      of('people'),
    ]);
  });

  test('and that no query can read are named', async () => {
    const { finding } = await found('model-columns', {
      listed: { public: [['notes']], hr: [['people', 'salaries', 'grades']] },
      unreadable: ['salaries', 'grades'],
    });
    assert.deepEqual(finding, {
      verdict: 'differs',
      seen: { kind: 'tables', request, tables: ['salaries', 'grades'] },
    });
  });

  test('are not judged by an answer that depends on the caller', async () => {
    const { finding } = await found('model-columns', {
      listed: { public: [['notes']] },
      unreadable: ['notes'],
      status: 403,
    });
    assert.deepEqual(finding, unknown({ kind: 'status', request, status: 403, code: 'QUERY_FAILED' }));
  });

  test('are not all of them where a page of the list is missing', async () => {
    const listed = { public: [['notes'], ['people'], ['salaries']] };
    const { finding } = await found('model-columns', { listed, secondPage: 403 });
    const seen = { kind: 'status', request: 'GET /v1/schema/models/public/tables', code: undefined } as const;
    assert.deepEqual(finding, unknown({ ...seen, status: 403 }));
    const { finding: gone } = await found('model-columns', { listed, secondPage: 404 });
    assert.deepEqual(gone, differs({ ...seen, status: 404 }));
  });

  test('are not all of them where the list does not end', async () => {
    await assert.rejects(
      found('model-columns', { listed: { public: [['notes'], ['people']] }, isEndless: true }),
      UnfinishedListError,
    );
  });

  test('are not asked of a service that lists none', async () => {
    const { asked } = await found('model-columns', { listed: { [identityModel]: undefined } });
    assert.match(asked.join(), /^SELECT table_name, .* FROM information_schema\.columns/);
  });
});

suite('the tables of records', () => {
  test('are asked in one query', async () => {
    const { finding, asked } = await found('records-by-id', { listed: { [identityModel]: undefined } });
    assert.deepEqual([finding, asked.length], [holds, 1]);
    assert.match(String(asked[0]), /FROM accounts WHERE global_id = :id\nUNION ALL\n/);
  });

  test('are asked alone where one is refused, which is named', async () => {
    const { finding } = await found('records-by-id', {
      listed: { [identityModel]: undefined },
      unreadable: ['authenticators'],
    });
    assert.deepEqual(finding, {
      verdict: 'differs',
      seen: { kind: 'tables', request, tables: ['authenticators'] },
    });
  });

  test('are not blamed where a service runs no queries', async () => {
    const { finding, asked } = await found('records-by-id', {
      listed: { [identityModel]: undefined },
      unreadable: ['accounts'],
      status: 404,
      code: 'NOT_FOUND',
    });
    assert.deepEqual([finding.seen.kind, asked.length], ['status', 1]);
  });

  test('are asked alone where a service has no unions', async () => {
    const { finding } = await found('records-by-id', {
      listed: { [identityModel]: undefined },
      hasUnions: false,
    });
    assert.deepEqual(finding, holds);
  });

  test('are those that the service lists, if it lists any', async () => {
    const { finding, asked } = await found('records-by-id', {
      listed: { [identityModel]: [['accounts', 'people']] },
      unreadable: ['roles'],
    });
    assert.deepEqual([finding, asked], [holds, ['SELECT global_id FROM accounts WHERE global_id = :id']]);
  });
});
