/**
 * Sends a request for the next page of a result to the instance that has it, once: with the caller's own token, which
 * that instance checks again. If the instance is gone, so is the result.
 */
import { X509Certificate } from 'node:crypto';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { finished } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject } from '#base/values/is-object.ts';
import { ServiceError } from '../errors.ts';
import { requestIdHeader } from '../plugins/request-log.ts';
import { heartbeatMs, type Instance } from '../state/instances.ts';
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
    const lost = new AbortController();
    // An instance that hangs keeps its connections, and no longer says that it runs.
    const watch = setInterval(() => {
      find(owner).then(
        (still) => (still === undefined ? lost.abort() : undefined),
        () => undefined, // the state is away: nothing is known
      );
    }, heartbeatMs);
    // Also if the caller leaves, or has left already.
    finished(reply.raw, () => {
      clearInterval(watch);
      lost.abort();
    });
    const answer = await send(instance, instance.address, request, lost.signal).catch((error: unknown) => {
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

function send(
  instance: Instance,
  address: string,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
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
    const options = { method: request.method, path: request.url, headers, signal, agent: false as const };
    const sent =
      url.protocol === 'https:'
        ? tlsRequest(url, {
            ...options,
            ...(instance.certificate === undefined ? {} : pinnedTo(instance.certificate)),
          })
        : plainRequest(url, options);
    const timer = setTimeout(() => sent.destroy(new Error('The instance does not answer.')), connectMs);
    sent.once('socket', (socket) => socket.once('connect', () => clearTimeout(timer)));
    sent.once('response', resolve);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.raw.once('close', () => {
      if (!request.raw.complete) sent.destroy();
    });
    sent.end(body);
  });
}

/** The certificate must be the very one that the instance announced; its name does not matter. */
function pinnedTo(chain: string): ConnectionOptions {
  const { raw: announced } = new X509Certificate(chain); // the first of a chain is the server's own
  return {
    ca: chain,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, { raw }) =>
      raw.equals(announced) ? undefined : new Error('The instance shows another certificate.'),
  };
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
