/**
 * Sends a request for the next page of a result to the instance that has it, once: with the caller's own token, which
 * that instance checks again. If the instance is gone, so is the result.
 */
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject } from '#base/values/is-object.ts';
import { ServiceError } from '../errors.ts';
import { requestIdHeader } from '../plugins/request-log.ts';
import type { Instance } from '../state/instances.ts';
import { ownerOf } from '../tokens.ts';

/** A request with it came from another instance and goes no further. */
const hopHeader = 'x-identity-queries-hop';
const connectMs = 3_000;

/** @param find returns a running instance by the name of its start */
export function useForwarding(
  app: FastifyInstance,
  boot: string,
  find: (boot: string) => Promise<Instance | undefined>,
): void {
  app.addHook('preHandler', async (request, reply) => {
    const token = pageTokenOf(request);
    const owner = token === undefined ? undefined : ownerOf(token);
    if (owner === undefined || owner === boot) return;
    const instance = request.headers[hopHeader] === undefined ? await find(owner) : undefined;
    if (instance?.address === undefined) throw gone();
    const answer = await send(instance, instance.address, request).catch((error: unknown) => {
      throw gone(error);
    });
    await pass(answer, reply);
  });
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError(
    'RESULT_GONE',
    'The instance of the service that had this result is gone. Run the query, or read the list, again.',
    { cause },
  );
}

function pageTokenOf({ query, body }: FastifyRequest): string | undefined {
  const given = [query, body].map((each) => (isObject(each) ? each['pageToken'] : undefined));
  return given.find((each) => typeof each === 'string');
}

function send(instance: Instance, address: string, request: FastifyRequest): Promise<IncomingMessage> {
  const url = new URL(address);
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    authorization: request.headers.authorization,
    [requestIdHeader]: request.id,
    [hopHeader]: '1',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    // As a relative address, `//name/path` would name another server.
    const options = { method: request.method, path: request.url, headers, agent: false as const };
    // The certificate is the very one that the instance announced, so its name does not matter.
    const sent =
      url.protocol === 'https:'
        ? tlsRequest(url, {
            ...options,
            ...(instance.certificate === undefined
              ? {}
              : {
                  ca: instance.certificate,
                  allowPartialTrustChain: true,
                  checkServerIdentity: () => undefined,
                }),
          })
        : plainRequest(url, options);
    const timer = setTimeout(() => sent.destroy(new Error('The instance does not answer.')), connectMs);
    sent.once('socket', (socket) => socket.once('connect', () => clearTimeout(timer)));
    sent.once('response', resolve);
    sent.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.raw.once('close', () => {
      if (!request.raw.complete) sent.destroy();
    });
    sent.end(body);
  });
}

/** Headers that belong to the answer, not to the connection. */
const passed = ['content-type', 'content-length', 'etag', 'retry-after', 'www-authenticate'];

async function pass(answer: IncomingMessage, reply: FastifyReply): Promise<void> {
  reply.raw.once('close', () => answer.destroy());
  reply.code(answer.statusCode ?? 502);
  for (const name of passed) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  await reply.send(answer);
}
