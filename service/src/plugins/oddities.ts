/**
 * `--odd NAME`: deviations that the specification allows (docs/assumptions.md), for testing how clients handle them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { pathOf } from './request-log.ts';

export const oddities = {
  sparse: 'records without empty or optional members',
  growing: 'members that first appear on the second page of a list',
  'other-jobs': 'jobs with a state (SUCCEEDED), and targets with a status',
  'lower-case-codes': 'error codes such as not_found',
  'stale-412': 'a stale version of a saved query returns 412 PRECONDITION_FAILED',
  'patch-updates': 'saved queries are updated with PATCH; PUT returns 405',
  'no-query-list': 'no list of saved queries (404)',
  'no-members': 'no operations on the members of groups (404)',
  'no-information-schema': 'queries of information_schema are refused',
} as const;
export type Oddity = keyof typeof oddities;

export function isOddity(name: string): name is Oddity {
  return Object.hasOwn(oddities, name);
}

export function useOddities(app: FastifyInstance, odd: ReadonlySet<Oddity>): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const refusal = [...odd].map((oddity) => refusals[oddity]?.(request)).find((each) => each !== undefined);
    if (refusal === undefined) done();
    else done(refusal);
  });
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const isOfService = pathOf(request.url).startsWith('/v1/');
    let body: unknown = payload;
    if (isOfService && isObject(body))
      for (const oddity of odd) body = changes[oddity]?.({ request, reply, body }) ?? body;
    done(null, body);
  });
}

const refusals: Partial<Record<Oddity, (request: FastifyRequest) => ServiceError | undefined>> = {
  'no-query-list': ({ method, url }) =>
    method === 'GET' && pathOf(url) === '/v1/query/saved-queries' ? noSuchPath() : undefined,
  'no-members': ({ url }) => (/^\/v1\/groups\/[^/]+\/members\//.test(pathOf(url)) ? noSuchPath() : undefined),
  'no-information-schema': ({ url, body }) =>
    pathOf(url) === '/v1/query/execute' && /information_schema|pg_catalog/i.test(textIn(body, 'query_string'))
      ? new ServiceError('QUERY_FAILED', 'information_schema is not part of the model.')
      : undefined,
};

interface Answer {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: unknown;
}

const changes: Partial<Record<Oddity, (answer: Answer) => unknown>> = {
  sparse: ({ reply, body }) => (reply.statusCode < 300 ? sparse(body) : body),
  growing: ({ request, body }) => {
    if (!isObject(body) || !Array.isArray(body['items']) || !isObject(request.query)) return body;
    const items: readonly unknown[] = body['items'];
    const isFirst = request.query['pageToken'] === undefined;
    return isFirst ? body : { ...body, items: items.map((item) => grown(item)) };
  },
  'other-jobs': ({ body }) => otherJob(body),
  'lower-case-codes': ({ reply, body }) =>
    reply.statusCode >= 400 && isObject(body) ? { ...body, code: textIn(body, 'code').toLowerCase() } : body,
  'stale-412': ({ reply, body }) => {
    if (!/^version_conflict$/i.test(textIn(body, 'code')) || !isObject(body)) return body;
    reply.code(412);
    return { ...body, code: 'PRECONDITION_FAILED' };
  },
};

/** Record fields that the specification names but does not require. */
const notDemanded = new Set([
  'accountRole',
  'platformObjectMetadata',
  'self',
  'displayName',
  'urlTtlMinutes',
]);
/** Fields that callers need, even if empty. */
const demanded = new Set(['items', 'models', 'targets', 'query_string']);

function sparse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sparse);
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([name, member]) => !notDemanded.has(name) && !(name === 'fileFormat' && member === 'csv'))
    .map(([name, member]) => [name, sparse(member)] as const)
    .filter(([name, member]) => demanded.has(name) || !isEmpty(member));
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function grown(item: unknown): unknown {
  return isObject(item) ? { ...item, reviewState: 'NotReviewed' } : item;
}

const states: Readonly<Record<string, string>> = {
  accepted: 'QUEUED',
  running: 'IN_PROGRESS',
  completed: 'SUCCEEDED',
  failed: 'FAILED',
};

function otherJob(body: unknown): unknown {
  if (!isObject(body) || typeof body['jobId'] !== 'string') return body;
  const { jobId, status, targets, operation, createdAt, completedAt } = body;
  if (status === undefined) return { jobId };
  const each = Array.isArray(targets) ? targets.map(otherTarget) : [];
  const hasFailed = each.some((target) => target.status === 'FAILED');
  return {
    id: jobId,
    state: hasFailed ? 'COMPLETED_WITH_ERRORS' : states[textIn(body, 'status')],
    action: operation,
    targets: each,
    submitted: createdAt,
    ...(completedAt === undefined ? {} : { finished: completedAt }),
  };
}

const outcomes: Readonly<Record<string, string>> = {
  pending: 'PENDING',
  changed: 'SUCCEEDED',
  unchanged: 'SKIPPED',
  not_possible: 'FAILED',
};

function otherTarget(target: unknown): { id: string; status: string; error?: unknown; visible: boolean } {
  const { reason, reflected } = isObject(target) ? target : {};
  return {
    id: textIn(target, 'globalId'),
    status: outcomes[textIn(target, 'outcome')] ?? 'PENDING',
    ...(reason === undefined ? {} : { error: reason }),
    visible: reflected === true,
  };
}

function noSuchPath(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This service has no such path.');
}

function textIn(value: unknown, name: string): string {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
