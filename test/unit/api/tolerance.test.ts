/** Equivalent forms of a response, unusable links and IDs, and endless responses. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import {
  ConflictError,
  ContractError,
  RateLimitError,
  RejectedError,
  TimeoutError,
} from '#api/client/errors.ts';
import type { CollectionList } from '#api/client/resources.ts';
import { createChangeService } from '#core/changes/change-service.ts';
import { findRecord } from '#core/records/find-record.ts';
import { runDelete } from '#core/saved-queries/run-delete.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

const metadata =
  '"objectMetadata":{"ApplicationInstanceId":"i","GeneratedTime":"2026-01-01T00:00:00Z","Profile":"p","ObjectOrRelationshipType":"o"},"platformObjectMetadata":{"enrichmentVersion":"1","generatedTime":"2026-01-01T00:00:00Z"}';

/** Lists the access assignments of a service that returns one, with these additional members. */
async function listed(
  members: string,
  envelope = '',
): Promise<Awaited<ReturnType<CollectionList<object>['list']>>> {
  const body = `{"items":[{"id":"a","globalId":"g",${metadata}${members}}]${envelope}}`;
  let page: Awaited<ReturnType<CollectionList<object>['list']>> | undefined;
  await withService(
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    async ({ accessAssignments }) => {
      page = await accessAssignments.list();
    },
  );
  assert.ok(page !== undefined);
  return page;
}

suite('equivalent forms of the same data', () => {
  for (const [written, count] of [
    ['3.0', 3],
    ['12e1', 120],
    ['0.10', 0.1],
    ['-0', 0],
  ] as const) {
    test(`a number written as ${written}`, async () => {
      const { items } = await listed(`,"analyticsLoginEventCount":${written}`);
      assert.equal(Number(Reflect.get(items[0] ?? {}, 'analyticsLoginEventCount')) + 0, count);
      assert.equal(typeof Reflect.get(items[0] ?? {}, 'analyticsLoginEventCount'), 'number');
    });
  }

  test('the version of a saved query written as a text', async () => {
    const query = { query_id: 'q', name: 'One', model: 'm', query_string: 'SELECT 1', version: '7' };
    await withService(
      ({ method, path }, response) => {
        const stale = { code: 'VERSION_CONFLICT', message: 'stale', details: { current_version: '8' } };
        if (method === 'PUT') sendJson(response, 409, stale);
        else sendJson(response, 200, path.includes('/q') && path.endsWith('q') ? query : { items: [query] });
      },
      async ({ savedQueries }) => {
        assert.equal((await savedQueries.get('q')).version, 7);
        assert.equal((await savedQueries.list()).items[0]?.version, 7);
        const update = savedQueries.update('q', { ...query, expected_version: 7 });
        const error = await failure(update);
        assert.ok(error instanceof ConflictError);
        assert.equal(error.currentVersion, 8);
      },
    );
  });

  test('an optional null member counts as absent, at any depth', async () => {
    const { items } = await listed(
      ',"entityId":null,"federationSpecification":{"isFederated":true,"connectionType":null},"more":null',
    );
    assert.equal('entityId' in (items[0] ?? {}), false);
    assert.deepEqual(Reflect.get(items[0] ?? {}, 'federationSpecification'), { isFederated: true });
    assert.equal(
      Reflect.get(items[0] ?? {}, 'more'),
      null,
      'what the contract does not know stays as it came',
    );
  });

  test('an untyped value keeps its null members and digits beside a normalized member', async () => {
    const item = '{"id":null,"name":"n","value":null}';
    const exact = '{"name":"m","value":12345678901234567890}';
    const { items } = await listed(
      `,"entitlementSpecification":{"inferenceConfidence":1.0,"reasonSpecificData":{"accessControlMetadata":[${item},${exact}]}}`,
    );
    const specification: unknown = Reflect.get(items[0] ?? {}, 'entitlementSpecification');
    assert.equal(
      JSON.stringify(specification),
      '{"inferenceConfidence":1,"reasonSpecificData":{"accessControlMetadata":[{"name":"n","value":null},{"name":"m","value":12345678901234567890}]}}',
    );
  });

  test('a value of another type is shown as received', async () => {
    const { items } = await listed(',"analyticsLoginEventCount":"3","id":null');
    assert.equal(Reflect.get(items[0] ?? {}, 'analyticsLoginEventCount'), '3');
    assert.equal(Reflect.get(items[0] ?? {}, 'id'), null);
    assert.equal(String(Reflect.get((await listed(',"entityId":1.0')).items[0] ?? {}, 'entityId')), '1.0');
  });

  for (const written of ['null', '""']) {
    test(`a list ends if its next token is ${written}`, async () => {
      const body = `{"items":[{"id":"a","globalId":"g",${metadata}}],"nextPageToken":${written}}`;
      await withService(
        (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
        async ({ accessAssignments }, seen) => {
          assert.equal((await Array.fromAsync(accessAssignments.listAll())).length, 1);
          assert.equal(seen().filter(({ method }) => method === 'GET').length, 1);
        },
      );
    });
  }

  test('the empty description of a model is not shown', async () => {
    await withService(
      (_, response) => sendJson(response, 200, { models: [{ name: 'a' }, { name: 'b', description: null }] }),
      async ({ models }) => {
        assert.deepEqual(await models.list(), [
          { name: 'a', description: '' },
          { name: 'b', description: '' },
        ]);
      },
    );
  });

  for (const [beside, told] of [
    [{ state: 'READY' }, 0],
    [{ status: 'active', code: 'EU' }, 0],
    [{ nextPageToken: 'x' }, 1],
    [{ hasMore: true }, 1],
  ] as const)
    test(`models beside ${JSON.stringify(beside)} are read`, async () => {
      await withService(
        (_, response) => sendJson(response, 200, { models: [{ name: 'a' }], ...beside }),
        async ({ models }) => {
          const problems: string[] = [];
          const onLeftOut = (more: readonly string[]) => problems.push(...more);
          assert.deepEqual(await models.list({ onLeftOut }), [{ name: 'a', description: '' }]);
          assert.equal(problems.length, told);
        },
      );
    });

  test('an error with empty members keeps its code', async () => {
    const taken = { code: 'NAME_CONFLICT', message: 'taken', details: null, reasons: null };
    await withService(
      (_, response) => sendJson(response, 409, taken),
      async ({ savedQueries }) => {
        const error = await failure(savedQueries.create({ name: 'a', query_string: 'b' }));
        assert.ok(error instanceof ConflictError && error.isNameConflict);
      },
    );
  });

  test('an error keeps its valid reasons', async () => {
    const reasons = [{ code: 'MUTATION_NOT_ALLOWED', message: 'only SELECT' }, null, { code: 'X' }, 'text'];
    await withService(
      (_, response) =>
        sendJson(response, 400, { code: 'QUERY_PARSE_ERROR', message: 'no', details: 'in words', reasons }),
      async ({ queries }) => {
        const error = await failure(queries.execute({ query_string: 'x' }));
        assert.ok(error instanceof RejectedError);
        assert.equal(error.code, 'QUERY_PARSE_ERROR');
        assert.deepEqual(error.reasons, [reasons[0], { code: 'X', message: 'X' }]);
      },
    );
  });

  for (const [written, lives] of [
    ['"3600"', true],
    ['"0"', false],
    ['null', true],
    ['"soon"', true],
  ] as const) {
    test(`a token with a lifetime of ${written} seconds`, async () => {
      let tokens = 0;
      await withService(
        (_, response) => sendJson(response, 200, { models: [] }),
        async ({ models }) => {
          await models.list();
          await models.list();
          assert.equal(tokens, lives ? 1 : 2);
        },
        {},
        (_, response) => {
          tokens += 1;
          const text = `{"access_token":"token-value","token_type":"Bearer","expires_in":${written}}`;
          response.writeHead(200, { 'content-type': 'application/json' }).end(text);
        },
      );
    });
  }

  for (const [written, waitMs] of [
    ['1.5', 1_500],
    ['-1', undefined],
    ['soon', undefined],
    // By the clock of the service, which says that it is 2031.
    ['Wed, 01 Jan 2031 00:00:09 GMT', 9_000],
  ] as const) {
    test(`a Retry-After of ${written}`, async () => {
      await withService(
        (_, response) =>
          response
            .writeHead(429, {
              'content-type': 'application/json',
              'retry-after': written,
              ...(waitMs === 9_000 ? { date: 'Wed, 01 Jan 2031 00:00:00 GMT' } : {}),
            })
            .end('{"code":"TOO_MANY_REQUESTS","message":"slower"}'),
        async ({ models }) => {
          const error = await failure(models.list());
          assert.ok(error instanceof RateLimitError);
          assert.equal(error.retryAfterMs, waitMs);
        },
        { retry: { attempts: 1 } },
      );
    });
  }
});

suite('invalid requests', () => {
  const calls: readonly [string, (client: ServiceClient, id: string) => Promise<unknown>][] = [
    ['a look-up', ({ roles }, id) => roles.get(id)],
    ['a change', ({ accounts }, id) => accounts.disable(id)],
    ['a deletion', ({ savedQueries }, id) => savedQueries.delete(id)],
    ['the second id of a change', ({ groups }, id) => groups.removeMember('group', id)],
  ];
  for (const [name, call] of calls) {
    for (const id of ['', ' ', '.', '..', '\ud800', '../../v1/roles', 'a/..', '/a', 'a\\.', 'a//b']) {
      test(`${name} with the ID ${JSON.stringify(id)} stays at its address`, async () => {
        await withService(
          (_, response) => sendJson(response, 200, {}),
          async (client, seen) => {
            const error = await failure(call(client, id));
            assert.ok(error instanceof RejectedError);
            assert.equal(error.code, 'INVALID_ID');
            assert.deepEqual(
              seen().filter(({ path }) => path.startsWith('/v1')),
              [],
            );
          },
        );
      });
    }
  }

  for (const link of [
    '/downloads/x',
    'not a link',
    'file:///etc/passwd',
    'data:text/csv,a',
    'http://storage.invalid/x',
  ]) {
    test(`an export behind ${link}`, async () => {
      await withService(
        (_, response) => response.end(),
        async ({ downloads }) => {
          for (const attempt of [downloads.open(link), Array.fromAsync(downloads.read(link))]) {
            const error = await failure(attempt);
            assert.ok(error instanceof ContractError);
            assert.ok(!error.message.includes(link), 'a link is a permission');
            assert.match(error.message, /^The link of the export is /);
          }
        },
      );
    });
  }
});

suite('an export', () => {
  for (const [status, advice] of [
    [403, /may have expired/],
    [404, /may have expired/],
    [500, /500.* Try again later/],
    [503, /Try again later/],
    [429, /Try again later/],
    [302, /redirect .* is not followed/],
  ] as const)
    test(`whose storage answers ${status} is told with what that means`, async () => {
      await withService(
        (_, response) => response.writeHead(status, { location: 'http://192.0.2.1/x' }).end(),
        async ({ downloads }, _seen, url) => {
          const error = await failure(Array.fromAsync(downloads.read(`${url}/file`)));
          assert.match(error.message, advice);
        },
      );
    });

  test('is over also where its state is written in capitals', async () => {
    await withService(
      (_, response) => sendJson(response, 200, { id: 'x', status: 'COMPLETED', url: 'https://x/y' }),
      async ({ downloads }) => assert.equal((await downloads.wait('x')).url, 'https://x/y'),
    );
  });
});

suite('endless responses', () => {
  test('a result that repeats its token', async () => {
    await withService(
      (_, response) =>
        sendJson(response, 200, {
          columns: [{ name: 'a', type: 'int4' }],
          rows: [[1]],
          nextPageToken: 'same',
        }),
      async ({ queries }, seen) => {
        const error = await failure(Array.fromAsync(queryPages({ queries }, { query_string: 'SELECT 1' })));
        assert.ok(error instanceof ContractError);
        assert.ok(seen().filter(({ path }) => path === '/v1/query/execute').length < 20);
      },
    );
  });

  test('a page that comes again under its own token ends the list, which is incomplete', async () => {
    await withService(
      (_, response, count) =>
        sendJson(response, 200, { items: count === 1 ? [] : ['link'], nextPageToken: 'same' }),
      async ({ enrollmentViaAuthenticator }) => {
        const links: string[] = [];
        const reading = (async () => {
          for await (const link of enrollmentViaAuthenticator.listAll({ emptyPageDelayMs: 1 }))
            links.push(link);
        })();
        assert.ok((await failure(reading)) instanceof ContractError);
        assert.ok(links.length <= 3);
      },
    );
  });

  const carriers = { 'connections of its own': {}, "the editor's fetch": { fetch } };
  for (const [name, carrier] of Object.entries(carriers)) {
    for (const begun of [false, true]) {
      test(`a file ${begun ? 'that stops in the middle' : 'that never starts'}, by ${name}`, async () => {
        await withService(
          (_, response) => {
            if (begun) response.writeHead(200, { 'content-length': 10 }).write('half');
          },
          async ({ downloads }, _, url) => {
            const error = await failure(Array.fromAsync(downloads.read(`${url}/file`)));
            assert.ok(error instanceof TimeoutError, error.message);
            assert.equal(error.timeoutMs, 150);
          },
          { timeoutMs: 150, retry: { attempts: 1 }, ...carrier },
        );
      });
    }
  }
});

suite('a deletion', () => {
  const query = { query_id: 'q', name: 'One', model: 'm', query_string: 'SELECT 1', version: 1 };
  for (const [status, body, isGone] of [
    [204, undefined, undefined],
    [200, { query_id: 'q' }, undefined],
    [200, { success: true, status: 'deleted' }, undefined],
    [200, { success: false }, false],
    [200, { deleted: false }, false],
    [200, { error: { code: 'LOCKED', message: 'It is in use.' } }, false],
    [202, { status: 'accepted' }, false],
    [202, undefined, true],
  ] as const)
    test(`answered ${status} ${JSON.stringify(body)} is ${isGone === false ? 'none' : 'one'}`, async () => {
      await withService(
        ({ method }, response) => {
          if (method === 'DELETE' && body === undefined) response.writeHead(status).end();
          else if (method === 'DELETE') sendJson(response, status, body);
          else if (isGone === true) sendJson(response, 404, { code: 'SAVED_QUERY_NOT_FOUND', message: 'no' });
          else sendJson(response, 200, query);
        },
        async (client) => {
          assert.equal((await runDelete(client, 'q')).kind, isGone === false ? 'failed' : 'deleted');
        },
      );
    });
});

suite('versions of a query', () => {
  const query = { query_id: 'q', name: 'One', model: 'm', query_string: 'SELECT 1', version: 2 };
  const versions = async (answer: object, status = 200) => {
    let listed: unknown;
    await withService(
      ({ path }, response) =>
        sendJson(
          response,
          path.includes('/versions') ? status : 200,
          path.includes('/versions') ? answer : query,
        ),
      async ({ savedQueries }) => {
        const told = await savedQueries.versions('q');
        listed = told && { versions: told.items.map(({ version }) => version), isComplete: told.isComplete };
      },
    );
    return listed;
  };
  test('that cannot be read are not all of them', async () => {
    const { query_string: _, ...summary } = query;
    assert.deepEqual(await versions({ items: [query, { ...summary, version: 1 }] }), {
      versions: [2],
      isComplete: false,
    });
    assert.deepEqual(await versions({ items: [query, { ...query, query_id: 'r' }] }), {
      versions: [2],
      isComplete: false,
    });
  });
  test('are not listed where their address is taken for an ID', async () => {
    assert.equal(await versions({ code: 'SAVED_QUERY_NOT_FOUND', message: 'no' }, 404), undefined);
  });
});

suite('an answer about one record', () => {
  for (const [rows, isShown] of [
    [[[0]], true],
    [[['2']], false],
    [[[null]], undefined],
    [[['none']], undefined],
    [[], undefined],
  ] as const)
    test(`${JSON.stringify(rows)} assignments: removed is ${isShown}`, async () => {
      await withService(
        (_, response) => sendJson(response, 200, { columns: ['count'], rows, nextPageToken: null }),
        async (client) => {
          const operation = { kind: 'remove-account-access', application: 'a', account: 'b' } as const;
          const shown = await createChangeService(client).isShown(operation, new AbortController().signal);
          assert.equal(shown, isShown);
        },
      );
    });

  const lookUp = async (executed: object, status: number, refusal: object) => {
    let found: unknown;
    await withService(
      ({ method }, response) =>
        method === 'POST' ? sendJson(response, 200, executed) : sendJson(response, status, refusal),
      async (client) => {
        found = await findRecord(client, 'x').catch((error: unknown) => error);
      },
      { executeValues: 'parameters' },
    );
    return found;
  };
  const none = { columns: ['collection'], rows: [], nextPageToken: null };
  const notFound = { code: 'NOT_FOUND', message: 'no' };
  test('that is perhaps not all says of no record that it is not there', async () => {
    assert.equal(await lookUp(none, 404, notFound), undefined);
    const cut = { ...none, warnings: ['The result is incomplete.'] };
    assert.ok((await lookUp(cut, 404, notFound)) instanceof Error);
  });
  test('that is refused for another reason than its ID says nothing of the record', async () => {
    assert.equal(await lookUp(none, 400, { code: 'BAD_REQUEST', message: 'no ID' }), undefined);
    assert.ok(
      (await lookUp(none, 412, { code: 'OUTDATED', message: 'Ask again.' })) instanceof RejectedError,
    );
  });
});
