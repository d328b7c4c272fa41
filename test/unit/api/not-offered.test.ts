/** An operation that the specification does not describe may be missing: how that is told, and how it is not told. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import {
  AuthError,
  isAboutScope,
  isPerhapsNotOffered,
  NotFoundError,
  RejectedError,
} from '#api/client/errors.ts';
import { isListMissing } from '#core/saved-queries/write-answers.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { failureKindOf, type FailureKind } from '#test/helpers/failure-kind.ts';
import { sendJson } from '#test/helpers/http.ts';

const problem = { type: 'about:blank', title: 'Not here', detail: 'Look elsewhere.' };

suite('the list of saved queries', () => {
  for (const [status, body, kind] of [
    [404, { code: 'NOT_FOUND', message: 'no' }, 'not-offered'],
    [404, '<html>', 'not-offered'],
    [404, '', 'not-offered'],
    [404, { message: 'no Route matched' }, 'not-offered'],
    [405, problem, 'not-offered'],
    [501, '', 'not-offered'],
    [403, { message: 'Missing Authentication Token' }, 'not-offered'],
    [403, '<html>', 'not-offered'],
    [403, { code: 'FORBIDDEN', message: 'no scope' }, 'not-allowed'],
    [401, '', 'sign-in'],
    [500, '', 'later'],
    [429, '', 'later'],
  ] as const satisfies readonly [number, unknown, FailureKind][])
    test(`${status} ${JSON.stringify(body)}: ${kind}`, async () => {
      await withService(
        (_, response) => sendJson(response, status, body),
        async (client) => {
          const error = await failure(client.savedQueries.list());
          assert.equal(failureKindOf(error), kind, error.message);
          assert.doesNotMatch(error.message, /deleted/);
          if (kind !== 'not-allowed') assert.doesNotMatch(error.message, /scope/);
        },
        { retry: { attempts: 1 } },
      );
    });
});

suite('a refusal for a scope', () => {
  for (const code of ['FORBIDDEN', 'forbidden', 'INSUFFICIENT_SCOPE', 'insufficient_scope'])
    test(`is one by ${code}: the list is there, and the scope is named`, async () => {
      await withService(
        (_, response) => sendJson(response, 403, { code, message: 'no' }),
        async (client) => {
          const error = await failure(client.savedQueries.list());
          assert.ok(isAboutScope(error) && !isPerhapsNotOffered(error) && !isListMissing(error));
          assert.match(error.message, /^This client may not do this \(403\)\. no\. Ask for the read scope/);
        },
      );
    });

  test('is none by a code of its own', async () => {
    await withService(
      (_, response) => sendJson(response, 403, { code: 'HIDDEN', message: 'no' }),
      async (client) => {
        const error = await failure(client.savedQueries.list());
        assert.ok(!isAboutScope(error) && isPerhapsNotOffered(error) && isListMissing(error));
      },
    );
  });
});

test('an operation of the specification is there: 403 and 404 say something else', async () => {
  await withService(
    (request, response) => sendJson(response, request.path.endsWith('models') ? 403 : 404, '<html>'),
    async (client) => {
      const refused = await failure(client.models.list());
      assert.ok(refused instanceof AuthError);
      assert.match(refused.message, /an HTML page \(403\)\. A gateway may have sent it/);
      const missing = await failure(client.roles.get('x'));
      assert.ok(missing instanceof NotFoundError);
      assert.match(missing.message, /Check the base address/);
    },
  );
});

test('an operation that was answered before is there: a page with 403 says something else', async () => {
  await withService(
    (_, response, count) =>
      count === 1
        ? sendJson(response, 200, { columns: ['n'], rows: [], nextPageToken: null })
        : sendJson(response, 403, '<html>'),
    async (client) => {
      await client.queries.execute({ query_string: 'SELECT 1' });
      const refused = await failure(client.queries.execute({ query_string: 'SELECT 2' }));
      assert.equal(failureKindOf(refused), 'not-allowed', refused.message);
      assert.match(refused.message, /an HTML page \(403\)\. A gateway may have sent it/);
      // Of another one nothing is known.
      assert.equal(failureKindOf(await failure(client.savedQueries.list())), 'not-offered');
    },
  );
});

test('a query that is refused is not an operation that is missing', async () => {
  const answers: readonly [number, object, string][] = [
    [404, { code: 'MODEL_NOT_FOUND', message: 'no model' }, 'not-found'],
    [403, { code: 'MUTATION_NOT_ALLOWED', message: 'only SELECT' }, 'refused'],
    [
      403,
      { code: 'QUERY_PARSE_ERROR', message: 'no', reasons: [{ code: 'MUTATION_NOT_ALLOWED' }] },
      'refused',
    ],
    [403, { code: 'SCHEMA_HIDDEN', message: 'not to be read' }, 'not-allowed'],
  ];
  for (const [status, body, kind] of answers)
    await withService(
      (_, response) => sendJson(response, status, body),
      async (client) => {
        const error = await failure(client.queries.execute({ query_string: 'SELECT 1' }));
        assert.equal(failureKindOf(error), kind, error.message);
      },
    );
});

test('the words of a gateway are shown', async () => {
  for (const body of [problem, { message: 'Look elsewhere.' }, { error: { message: 'Look elsewhere.' } }])
    await withService(
      (_, response) => sendJson(response, 422, body),
      async (client) => {
        const error = await failure(client.models.list());
        assert.ok(error instanceof RejectedError);
        assert.match(error.message, /Look elsewhere\./);
        assert.equal(error.code, 'HTTP_422');
      },
    );
});

suite('a 404 of the service', () => {
  const told = async (code: string, read: (client: ServiceClient) => Promise<unknown>) => {
    let words = '';
    await withService(
      (_request, response) => sendJson(response, 404, { code, message: 'It is not there.' }),
      async (client) => {
        words = (await failure(read(client))).message;
      },
    );
    return words;
  };

  test('says that a record may have been deleted only where one was asked for', async () => {
    assert.match(
      await told('SAVED_QUERY_NOT_FOUND', (client) => client.savedQueries.get('x')),
      /no such record .* may have been deleted/,
    );
    // For example with a base address that goes on after the service's own.
    for (const read of [
      (client: ServiceClient) => client.models.list(),
      (client: ServiceClient) => client.accounts.list(),
      (client: ServiceClient) => client.activities.list({}),
    ]) {
      const words = await told('NOT_FOUND', read);
      assert.match(words, /nothing at this address .* Check the base address/);
      assert.doesNotMatch(words, /deleted/);
      assert.doesNotMatch(await told('MODEL_NOT_FOUND', read), /deleted|address/);
    }
  });
});
