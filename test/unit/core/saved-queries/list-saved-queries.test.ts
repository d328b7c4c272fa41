/** A saved query that is not found is told as what is true of this service. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AuthError,
  ContractError,
  NotFoundError,
  RejectedError,
  ServerFaultError,
} from '#api/client/errors.ts';
import type { SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { findSavedQuery, listSavedQueries } from '#core/saved-queries/list-saved-queries.ts';

const id = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';
const found = { query_id: id, name: 'One', model: 'm', query_string: 'SELECT 1', version: 1 };

const missing = (code: string) => new NotFoundError('gone', { code, status: 404, retryable: false });

function serviceWith({
  isListed,
  leftOut = [],
  refused = missing('SAVED_QUERY_NOT_FOUND'),
}: {
  isListed: boolean;
  leftOut?: readonly string[];
  refused?: Error;
}) {
  return {
    savedQueries: {
      get: (asked: string) => (asked === id ? Promise.resolve(found) : Promise.reject(refused)),
      async *listSummaries({
        onLeftOut,
      }: {
        readonly onLeftOut: (problems: readonly string[]) => void;
      }): AsyncGenerator<SavedQuerySummary> {
        await Promise.resolve();
        if (!isListed) throw missing('NOT_FOUND');
        onLeftOut(leftOut);
        yield found;
      },
    },
  } as never; // no other methods are used
}

describe('a saved query', () => {
  it('is found by ID and by name', async () => {
    for (const [service, name] of [
      [serviceWith({ isListed: true }), ' one '],
      [serviceWith({ isListed: true }), id],
      [serviceWith({ isListed: false }), id],
      [serviceWith({ isListed: true, leftOut: ['"Two": no version'] }), 'One'],
    ] as const)
      assert.equal((await findSavedQuery(service, name))?.query_id, id);
  });

  it('is missing only if the whole list was read', async () => {
    const service = serviceWith({ isListed: true });
    assert.equal(await findSavedQuery(service, 'Two'), undefined);
    assert.equal(await findSavedQuery(service, otherId), undefined);
  });

  it('is not said to be missing if an entry of the list could not be read', async () => {
    const service = serviceWith({ isListed: true, leftOut: ['"Two": no version'] });
    await assert.rejects(
      findSavedQuery(service, 'Two'),
      /No saved query that can be read .*"Two": no version/,
    );
  });

  it('is told without a list that does not exist', async () => {
    const service = serviceWith({ isListed: false });
    await assert.rejects(
      findSavedQuery(service, 'Two'),
      /does not list saved queries. Name a query by its ID/,
    );
    await assert.rejects(findSavedQuery(service, otherId), /no saved query with the ID .*does not list/);
  });

  it('is not said to have a wrong ID where its name was given', async () => {
    const serviceMessage = 'query_id is not a UUID';
    const refused = new RejectedError(serviceMessage, {
      code: 'X',
      status: 400,
      retryable: false,
      serviceMessage,
    });
    const listing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(missing('NOT_FOUND')) }) };
    const service = {
      savedQueries: { get: () => Promise.reject(refused), listSummaries: () => listing },
    } as never; // no other methods are used
    await assert.rejects(findSavedQuery(service, 'Two'), /does not list saved queries/);
  });

  const rejected = (status: number) =>
    new RejectedError('refused', { code: 'X', status, retryable: false, serviceMessage: 'refused' });
  const refusals = [
    ...[400, 405, 406, 410, 413, 414, 422, 431].map(rejected),
    ...[400, 406, 414].map((status) => new ContractError('refused', { status })),
    missing('HTTP_404'),
  ];
  for (const refused of refusals)
    it(`is missing where its name is refused as an ID: ${refused.name} ${refused.status}`, async () => {
      const service = serviceWith({ isListed: true, refused });
      assert.equal(await findSavedQuery(service, 'n'.repeat(9_000)), undefined);
    });

  for (const refused of [
    new ContractError('failed', { status: 200 }),
    new AuthError('no', 'forbidden', { code: 'X', status: 403 }),
    new ServerFaultError('failed', { code: 'X', status: 500, retryable: true }),
  ])
    it(`is not said to be missing after ${refused.name} ${refused.status}`, async () => {
      await assert.rejects(findSavedQuery(serviceWith({ isListed: true, refused }), 'Two'), refused);
    });

  it('is not said to be missing where the address may be wrong', async () => {
    for (const refused of [missing('HTTP_404'), new ContractError('no', { status: 414 })])
      await assert.rejects(findSavedQuery(serviceWith({ isListed: false, refused }), 'Two'), refused);
  });

  it('is not said to be missing where the service refuses something else', async () => {
    const refused = new RejectedError('too large', {
      code: 'X',
      status: 413,
      retryable: false,
      serviceMessage: 'too large',
    });
    const service = {
      savedQueries: {
        get: () => Promise.reject(refused),
        listSummaries: () => ({ [Symbol.asyncIterator]: () => assert.fail('the list is not asked') }),
      },
    } as never; // no other methods are used
    await assert.rejects(findSavedQuery(service, id), refused);
  });

  it('is listed without a list, whatever is wrong with another one that is known', async () => {
    const answers: Readonly<Record<string, Error>> = {
      gone: missing('SAVED_QUERY_NOT_FOUND'),
      hidden: missing('HTTP_404'),
      broken: new ContractError('no version', { status: 200 }),
    };
    const service = {
      savedQueries: {
        get: (asked: string) =>
          asked === id ? Promise.resolve(found) : Promise.reject(answers[asked] ?? assert.fail()),
        listSummaries: () => ({
          [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(missing('NOT_FOUND')) }),
        }),
      },
    } as never; // no other methods are used
    const knownIds = () => Promise.resolve([...Object.keys(answers), id]);
    const { queries, leftOut } = await listSavedQueries(service, { knownIds });
    assert.deepEqual([queries, leftOut], [[found], ['hidden: gone', 'broken: no version']]);
  });
});
