/** Turns an entry in the contract's endpoint table into a route with typed input and output. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Endpoint } from '#api/contract/endpoints.ts';

type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
type Member<E, Key extends string> = E extends Readonly<Record<Key, infer Schema>> ? Of<Schema> : undefined;

export interface RouteInput<E extends Endpoint> {
  readonly path: Member<E, 'pathParameters'>;
  readonly query: Member<E, 'query'>;
  readonly body: Member<E, 'body'>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type RouteOutput<E extends Endpoint> = Member<E['success'], 'body'>;

/** Bytes, or what reads them once they are needed. */
export type TextPart =
  | Uint8Array
  | { readonly byteLength: number; readonly read: () => Uint8Array | Promise<Uint8Array> };

/**
 * A response that is already JSON text, for large results. A large one is read part by part as its caller takes it, so
 * that a slow caller does not hold it in memory.
 */
export class JsonText {
  readonly #parts: readonly TextPart[];
  constructor(parts: readonly TextPart[]) {
    this.#parts = parts;
  }

  get sizeBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.byteLength, 0);
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    for (const part of this.#parts) yield part instanceof Uint8Array ? part : await part.read();
  }

  async whole(): Promise<Buffer> {
    const read: Uint8Array[] = [];
    for await (const bytes of this.bytes()) read.push(bytes);
    return Buffer.concat(read);
  }
}

/** The caller has the answer already: 304. */
const notModified = Symbol('304');
type NotModified = typeof notModified;

/** Gives the answer an ETag, or says that it is the one that the caller has. */
export function unlessKnown<Body extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  whole: object = body,
): Body | NotModified {
  const etag = `"${createHash('sha256').update(JSON.stringify(whole)).digest('base64url')}"`;
  reply.header('etag', etag);
  return request.headers['if-none-match'] === etag ? notModified : body;
}

/** Below this size, a single write is cheaper than several. */
const smallAnswerBytes = 65_536;

export function defineRoute<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (
    input: RouteInput<E>,
  ) => Promise<RouteOutput<E> | JsonText | NotModified> | RouteOutput<E> | JsonText | NotModified,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      scope: endpoint.scope,
      hasBareErrors: endpoint.hasBareErrors === true,
      takesBody: endpoint.body !== undefined,
    },
    schema: {
      ...(endpoint.pathParameters === undefined ? {} : { params: endpoint.pathParameters }),
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
    },
    handler: async (request, reply) => {
      const input = {
        path: request.params,
        query: request.query,
        body: request.body,
        request,
        reply,
      } as RouteInput<E>; // the validator has already checked this against the same schemas
      const output = await handler(input);
      if (output === notModified) return reply.code(304).send();
      reply.code(endpoint.success.status);
      if (output === undefined) return reply.send();
      if (output instanceof JsonText) {
        const { sizeBytes } = output;
        reply.type('application/json; charset=utf-8');
        if (sizeBytes <= smallAnswerBytes) return reply.send(await output.whole());
        // The length lets a caller detect a truncated response.
        reply.header('content-length', sizeBytes);
        return reply.send(Readable.from(output.bytes()));
      }
      return reply.send(output);
    },
  });
}
