/**
 * Faults on request, for client tests: POST /_sandbox/faults sets them, DELETE clears them, and GET /_sandbox/requests
 * lists recent requests. Requires --faults.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AccessTokens } from '../tokens.ts';
import { NoBody } from '../validation.ts';
import { pathOf, type RequestLog } from './request-log.ts';

const Status = Type.Object(
  {
    kind: Type.Literal('status'),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** The header's value as sent: seconds or an HTTP date. */
    retryAfter: Type.Optional(Type.String()),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
);
function Plain<Kind extends string>(kind: Kind) {
  return Type.Object({ kind: Type.Literal(kind) }, { additionalProperties: false });
}

export const Answer = Type.Union([
  /** No fault: this request in a script succeeds. */
  Type.Object({ kind: Type.Literal('pass') }, { additionalProperties: false }),
  Status,
  /** Responds 200 with this body, as a different service might. */
  Type.Object({ kind: Type.Literal('body'), body: Type.Unknown() }, { additionalProperties: false }),
  /** Waits, then responds normally. */
  Type.Object(
    { kind: Type.Literal('latency'), ms: Type.Integer({ minimum: 0, maximum: 600_000 }) },
    { additionalProperties: false },
  ),
  /** Waits until the rules are replaced or cleared, then responds normally. */
  Plain('hold'),
  /** Closes the connection before responding. */
  Plain('drop'),
  /** Executes the request, then closes the connection without a response. */
  Plain('drop-after'),
  /** Sends headers and half of the real body, then closes the connection. */
  Plain('truncate'),
  /** Responds 200 with truncated JSON. */
  Plain('invalid-json'),
  /** Responds 200 with a web page. */
  Plain('html'),
  /** Sends the real body a few bytes at a time. */
  Type.Object(
    {
      kind: Type.Literal('trickle'),
      bytes: Type.Integer({ minimum: 1 }),
      everyMs: Type.Integer({ minimum: 1, maximum: 60_000 }),
    },
    { additionalProperties: false },
  ),
  /** Redirects the caller. */
  Type.Object({ kind: Type.Literal('redirect'), location: Type.String() }, { additionalProperties: false }),
  /** Responds 200 with the unchanged record, without executing the request. */
  Plain('not-taken'),
  /** Stores the query's text trimmed and with composed accents. */
  Plain('reshape'),
  /** Invalidates every access token, as if all had expired, then responds normally. */
  Plain('expire-tokens'),
]);
export type Answer = Static<typeof Answer>;

const Rule = Type.Object(
  {
    method: Type.Optional(Type.String()),
    /** The whole path, or a prefix followed by an asterisk. If absent, the rule matches every path. */
    path: Type.Optional(Type.String()),
    /** One response per matching request, in order. Afterward, the service behaves normally. */
    script: Type.Optional(Type.Array(Answer, { minItems: 1 })),
    /** The response to each matching request, sent with this `probability` (default: 1). */
    always: Type.Optional(Answer),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { additionalProperties: false },
);
const Faults = Type.Object({ rules: Type.Array(Rule) }, { additionalProperties: false });
export type Faults = Static<typeof Faults>;
type FaultRule = Static<typeof Rule>;

declare module 'fastify' {
  interface FastifyRequest {
    fault: Answer | undefined;
  }
}

export function useFaults(app: FastifyInstance, requests: RequestLog, tokens: AccessTokens): void {
  let rules: FaultRule[] = [];
  let replaced = new AbortController();
  const replaceRules = (replacement: FaultRule[]): void => {
    rules = replacement;
    replaced.abort();
    replaced = new AbortController();
  };
  app.decorateRequest('fault', undefined);

  app.post<{ Body: Faults }>('/_sandbox/faults', { schema: { body: Faults } }, (request, reply) => {
    replaceRules(structuredClone(request.body.rules));
    return reply.code(204).send();
  });
  app.delete('/_sandbox/faults', { schema: { body: NoBody } }, (_request, reply) => {
    replaceRules([]);
    return reply.code(204).send();
  });
  app.get('/_sandbox/requests', () => ({ requests: requests.list() }));
  app.delete('/_sandbox/requests', { schema: { body: NoBody } }, (_request, reply) => {
    requests.clear();
    return reply.code(204).send();
  });

  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url);
    if (path.startsWith('/_sandbox/')) return;
    const answer = nextAnswer(rules, request.method, path);
    if (answer === undefined) return;
    request.fault = answer;
    if (answer.kind === 'not-taken') await answerAsItIs(app, request, reply);
    else if (answer.kind === 'hold') await abortOf(replaced.signal, request);
    else await beforeHandler(answer, request, reply, tokens);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.fault?.kind === 'reshape') reshapeText(request.body);
    done();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.fault === undefined || !isOfTransport(request.fault)) return payload;
    await afterHandler(request.fault, reply, await bytesOf(payload));
    return payload;
  });
}

/** Takes the next response from the first matching rule that has one left. */
function nextAnswer(rules: readonly FaultRule[], method: string, path: string): Answer | undefined {
  for (const rule of rules) {
    if (rule.method !== undefined && rule.method.toUpperCase() !== method) continue;
    if (rule.path !== undefined && !matchesPath(rule.path, path)) continue;
    const scripted = rule.script?.shift();
    if (scripted !== undefined) return scripted;
    if (rule.always === undefined) continue;
    // The only randomness in the sandbox, and only on request. Everything else is deterministic.
    if (Math.random() < (rule.probability ?? 1)) return rule.always;
  }
  return undefined;
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

const page =
  '<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>';

async function answerAsItIs(
  app: FastifyInstance,
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { authorization = '' } = headers;
  const read = await app.inject({ method: 'GET', url, headers: { authorization } });
  await reply.code(read.statusCode).type('application/json').send(read.body);
}

function reshapeText(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('query_string' in body)) return;
  const { query_string: text } = body;
  if (typeof text !== 'string') return;
  const lines = text.normalize('NFC').split('\n');
  body.query_string = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

async function beforeHandler(
  answer: Exclude<Answer, { kind: 'not-taken' | 'hold' }>,
  request: FastifyRequest,
  reply: FastifyReply,
  tokens: AccessTokens,
): Promise<void> {
  switch (answer.kind) {
    case 'status': {
      const headers = {
        ...answer.headers,
        ...(answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter }),
      };
      const code = answer.code ?? codeOf(answer.status);
      const message = answer.message ?? 'This answer was requested with /_sandbox/faults.';
      const details = answer.details === undefined ? {} : { details: answer.details };
      await reply
        .code(answer.status)
        .headers(headers)
        .send({ code, message, ...details });
      return;
    }
    case 'body':
      await reply.code(200).type('application/json').send(JSON.stringify(answer.body));
      return;
    case 'latency':
      await delay(answer.ms, request);
      return;
    case 'drop':
      request.raw.socket.destroy();
      reply.hijack();
      return;
    case 'invalid-json':
      await reply.code(200).type('application/json').send('{"items": [{"query_id": "0');
      return;
    case 'html':
      await reply.code(200).type('text/html; charset=utf-8').send(page);
      return;
    case 'redirect':
      await reply.code(302).header('location', answer.location).send('');
      return;
    case 'expire-tokens':
      tokens.revokeAll();
      return;
    case 'pass':
    case 'reshape':
    case 'drop-after':
    case 'truncate':
    case 'trickle':
      return;
    default:
      answer satisfies never;
  }
}

/** Simulates transport faults: the response exists but does not arrive intact. */
async function afterHandler(answer: Answer, reply: FastifyReply, body: Uint8Array): Promise<void> {
  const { raw } = reply;
  if (answer.kind === 'drop-after') {
    reply.hijack();
    raw.destroy();
  } else if (answer.kind === 'truncate') {
    reply.hijack();
    writeHead(reply, body.length + 1);
    const half = body.subarray(0, Math.ceil(body.length / 2));
    raw.write(half, () => raw.destroy());
  } else if (answer.kind === 'trickle') {
    reply.hijack();
    writeHead(reply, body.length);
    for (let at = 0; at < body.length && !raw.destroyed; at += answer.bytes) {
      raw.write(body.subarray(at, at + answer.bytes));
      await delay(answer.everyMs, reply.request);
    }
    raw.end();
  }
}

/** Starts the normal response with its status and headers, for a body of this length. */
function writeHead(reply: FastifyReply, length: number): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  if (!reply.hasHeader('content-type')) reply.raw.setHeader('content-type', 'application/json');
  reply.raw.writeHead(reply.statusCode, { 'content-length': length });
}

/** Resolves early if the caller disconnects. */
const delay = (ms: number, request: FastifyRequest): Promise<void> =>
  abortOf(AbortSignal.timeout(ms), request);

/** Resolves when the signal is aborted or the caller disconnects. */
function abortOf(signal: AbortSignal, { raw: { socket } }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      signal.removeEventListener('abort', finish);
      socket.off('close', finish);
      resolve();
    };
    signal.addEventListener('abort', finish);
    socket.once('close', finish);
  });
}

function isOfTransport({ kind }: Answer): boolean {
  return kind === 'drop-after' || kind === 'truncate' || kind === 'trickle';
}

async function bytesOf(payload: unknown): Promise<Uint8Array> {
  if (typeof payload === 'string') return Buffer.from(payload);
  if (payload instanceof Uint8Array) return payload;
  return payload instanceof Readable ? await buffer(payload) : new Uint8Array();
}

function codeOf(status: number): string {
  switch (status) {
    case 401:
      return 'UNAUTHORIZED';
    case 403:
      return 'FORBIDDEN';
    case 404:
      return 'NOT_FOUND';
    case 429:
      return 'TOO_MANY_REQUESTS';
    case 503:
      return 'SERVICE_UNAVAILABLE';
    default:
      return status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR';
  }
}
