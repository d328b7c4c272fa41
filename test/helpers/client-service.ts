/** A client and the service that it talks to: a listener whose responses the test supplies. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createClient, type ClientOptions, type ServiceClient } from '#api/client/client.ts';
import { listen, sendJson, type SeenRequest } from './http.ts';

export type Answer = (request: SeenRequest, response: ServerResponse, count: number) => void;

export const secret = 'hush-hush';
export const token = 'token-value';

/** Runs a first query, which starts the service's database. That may take longer than the limits of later requests. */
export async function startDatabase(
  service: Pick<ClientOptions, 'baseUrl' | 'authUrl' | 'clientId' | 'clientSecret'>,
): Promise<void> {
  const client = createClient(service);
  await client.queries.execute(
    { query_string: 'SELECT 1 AS one', model: 'platform_identity' },
    { timeoutMs: 600_000 },
  );
  await client.close();
}

/** Runs `body` with a service that issues tokens; the test supplies all other responses. */
export async function withService(
  answer: Answer,
  body: (client: ServiceClient, seen: () => readonly SeenRequest[], url: string) => Promise<void>,
  options: Partial<ClientOptions> = {},
  tokenAnswer: Answer = (_, response) =>
    sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 }),
): Promise<void> {
  let asked = 0;
  let tokens = 0;
  const listener = await listen((request, response) => {
    if (request.path === '/prod/token') tokenAnswer(request, response, (tokens += 1));
    else answer(request, response, (asked += 1));
  });
  const client = createClient({
    baseUrl: listener.url,
    authUrl: `${listener.url}/prod/token`,
    clientId: 'reader',
    clientSecret: secret,
    random: () => 0,
    ...options,
  });
  try {
    await body(client, () => listener.seen, listener.url);
  } finally {
    await client.close();
    await listener.close();
  }
}

/** Returns the error of a failed call; asserts that its message contains no secret. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Error);
    for (const hidden of [secret, token])
      assert.ok(!error.message.includes(hidden), 'a message holds a secret');
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}
