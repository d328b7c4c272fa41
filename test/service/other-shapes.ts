/** Ways to fill a gap that change a request or an answer as a whole. */
import { Refusal, type Asked, type Reply, type Route } from './exchange.ts';
import type { SwitchBoard } from './switches.ts';

const executePath = '/v1/query/execute';

export function scopeOf({ path, scope = 'read' }: Route, switches: SwitchBoard): 'read' | 'write' {
  return path === executePath && switches.is('scopes', 'execute-writes') ? 'write' : scope;
}

/** Returns the request as the routes expect it. @throws Refusal */
export function toldAs(asked: Asked, switches: SwitchBoard): Asked {
  const { method, path, query } = asked;
  if (path === executePath && switches.is('execute-paging', 'snake')) {
    const { page_size: pageSize, page_token: pageToken, ...rest } = objectIn(asked.body);
    return { ...asked, body: JSON.stringify({ ...rest, pageSize, pageToken }) };
  }
  if (path === executePath && switches.is('records-by-id', 'no-tables') && /global_id/.test(asked.body))
    throw new Refusal(400, 'QUERY_FAILED', 'relation "accounts" does not exist');
  const isOneSided = query.has('from') !== query.has('to');
  if (isOneSided && switches.is('activity-window', 'both-needed'))
    throw new Refusal(400, 'BAD_REQUEST', 'from and to are needed together.');
  if (path.startsWith('/v1/action-jobs/') && switches.is('kept-jobs', 'gone'))
    throw new Refusal(404, 'NOT_FOUND', 'No job has this id.');
  const { name } = method === 'GET' ? {} : objectIn(asked.body);
  if (switches.is('characters', 'utf16-units') && typeof name === 'string' && name.length > 200)
    throw new Refusal(400, 'BAD_REQUEST', 'A name has at most 200 characters.');
  const token = query.get('pageToken');
  if (token !== null && switches.is('page-tokens', 'one-for-a-list')) {
    const walk = walks.get(token);
    const inner = new URLSearchParams(query);
    if (walk !== undefined) inner.set('pageToken', walk.next);
    return { ...asked, query: inner };
  }
  return asked;
}

/** Lists that are being read, by the token that stays the same. */
const walks = new Map<string, { next: string }>();

export function reshaped(reply: Reply, asked: Asked, switches: SwitchBoard): Reply {
  const { path, query } = asked;
  if (path.startsWith('/downloads/') && switches.is('export-file', 'redirected') && !query.has('moved'))
    return {
      status: 307,
      headers: { location: `${path}?${query.toString()}&moved=1` },
      bytes: Buffer.alloc(0),
    };
  if (reply.status >= 300 || reply.headers['content-type']?.startsWith('application/json') !== true)
    return reply;
  const body = objectIn(reply.bytes.toString());
  const changed = changedBody(body, asked, switches);
  return changed === body ? reply : { ...reply, bytes: Buffer.from(JSON.stringify(changed)) };
}

type Body = Readonly<Record<string, unknown>>;

function changedBody(body: Body, { path, query }: Asked, switches: SwitchBoard): Body {
  const { nextPageToken, items } = body;
  if (path === executePath && switches.is('execute-paging', 'snake')) {
    const { nextPageToken: _token, rowCount: _count, ...rest } = body;
    return { ...rest, next_page_token: nextPageToken };
  }
  if (
    Array.isArray(items) &&
    typeof nextPageToken === 'string' &&
    switches.is('page-tokens', 'one-for-a-list')
  ) {
    const token = query.get('pageToken') ?? `walk-${walks.size}`;
    walks.set(token, { next: nextPageToken });
    return { ...body, nextPageToken: token };
  }
  const changes: readonly (readonly [boolean, (item: Body) => Body])[] = [
    [
      path === '/v1/entity-assigned-access-to-object' && switches.is('other-ids', 'local-only'),
      ({ globalAssignedObjectId: _object, globalEntityId: _entity, ...rest }) => rest,
    ],
    [
      path === '/v1/query/saved-queries' && switches.is('principals', 'other-type'),
      (item) => ({ ...item, created_by: { type: 'Robot', id: 'r' } }),
    ],
    [
      path === '/v1/accounts' && switches.is('data-classifications', 'objects'),
      (item) => ({ ...item, enrichedDataClassifications: [{ name: 'Confidential' }] }),
    ],
    [
      path === '/v1/accounts' && switches.is('open-words', 'other-word'),
      (item) => ({ ...item, type: 'Robot' }),
    ],
  ];
  const [, change] = changes.find(([isOn]) => isOn) ?? [];
  return change === undefined || !Array.isArray(items)
    ? body
    : { ...body, items: (items as Body[]).map(change) }; // items of this service are objects
}

function objectIn(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Body) : {}; // any object has string keys
  } catch {
    return {}; // the routes refuse it
  }
}
