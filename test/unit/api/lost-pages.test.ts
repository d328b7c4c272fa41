/** A page whose answer is lost: it comes again, or its rows are told as missing. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import type { ClientOptions, ServiceClient } from '#api/client/client.ts';
import { RejectedError, TransportError, UnfinishedListError } from '#api/client/errors.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const pageCount = 4;

/** How a service keeps the place of a walk. */
type Way = 'in each token' | 'in tokens that differ each time' | 'itself' | 'in tokens for once';
/** The answer to the request for a page that does not arrive. */
type Loss = 'cut' | 'closed' | 502;

interface Walk {
  readonly way: Way;
  readonly lost: { readonly page: number; readonly by: Loss };
  readonly emptyPage?: number;
}

function answering({ way, lost, emptyPage }: Walk) {
  let place = 0;
  let given = 0;
  let isLost = false;
  const used = new Set<string>();
  return (token: string | undefined, response: ServerResponse): void => {
    if (way === 'in tokens for once' && token !== undefined) {
      if (used.has(token)) {
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'The token is not known.' });
        return;
      }
      used.add(token);
    }
    if (token === undefined) place = 0;
    const at = way === 'itself' ? place++ : Number(token?.split('-')[0] ?? 0);
    const isLast = at >= pageCount - 1;
    const next = way === 'itself' ? 'walk' : `${at + 1}-${way.includes('differ') ? (given += 1) : 0}`;
    const items =
      at >= pageCount || at === emptyPage
        ? []
        : [0, 1].map((each) => ({ id: `${at}${each}`, globalId: `${at}${each}` }));
    const body = JSON.stringify({
      items,
      columns: ['id', 'globalId'],
      ...(isLast ? {} : { nextPageToken: next }),
    });
    if (at !== lost.page || isLost) {
      sendJson(response, 200, body);
      return;
    }
    isLost = true;
    if (lost.by === 502) sendJson(response, 502, '');
    else if (lost.by === 'closed') response.destroy();
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, 20), () => response.destroy());
    }
  };
}

/** Asks for pages, each of them up to `times` times. */
type Read = (client: ServiceClient, times: number) => Promise<readonly string[]>;

const paged =
  (ask: (client: ServiceClient, pageToken: PageToken | undefined) => Promise<Told>): Read =>
  async (client, times) => {
    const ids: string[] = [];
    let pageToken: PageToken | undefined;
    do {
      let page: Told | undefined;
      for (let left = times; page === undefined; left -= 1)
        page = await ask(client, pageToken).catch((error: unknown) => {
          if (left > 1) return undefined;
          throw error;
        });
      ids.push(...page.ids);
      ({ pageToken } = page);
    } while (pageToken !== undefined);
    return ids;
  };

interface Told {
  readonly ids: readonly string[];
  readonly pageToken: PageToken | undefined;
}

const readers: Readonly<Record<string, Read>> = {
  'a list': paged(async ({ accounts }, token) => {
    const { items, nextPageToken } = await accounts.list({
      ...(token !== undefined && { pageToken: token }),
    });
    return { ids: items.map(({ globalId }) => globalId), pageToken: nextPageToken };
  }),
  'a list that is not described': paged(async ({ accountRoles }, token) => {
    const { items, nextPageToken } = await accountRoles.list({
      ...(token !== undefined && { pageToken: token }),
    });
    return { ids: items.map(({ globalId }) => globalId), pageToken: nextPageToken };
  }),
  'a result': paged(async ({ queries }, pageToken) => {
    const { rows, nextPageToken } = await queries.execute({ query_string: 'SELECT * FROM t', pageToken });
    return { ids: rows.map(([id]) => (typeof id === 'string' ? id : '')), pageToken: nextPageToken };
  }),
};

async function walked(read: Read, walk: Walk, times = 1, options: Partial<ClientOptions> = {}) {
  const answer = answering(walk);
  const told: (readonly string[] | Error)[] = [];
  await withService(
    ({ path, body }, response) => {
      const asked = body === '' ? undefined : (JSON.parse(body) as { readonly pageToken?: string });
      const inAddress = new URL(path, 'http://a.test').searchParams.get('pageToken') ?? undefined;
      answer(asked === undefined ? inAddress : asked.pageToken, response);
    },
    async (client) => {
      told.push(await read(client, times).catch((error: unknown) => error as Error));
    },
    options,
  );
  return told[0] ?? assert.fail();
}

const all = Array.from({ length: pageCount * 2 }, (_, at) => `${at >> 1}${at % 2}`);
const isLostError = (told: unknown) => told instanceof UnfinishedListError && told.why === 'lost';
const ways = ['in each token', 'in tokens that differ each time', 'itself', 'in tokens for once'] as const;

for (const [name, read] of Object.entries(readers))
  suite(`the answer with a page of ${name}, lost`, () => {
    for (const way of ways)
      for (const page of [1, 2, pageCount - 1])
        for (const by of ['cut', 'closed', 502] as const)
          test(`by ${by}, page ${page}, from a service that keeps the place ${way}`, async () => {
            // A query that made a gateway fail is not sent again by itself.
            const times = name === 'a result' && by === 502 ? 2 : 1;
            const told = await walked(read, { way, lost: { page, by } }, times);
            if (way === 'itself') assert.ok(isLostError(told), JSON.stringify(told));
            else if (way === 'in tokens for once') assert.ok(told instanceof RejectedError);
            else assert.deepEqual(told, all);
          });

    test('is told as missing each time that the page is asked for again', async () => {
      const walk = { way: 'itself', lost: { page: 1, by: 'closed' } } as const;
      const once = { retry: { attempts: 1 } };
      assert.ok((await walked(read, walk, 1, once)) instanceof TransportError);
      for (const times of [2, 3]) assert.ok(isLostError(await walked(read, walk, times, once)));
    });

    test('is no reason to doubt a page that is still prepared', async () => {
      const walk = { way: 'in each token', lost: { page: 1, by: 'cut' }, emptyPage: 1 } as const;
      assert.deepEqual(
        await walked(read, walk),
        all.filter((id) => !id.startsWith('1')),
      );
    });
  });

test('the first page is asked for again without doubt, and a change once', async () => {
  for (const way of ways) {
    const told = await walked(readers['a list'] ?? assert.fail(), { way, lost: { page: 0, by: 'cut' } });
    // What the service keeps itself begins anew with each first page.
    assert.deepEqual(told, all);
  }
  let asked = 0;
  await withService(
    (_, response) => {
      asked += 1;
      response.destroy();
    },
    async ({ queries }) => {
      const change = { query_string: 'SELECT f()', pageToken: 'a' };
      for (const times of [1, 2]) {
        assert.ok(
          (await failure(queries.execute(change, { isRepeatable: false }))) instanceof TransportError,
        );
        assert.equal(asked, times);
      }
    },
  );
});
