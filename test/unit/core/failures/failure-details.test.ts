/** Error details contain all known facts, but nothing that was sent. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ContractError } from '#api/client/errors.ts';
import { failureDetailsOf, failureDetailsText } from '#core/failures/failure-details.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { failure, token, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const sql = "SELECT * FROM accounts WHERE alias = 'hush-literal' AND id = :id AND n = :n AND s = :s";
const sent = {
  query_string: sql,
  parameters: { id: 'needle-value', n: 4711, s: 'x', list: ['in-the-list'] },
};

const said = {
  code: 'ODD_FAILURE',
  message: `It did not work: ${sql}`,
  details: {
    line: 4711,
    tried: ['one', `before needle-value after`, 'x', 'next'],
    query: 'SELECT reformatted',
    parameters: { id: 1 },
    deep: { value: 4711, token: 'abc', other: 12, text: `Bearer ${token}`, list: 'in-the-list' },
  },
  reasons: [{ code: 'WHY', message: 'since needle-value\nis odd \u202e' }],
};

async function failureOfRun(status: number, body: unknown): Promise<Error> {
  const errors: Error[] = [];
  await withService(
    (_, response) => {
      response.setHeader('x-request-id', 'request-7');
      sendJson(response, status, body);
    },
    async (client) => {
      errors.push(await failure(client.queries.execute(sent)));
    },
    { retry: { attempts: 1 } },
  );
  return errors[0] ?? assert.fail();
}

const at = new Date('2026-01-02T03:04:05Z');

suite('details of an error', () => {
  for (const status of [400, 401, 403, 404, 409, 429, 500]) {
    test(`of ${status}: code, status, request, request ID, reasons, details; nothing that was sent`, async () => {
      const error = await failureOfRun(status, said);
      const details = failureDetailsOf(new ExpectedError('Wrapped.', [], { cause: error }));
      assert.ok(details);
      assert.deepEqual(
        [details.code, details.status, details.requestId, details.request],
        ['ODD_FAILURE', status, 'request-7', 'POST /v1/query/execute'],
      );
      assert.match(details.origin ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.deepEqual(details.details, {
        line: 4711,
        tried: ['one', 'before […] after', '[…]', 'next'],
        query: '[…]',
        parameters: '[…]',
        deep: { value: '[…]', token: '[…]', other: 12, text: 'Bearer […]', list: '[…]' },
      });
      const text = failureDetailsText(details, at);
      for (const hidden of ['SELECT', 'hush-literal', 'needle', 'in-the-list', token])
        assert.ok(!text.includes(hidden), `${hidden} is in ${text}`);
    });
  }

  test('contain the path, which the message leaves out with its IDs', async () => {
    const id = '7c0de5a1-0000-4000-8000-00000000beef';
    const answers = [301, 400, 403, 404, 409, 418, 429, 500, 200];
    for (const status of answers) {
      const errors: Error[] = [];
      await withService(
        (_, response) => sendJson(response, status, status === 418 ? 'teapot' : { ...said, message: 'No' }),
        async (client) => void errors.push(await failure(client.savedQueries.get(id))),
        { retry: { attempts: 1 } },
      );
      const [error] = errors;
      assert.ok(error);
      assert.ok(
        !error.message.includes('/v1/') && !error.message.includes(id),
        `${status}: ${error.message}`,
      );
      assert.equal(failureDetailsOf(error)?.request, `GET /v1/query/saved-queries/${id}`, String(status));
    }
  });

  test('are readable, with one fact per line and visible hidden characters', async () => {
    const details = failureDetailsOf(await failureOfRun(500, said));
    assert.ok(details);
    const text = failureDetailsText({ ...details, origin: 'https://api.example.com', details: { a: 1 } }, at);
    assert.equal(
      text,
      [
        'Message:    It did not work: […]',
        'Code:       ODD_FAILURE',
        'Status:     500',
        'Request:    POST /v1/query/execute',
        'Service:    https://api.example.com',
        'Request ID: request-7',
        'Shown at:   2026-01-02T03:04:05.000Z',
        '',
        'Reasons:',
        '- WHY: since […] is odd <U+202E>',
        '',
        'Details:',
        '{',
        '  "a": 1',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('of a foreign response or a missing one contain the request', async () => {
    const page = failureDetailsOf(await failureOfRun(418, 'teapot'));
    assert.deepEqual([page?.status, page?.request], [418, 'POST /v1/query/execute']);
    const errors: Error[] = [];
    await withService(
      (_, response) => response.destroy(),
      async (client) => void errors.push(await failure(client.accounts.list())),
      { retry: { attempts: 1 } },
    );
    const none = failureDetailsOf(errors[0]);
    assert.deepEqual([none?.code, none?.status, none?.request], ['TRANSPORT', undefined, 'GET /v1/accounts']);
  });

  test('are truncated after a megabyte and limited in depth', async () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 2_000; level += 1) deep = { deep };
    const body = { ...said, details: { long: 'y'.repeat(1_000_000), more: 'z'.repeat(50_000), deep } };
    const details = failureDetailsOf(await failureOfRun(500, body));
    assert.ok(details);
    assert.ok(failureDetailsText(details, at).length < 30_000);
  });

  test('are empty without a failed request', () => {
    assert.equal(failureDetailsOf(new ExpectedError('No.')), undefined);
    assert.equal(failureDetailsOf(new TypeError('bug')), undefined);
    assert.equal(failureDetailsOf(new ContractError('m', { status: 200 }))?.request, undefined);
  });
});
