/**
 * `--odd NAME`: deviations that the specification allows (docs/assumptions.md), for testing how clients handle them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AssumptionId } from '#api/contract/assumptions.ts';
import { isObject } from '#base/values/is-object.ts';
import { ServiceError } from '../errors.ts';
import { hasScope } from './bearer.ts';
import { pathOf } from './request-log.ts';

/** What each answers differently, with its gap; none for what the specification leaves open everywhere. */
export const oddities = {
  sparse: ['records without empty or optional members'],
  growing: ['members that first appear on the second page of a list'],
  'other-jobs': ['jobs with a state (SUCCEEDED), and targets with a status', 'action-job'],
  'lower-case-codes': ['error codes such as not_found'],
  'stale-412': ['a stale version of a saved query returns 412 PRECONDITION_FAILED', 'update'],
  'patch-updates': ['saved queries are updated with PATCH; PUT returns 405', 'update'],
  'no-query-list': ['no list of saved queries (404)', 'saved-query-list'],
  'no-members': ['no operations on the members of groups (404)', 'membership'],
  'no-information-schema': ['queries of information_schema are refused', 'model-columns'],
  'no-identity-tables': ['queries of the tables of records are refused', 'records-by-id'],
  'snake-paging': ['results are paged by page_size, page_token and next_page_token', 'execute-paging'],
  'execute-writes': ['running SQL needs the write scope', 'scopes'],
  'same-page-token': ['a list has one page token for all its pages', 'page-tokens'],
  'both-window-ends': ['activities need both or neither of from and to', 'activity-window'],
  'local-assignments': ['access assignments have no global IDs of their two ends', 'other-ids'],
  'other-principals': ['authors are of the type Robot', 'principals'],
  'classified-objects': ['enrichedDataClassifications is a list of objects', 'data-classifications'],
  'other-words': ['accounts are of the type Robot', 'open-words'],
  'utf16-names': ['names of saved queries have at most 200 UTF-16 units', 'characters'],
  'gone-jobs': ['no job is kept (404)', 'kept-jobs'],
  'redirected-files': ['the link of an export is redirected', 'export-file'],
  'no-deletes': ['saved queries cannot be deleted (405)', 'delete'],
  'untyped-columns': ['columns of results have no types', 'execute'],
  'zero-positions': ['positions in parse errors count from 0', 'parse-error'],
  'failed-422': ['a query that fails returns 422', 'query-failed'],
  'model-404': ['a query of an unknown model returns 404', 'unknown-model'],
  'no-codes': ['errors for unknown paths have no code', 'http-errors'],
  'created-200': ['a successful create returns 200', 'create-status'],
  'lasting-tokens': ['the token answer has no lifetime', 'token'],
  'retry-dates': ['Retry-After is an HTTP date', 'retry-after'],
  'role-names': ['accounts name their role as role, not accountRole', 'account-role'],
  'no-other-lists': ['no lists of account roles and authenticator enrollments (404)', 'other-lists'],
  'other-links': ['the text of enrollment links is another', 'link-text'],
  'no-exports': ['exports cannot be asked for (404)', 'create-download'],
} as const satisfies Readonly<Record<string, readonly [words: string, gap?: AssumptionId]>>;
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
  if (odd.has('snake-paging')) useSnakePaging(app);
  if (odd.has('same-page-token')) useSamePageToken(app);
  if (odd.has('untyped-columns')) useUntypedColumns(app);
  if (odd.has('retry-dates'))
    app.addHook('onSend', (_request, reply, _payload, done) => {
      const seconds = Number(reply.getHeader('retry-after'));
      if (seconds > 0) reply.header('retry-after', new Date(Date.now() + seconds * 1_000).toUTCString());
      done();
    });
  if (odd.has('redirected-files'))
    app.addHook('onRequest', (request, reply, done) => {
      if (request.method !== 'GET' || !isFile(request.url) || /[?&]moved=/.test(request.url)) done();
      else reply.redirect(`${request.url}${request.url.includes('?') ? '&' : '?'}moved=1`, 307);
    });
  app.addHook('preSerialization', (request, reply, payload, done) => {
    let body: unknown = payload;
    const isToken = isObject(body) && 'access_token' in body;
    if ((pathOf(request.url).startsWith('/v1/') || isToken) && isObject(body))
      for (const oddity of odd) body = changes[oddity]?.({ request, reply, body }) ?? body;
    done(null, body);
  });
}

const nameMax = 200;

const refusals: Partial<Record<Oddity, (request: FastifyRequest) => ServiceError | undefined>> = {
  'no-query-list': ({ method, url }) =>
    method === 'GET' && pathOf(url) === '/v1/query/saved-queries' ? noSuchPath() : undefined,
  'no-members': ({ url }) => (/^\/v1\/groups\/[^/]+\/members\//.test(pathOf(url)) ? noSuchPath() : undefined),
  'no-identity-tables': ({ url, body }) =>
    pathOf(url) === executePath &&
    /\bfrom\s+(?:platform_identity\.)?accounts\b/i.test(textIn(body, 'query_string'))
      ? new ServiceError('QUERY_FAILED', 'relation "accounts" does not exist')
      : undefined,
  'execute-writes': (request) =>
    pathOf(request.url) === executePath && !hasScope(request, 'write')
      ? new ServiceError('FORBIDDEN', 'The token lacks the scope write.')
      : undefined,
  'both-window-ends': ({ url, query }) =>
    pathOf(url) === '/v1/activities' && (textIn(query, 'from') === '') !== (textIn(query, 'to') === '')
      ? new ServiceError('BAD_REQUEST', 'from and to are needed together.')
      : undefined,
  'utf16-names': ({ body }) =>
    textIn(body, 'name').length > nameMax
      ? new ServiceError('BAD_REQUEST', 'A name has at most 200 characters.')
      : undefined,
  'no-deletes': ({ method, url }) =>
    method === 'DELETE' && isSavedQuery(url)
      ? new ServiceError('METHOD_NOT_ALLOWED', 'DELETE is not possible on this path.', {
          headers: { allow: 'GET, PUT, PATCH' },
        })
      : undefined,
  'no-other-lists': ({ method, url }) =>
    method === 'GET' && ['/v1/account-roles', '/v1/authenticator-enrollments'].includes(pathOf(url))
      ? noSuchPath()
      : undefined,
  'no-exports': ({ url }) => (pathOf(url) === '/v1/downloads' ? noSuchPath() : undefined),
  'gone-jobs': ({ url }) => (pathOf(url).startsWith('/v1/action-jobs/') ? noSuchJob() : undefined),
  'no-information-schema': ({ url, body }) =>
    pathOf(url) === executePath && /information_schema|pg_catalog/i.test(textIn(body, 'query_string'))
      ? new ServiceError('QUERY_FAILED', 'information_schema is not part of the model.')
      : undefined,
};

/** The link of an export's file, which is outside of the paths of the interface. */
function isFile(url: string): boolean {
  return pathOf(url).startsWith('/downloads/');
}

const isSavedQuery = (url: string): boolean => /^\/v1\/query\/saved-queries\/[^/]+$/.test(pathOf(url));

const executePath = '/v1/query/execute';

function useSnakePaging(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { body } = request;
    if (pathOf(request.url) === executePath && isObject(body)) {
      const { page_size: pageSize, page_token: pageToken, pageSize: _s, pageToken: _t, ...rest } = body;
      request.body = {
        ...rest,
        ...(pageSize === undefined ? {} : { pageSize }),
        ...(pageToken === undefined ? {} : { pageToken }),
      };
    }
    done();
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    if (pathOf(request.url) !== executePath) return payload;
    const text = await textOf(payload);
    // The token is the last member of a result.
    return text.replace(/"nextPageToken":("[^"]*"|null)\}$/, (_, token: string) =>
      token === 'null' ? '"done":true}' : `"next_page_token":${token}}`,
    );
  });
}

function useUntypedColumns(app: FastifyInstance): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    if (pathOf(request.url) !== executePath) return payload;
    const text = await textOf(payload);
    // A quote inside a text is escaped, so this is the end of the columns.
    const end = text.indexOf('],"rows":');
    const start = text.indexOf('[');
    if (end < start) return text;
    const columns = JSON.parse(text.slice(start, end + 1)) as readonly { readonly name: string }[]; // made by this service
    const names = JSON.stringify(columns.map(({ name }) => ({ name })));
    return text.slice(0, start) + names + text.slice(end + 1);
  });
}

async function textOf(payload: unknown): Promise<string> {
  if (typeof payload === 'string') return payload;
  if (payload instanceof Uint8Array) return Buffer.from(payload).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload as AsyncIterable<Uint8Array>) chunks.push(chunk); // Fastify sends nothing else
  return Buffer.concat(chunks).toString();
}

function useSamePageToken(app: FastifyInstance): void {
  const walks = new Map<string, string>();
  app.addHook('preValidation', (request, _reply, done) => {
    const { query } = request;
    if (request.method === 'GET' && isObject(query)) {
      const next = walks.get(textIn(query, 'pageToken'));
      if (next !== undefined) request.query = { ...query, pageToken: next, walk: query['pageToken'] };
    }
    done();
  });
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const next = textIn(payload, 'nextPageToken');
    if (request.method !== 'GET' || next === '' || !isObject(payload)) {
      done(null, payload);
      return;
    }
    const walk = textIn(request.query, 'walk') || `walk-${walks.size}`;
    walks.set(walk, next);
    done(null, { ...payload, nextPageToken: walk });
  });
}

interface Answer {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: unknown;
}

const ofItems =
  (path: string, change: (item: object) => object) =>
  ({ request, body }: Answer): unknown => {
    if (pathOf(request.url) !== path || !isObject(body) || !Array.isArray(body['items'])) return body;
    const items: readonly unknown[] = body['items'];
    return { ...body, items: items.map((item) => (isObject(item) ? change(item) : item)) };
  };

const changes: Partial<Record<Oddity, (answer: Answer) => unknown>> = {
  sparse: ({ reply, body }) => (reply.statusCode < 300 ? sparse(body) : body),
  growing: ({ request, body }) => {
    if (!isObject(body) || !Array.isArray(body['items']) || !isObject(request.query)) return body;
    const items: readonly unknown[] = body['items'];
    const isFirst = request.query['pageToken'] === undefined;
    return isFirst ? body : { ...body, items: items.map((item) => grown(item)) };
  },
  'other-jobs': ({ body }) => otherJob(body),
  'local-assignments': ofItems('/v1/entity-assigned-access-to-object', (item) =>
    Object.fromEntries(
      Object.entries(item).filter(([name]) => name !== 'globalAssignedObjectId' && name !== 'globalEntityId'),
    ),
  ),
  'other-principals': ofItems('/v1/query/saved-queries', (item) => ({
    ...item,
    created_by: { type: 'Robot', id: 'r' },
  })),
  'classified-objects': ofItems('/v1/accounts', (item) => ({
    ...item,
    enrichedDataClassifications: [{ name: 'Confidential' }],
  })),
  'other-words': ofItems('/v1/accounts', (item) => ({ ...item, type: 'Robot' })),
  'role-names': ofItems('/v1/accounts', (item) =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [name === 'accountRole' ? 'role' : name, value]),
    ),
  ),
  'other-links': ({ request, body }) => {
    if (pathOf(request.url) !== '/v1/enrollment-via-authenticator' || !isObject(body)) return body;
    const items: readonly unknown[] = Array.isArray(body['items']) ? body['items'] : [];
    return { ...body, items: items.map((item) => String(item).replace('-[:EnrolledVia]->', ' via ')) };
  },
  'no-deletes': ({ request, reply, body }) => {
    const allow = reply.getHeader('allow');
    if (isSavedQuery(request.url) && typeof allow === 'string')
      reply.header('allow', allow.replace(/,? *DELETE/, ''));
    return body;
  },
  'zero-positions': ({ body }) => {
    const details = detailsOf(body);
    const { line, column } = details;
    return textIn(body, 'code').toUpperCase() !== 'QUERY_PARSE_ERROR' || !isObject(body)
      ? body
      : { ...body, details: { ...details, line: Number(line) - 1, column: Number(column) - 1 } };
  },
  'failed-422': ({ reply, body }) => {
    if (/^query_failed$/i.test(textIn(body, 'code'))) reply.code(422);
    return body;
  },
  'model-404': ({ reply, body }) => {
    const { model, available } = detailsOf(body);
    if (model !== undefined && available !== undefined) reply.code(404);
    return body;
  },
  'no-codes': ({ request, body }) => {
    if (!request.is404 || !isObject(body)) return body;
    const { code: _code, ...others } = body;
    return others;
  },
  'created-200': ({ reply, body }) => {
    if (reply.statusCode === 201) reply.code(200);
    return body;
  },
  'lasting-tokens': ({ body }) => {
    if (!isObject(body) || !('access_token' in body)) return body;
    const { expires_in: _lifetime, ...others } = body;
    return others;
  },
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

function detailsOf(body: unknown): Readonly<Record<string, unknown>> {
  const details = isObject(body) ? body['details'] : undefined;
  return isObject(details) ? details : {};
}

function noSuchPath(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This service has no such path.');
}

function noSuchJob(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no job with this id.');
}

function textIn(value: unknown, name: string): string {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}
