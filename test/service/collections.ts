/** Lists and single records (specification, "Read operations"). */
import { json, Refusal, type Asked, type Reply, type Route } from './exchange.ts';
import { pageRequestOf, type Paging } from './paging.ts';
import { collections, type Collection, type Records } from './records.ts';
import type { SwitchBoard } from './switches.ts';

/** Collections whose records can be read by global ID. */
const withGet: readonly Collection[] = ['roles', 'account-roles', 'activities', 'authenticator-enrollments'];
/** Lists that the specification mentions only in general terms. */
const promised: readonly Collection[] = ['account-roles', 'authenticator-enrollments'];
const dayMs = 86_400_000;

export function collectionRoutes(records: Records, paging: Paging, switches: SwitchBoard): readonly Route[] {
  const list = (collection: Collection): Route => ({
    method: 'GET',
    path: `/v1/${collection}`,
    scope: 'read',
    isThere: () => !(promised.includes(collection) && switches.is('other-lists', 'missing')),
    answer: (asked) => {
      const wanted = ofInstance(records.list(collection), asked.query.get('applicationInstanceId'));
      const rows = collection === 'activities' ? inWindow(wanted, asked.query) : wanted;
      return json(200, paging.slice(rows, pageRequestOf(asked.query)));
    },
  });
  const get = (collection: Collection): Route => ({
    method: 'GET',
    path: `/v1/${collection}/{id}`,
    scope: 'read',
    answer: (_, { id = '' }): Reply => {
      const found = records.find(collection, id);
      if (found === undefined) throw new Refusal(404, 'NOT_FOUND', 'No record has this id.');
      return json(200, found);
    },
  });
  return [
    ...collections.map(list),
    ...withGet.map(get),
    {
      method: 'GET',
      path: '/v1/enrollment-via-authenticator',
      scope: 'read',
      answer: ({ query }: Asked) => json(200, paging.slice(records.links(), pageRequestOf(query))),
    },
  ];
}

function ofInstance(rows: readonly unknown[], instance: string | null): readonly unknown[] {
  if (instance === null) return rows;
  return rows.filter(
    (row) => memberOf(memberOf(row, 'objectMetadata'), 'ApplicationInstanceId') === instance,
  );
}

/** @throws Refusal if the window is longer than 31 days. */
function inWindow(rows: readonly unknown[], query: URLSearchParams): readonly unknown[] {
  const to = query.get('to') === null ? Date.now() : Date.parse(query.get('to') ?? '');
  const from = query.get('from') === null ? to - 30 * dayMs : Date.parse(query.get('from') ?? '');
  if (Number.isNaN(from) || Number.isNaN(to) || to - from > 31 * dayMs)
    throw new Refusal(400, 'BAD_REQUEST', 'The window spans at most 31 days.');
  return rows.filter((row) => {
    const time = Date.parse(String(memberOf(row, 'timestamp')));
    return Number.isNaN(time) || (time >= from && time < to);
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
