/** Turns a line of the contract's endpoint table into a route whose input and output are typed by its schemas. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Endpoint } from '../../api/contract/endpoints.ts';

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

/** An answer whose JSON text is already written (large results). */
export class JsonText {
  readonly chunks: readonly Uint8Array[];
  constructor(chunks: readonly Uint8Array[]) {
    this.chunks = chunks;
  }
}

export function defineRoute<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: RouteInput<E>) => Promise<RouteOutput<E> | JsonText> | RouteOutput<E> | JsonText,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { scope: endpoint.scope },
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
      } as RouteInput<E>; // checked against the same schemas by the validator before this runs
      const output = await handler(input);
      reply.code(endpoint.success.status);
      if (output === undefined) return reply.send();
      if (output instanceof JsonText) {
        reply.type('application/json; charset=utf-8');
        return reply.send(Buffer.concat(output.chunks));
      }
      return reply.send(output);
    },
  });
}
