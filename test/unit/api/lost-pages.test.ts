/** A page whose answer is lost: it comes again, or its rows are told as missing. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { LostPages } from '#api/client/answers/lost-pages.ts';
import type { ClientOptions, ServiceClient } from '#api/client/client.ts';
import {
  ContractError,
  RejectedError,
  TransportError,
  UnfinishedListError,
  UserAbort,
} from '#api/client/errors.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const pageCount = 4;

/** How a service keeps the place of a walk. */
type Way = 'in each token' | 'in tokens that differ each time' | 'itself' | 'in tokens for once';
/** The answer to the request for a page that does not arrive. */
type Loss = 'cut' | 'closed' | 502 | 503 | 'stopped';

interface Walk {
  readonly way: Way;
  readonly lost: { readonly page: number; readonly by: Loss };
  readonly emptyPage?: number;
}

function answering({ way, lost, emptyPage }: Walk, stop: () => void) {
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
    if (token === undefined) {
      place = 0;
      used.clear();
    }
    const at = way === 'itself' ? place++ : Number(token?.split('-')[0] ?? 0);
    const isLast = at >= pageCount - 1;
    const next = way === 'itself' ? 'walk' : `${at + 1}-${way.includes('differ') ? (given += 1) : 0}`;
    const items =
      at >= pageCount || at === emptyPage
        ? []
        : [0, 1]
            .map((each) => `${at}${each}`)
            .map((id) => ({ id, globalId: id, ...savedQuery, query_id: id }));
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
    if (lost.by === 'stopped') stop();
    else if (typeof lost.by === 'number') sendJson(response, lost.by, '');
    else if (lost.by === 'closed') response.destroy();
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, 20), () => response.destroy());
    }
  };
}

const savedQuery = { name: 'a', model: 'm', query_string: 'SELECT 1', version: 1 };

/** Asks for pages, each of them up to `times` times. */
type Read = (client: ServiceClient, times: number, signal: () => AbortSignal) => Promise<readonly string[]>;

const paged =
  (
    ask: (
      client: ServiceClient,
      asked: { readonly pageToken: PageToken | undefined; readonly signal: AbortSignal },
    ) => Promise<Told>,
  ): Read =>
  async (client, times, signal) => {
    const ids: string[] = [];
    let pageToken: PageToken | undefined;
    do {
      let page: Told | undefined;
      for (let left = times; page === undefined; left -= 1)
        page = await ask(client, { pageToken, signal: signal() }).catch((error: unknown) => {
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
  'a list': paged(async ({ accounts }, { pageToken, signal }) => {
    const page = await accounts.list({ ...(pageToken !== undefined && { pageToken }), signal });
    return { ids: page.items.map(({ globalId }) => globalId), pageToken: page.nextPageToken };
  }),
  'a list that is not described': paged(async ({ accountRoles }, { pageToken, signal }) => {
    const page = await accountRoles.list({ ...(pageToken !== undefined && { pageToken }), signal });
    return { ids: page.items.map(({ globalId }) => globalId), pageToken: page.nextPageToken };
  }),
  'the saved queries': paged(async ({ savedQueries }, asked) => {
    const page = await savedQueries.list(asked);
    return { ids: page.items.map((each) => each.query_id), pageToken: page.nextPageToken };
  }),
  'a result': paged(async ({ queries }, { pageToken, signal }) => {
    const request = { query_string: 'SELECT * FROM t', pageToken };
    const { rows, nextPageToken } = await queries.execute(request, { signal });
    return { ids: rows.map(([id]) => (typeof id === 'string' ? id : '')), pageToken: nextPageToken };
  }),
};

/** Reads all twice with one client. */
async function walkedTwice(read: Read, walk: Walk, times = 1, options: Partial<ClientOptions> = {}) {
  let stopping = new AbortController();
  const answer = answering(walk, () => {
    stopping.abort();
    stopping = new AbortController();
  });
  const told: (readonly string[] | Error)[] = [];
  await withService(
    ({ path, body }, response) => {
      const asked = body === '' ? undefined : (JSON.parse(body) as { readonly pageToken?: string });
      const inAddress = new URL(path, 'http://a.test').searchParams.get('pageToken') ?? undefined;
      answer(asked === undefined ? inAddress : asked.pageToken, response);
    },
    async (client) => {
      const readAll = () => read(client, times, () => stopping.signal);
      for (let left = 2; left > 0; left -= 1)
        told.push(await readAll().catch((error: unknown) => error as Error));
    },
    options,
  );
  return told;
}

async function walked(...walk: Parameters<typeof walkedTwice>) {
  return (await walkedTwice(...walk))[0] ?? assert.fail();
}

const all = Array.from({ length: pageCount * 2 }, (_, at) => `${at >> 1}${at % 2}`);
const isLostError = (told: unknown) => told instanceof UnfinishedListError && told.why === 'lost';
const ways = ['in each token', 'in tokens that differ each time', 'itself', 'in tokens for once'] as const;

for (const [name, read] of Object.entries(readers))
  suite(`the answer with a page of ${name}, lost`, () => {
    for (const way of ways)
      for (const page of [1, 2, pageCount - 1])
        for (const by of page === 1 ? (['cut', 'closed', 502, 503] as const) : (['cut', 502] as const))
          test(`by ${by}, page ${page}, from a service that keeps the place ${way}`, async () => {
            // A query that made a gateway fail is not sent again by itself.
            const times = name === 'a result' && by === 502 ? 2 : 1;
            const told = await walked(read, { way, lost: { page, by } }, times);
            if (way === 'itself') assert.ok(isLostError(told), JSON.stringify(told));
            else if (way === 'in tokens for once') assert.ok(told instanceof RejectedError);
            else assert.deepEqual(told, all);
          });

    for (const way of ways)
      for (const page of [1, pageCount - 1])
        for (const by of ['cut', 'stopped'] as const)
          test(`by ${by}, page ${page}, is no reason to doubt what is read again, ${way}`, async () => {
            const [told, again] = await walkedTwice(read, { way, lost: { page, by } }, 2);
            if (way === 'itself') assert.ok(isLostError(told), JSON.stringify(told));
            else if (way === 'in tokens for once') assert.ok(told instanceof RejectedError);
            else assert.deepEqual(told, all);
            assert.deepEqual(again, all);
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

suite('rows that differ each time', () => {
  const readTwice = async (tokenOf: (at: number) => string) => {
    const stopping = new AbortController();
    let given = 0;
    const told: string[] = [];
    await withService(
      ({ body }, response) => {
        const { pageToken } = JSON.parse(body) as { readonly pageToken?: string };
        const at = [0, 1, 2].find((each) => tokenOf(each) === pageToken) ?? 0;
        given += 1;
        if (at === 1 && !stopping.signal.aborted) stopping.abort();
        else
          sendJson(response, 200, {
            columns: ['id'],
            rows: [[`${at}-${given}`]],
            ...(at < 2 && { nextPageToken: tokenOf(at + 1) }),
          });
      },
      async (client) => {
        const read = readers['a result'] ?? assert.fail();
        for (const times of [2, 1]) {
          const reading = read(client, times, () => (given < 2 ? stopping.signal : AbortSignal.any([])));
          told.push(await reading.then(String, (error: unknown) => (error as Error).name));
        }
      },
    );
    return told;
  };

  test('are read on after a pause where a number tells the place', async () => {
    assert.deepEqual(await readTwice((at) => `${at}`), ['0-1,1-3,2-5', '0-6,1-7,2-8']);
  });
  test('are read again after one where nothing tells it', async () => {
    for (const tokenOf of [(at: number) => `t${at}`, (at: number) => `${at * 10}`])
      assert.deepEqual(await readTwice(tokenOf), ['UnfinishedListError', '0-5,1-6,2-7']);
  });
});

suite('a walk of which the service keeps the place', () => {
  const failing: Readonly<Record<string, { readonly reason: Error; readonly isLost: boolean }>> = {
    'a refused connection': { reason: new TransportError('', 'refused', undefined), isLost: false },
    'a reset': { reason: new TransportError('', 'reset', undefined), isLost: true },
    'a stop': { reason: new UserAbort(), isLost: true },
    'a time limit in words': { reason: new ContractError('', { status: 408 }), isLost: true },
    'a page of a proxy': { reason: new ContractError('', { status: 404 }), isLost: false },
  };
  const start = () => {
    const lost = new LostPages();
    let place = 0;
    const answer = () =>
      Promise.resolve({ place: (place += 1), isAfterLoss: false, nextPageToken: undefined });
    const read = (ask = answer, then = () => {}, signal?: AbortSignal) =>
      lost.read({ walk: ['a'], pageToken: 'b', signal }, async (askSurely) => {
        const page = await askSurely({ ask, contentOf: (told) => String(told.place) });
        then();
        return page;
      });
    return { lost, read };
  };
  const fail = (reason: Error) => () => {
    throw reason;
  };

  for (const [name, { reason, isLost }] of Object.entries(failing))
    test(`after ${name}`, async () => {
      const { read } = start();
      await assert.rejects(
        read(() => Promise.reject(reason)),
        reason,
      );
      if (isLost) for (const times of [1, 2]) assert.ok(isLostError(await failure(read())), `${times}`);
      else assert.equal((await read()).place, 1);
    });

  test('goes on without doubt after a page that was taken', async () => {
    const { read } = start();
    for (const place of [1, 2]) assert.equal((await read()).place, place);
  });
  test('has lost a page that was answered, and not read', async () => {
    const { read } = start();
    await assert.rejects(read(undefined, fail(new RangeError('x'))), RangeError);
    assert.ok(isLostError(await failure(read())));
  });
  test('has lost a page that was answered after a stop', async () => {
    const { read } = start();
    await read(undefined, undefined, AbortSignal.abort());
    assert.ok(isLostError(await failure(read())));
  });
  test('is doubted until its token is given anew, by no other one', async () => {
    const { lost, read } = start();
    await assert.rejects(
      read(() => Promise.reject(new UserAbort())),
      UserAbort,
    );
    const begin = (nextPageToken: string) =>
      lost.read({ walk: ['a'], pageToken: undefined }, () => Promise.resolve({ nextPageToken }));
    await begin('c');
    assert.ok(isLostError(await failure(read())));
    await begin('b');
    assert.equal((await read()).place, 3);
  });
});
