/** Collection endpoints: paged lists, and single records by global ID. All records come from the synthetic company. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import type { ListParameters } from '#api/contract/lists.ts';
import type { Activity } from '#api/contract/records/activities.ts';
import { collections, type Collection } from '../data/collections.ts';
import { memberCountsOf } from '../data/company/member-counts.ts';
import type { World } from '../data/company/world.ts';
import { seededActivityCount } from '../data/records/activities.ts';
import { badField, ServiceError } from '../errors.ts';
import { defineRoute } from '../route.ts';
import type { PageTokens } from '../tokens.ts';
import { activityWindow } from './activity-window.ts';

export interface CollectionDependencies {
  readonly world: World;
  readonly tokens: PageTokens;
  /** Number of empty pages at the start of each list, to simulate results that are still being prepared. */
  readonly preparingPages: number;
}

export function registerCollectionRoutes(app: FastifyInstance, dependencies: CollectionDependencies): void {
  const { world } = dependencies;
  const page = <Item extends object>(collection: Collection<Item>, query: ListParameters) =>
    listPage(dependencies, collection, query, { from: 0, to: collection.places(world) });

  defineRoute(app, endpoints.listAccounts, ({ query }) => page(collections.accounts, query));
  const roles = prepareRoles(app, world);
  defineRoute(app, endpoints.listRoles, async ({ query }) =>
    // Until the roles are ready, a page examines no slots: it is empty, and its token points to the same slot.
    (await roles.areReadySoon())
      ? page(collections.roles, query)
      : listPage(dependencies, collections.roles, query, { from: 0, to: collections.roles.places(world) }, 0),
  );
  defineRoute(app, endpoints.listAccountRoles, ({ query }) => page(collections.accountRoles, query));
  defineRoute(app, endpoints.listAuthenticators, ({ query }) => page(collections.authenticators, query));
  defineRoute(app, endpoints.listAuthenticatorEnrollments, ({ query }) =>
    page(collections.enrollments, query),
  );
  defineRoute(app, endpoints.listEntityAssignedAccessToObject, ({ query }) =>
    page(collections.access, query),
  );
  defineRoute(app, endpoints.listPersonIsEmployee, ({ query }) => page(collections.personLinks, query));
  defineRoute(app, endpoints.listEnrollmentViaAuthenticator, ({ query }) => {
    const { items, ...rest } = page(collections.enrollmentLinks, query);
    return { items: items.map((link) => link.relationship), ...rest };
  });
  defineRoute(app, endpoints.listActivities, ({ query }) => {
    const window = activityWindow(query.from, query.to, world.now);
    const within = activitiesWithin(world, window);
    return listPage(dependencies, within, query, {
      from: 0,
      to: within.places(world),
      window: `${query.from ?? ''} ${query.to ?? ''}`,
    });
  });

  defineRoute(app, endpoints.getRole, async ({ path }) => {
    await roles.ready;
    return found(world, collections.roles, path.id);
  });
  defineRoute(app, endpoints.getAccountRole, ({ path }) => found(world, collections.accountRoles, path.id));
  defineRoute(app, endpoints.getActivity, ({ path }) => found(world, collections.activities, path.id));
  defineRoute(app, endpoints.getAuthenticatorEnrollment, ({ path }) =>
    found(world, collections.enrollments, path.id),
  );
}

/** Starts counting role members at startup, so that only early requests in a large world have to wait. */
function prepareRoles(app: FastifyInstance, world: World) {
  const counts = memberCountsOf(world);
  const closing = new AbortController();
  app.addHook('onClose', (_instance, done) => {
    closing.abort();
    done();
  });
  const ready = counts.complete(closing.signal);
  return {
    ready,
    /** Waits briefly for the counts to complete. */
    async areReadySoon(): Promise<boolean> {
      const patience = new AbortController();
      const moment = setTimeout(preparingMs, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([ready, moment]);
      patience.abort();
      return counts.left === 0;
    },
  };
}

function found<Item extends object>(world: World, collection: Collection<Item>, globalId: string): Item {
  const place = world.ids.indexOf(collection.kind, globalId, collection.places(world));
  const record = place === undefined ? undefined : collection.record(world, place);
  if (record === undefined) throw new ServiceError('NOT_FOUND', 'No record has this global id.');
  return record;
}

const Position = Type.Object({
  place: Type.Integer(),
  prepared: Type.Integer(),
  instance: Type.String(),
  /** The end fixed by the first page, so that the time window does not move between pages. */
  to: Type.Integer(),
  /** The requested window. */
  window: Type.String(),
});

/** Maximum slots examined per page. A page with too few matches has a token and may be empty. */
const mostPlaces = 20_000;

/** Milliseconds that a list waits for its data before it returns an empty page. */
const preparingMs = 250;

function listPage<Item extends object>(
  { world, tokens, preparingPages }: CollectionDependencies,
  collection: Collection<Item>,
  query: ListParameters,
  range: { readonly from: number; readonly to: number; readonly window?: string },
  placesAtOnce = mostPlaces,
): { items: Item[]; nextPageToken?: string } {
  // UUIDs are case-insensitive.
  const instance = (query.applicationInstanceId ?? '').toLowerCase();
  const window = range.window ?? '';
  const start =
    query.pageToken === undefined
      ? { place: range.from, prepared: 0, instance, to: range.to, window }
      : Value.Parse(Position, tokens.open(collection.table, query.pageToken));
  if (start.instance !== instance)
    throw badField('query', 'pageToken', 'belongs to another application instance; start again without it');
  if (start.window !== window)
    throw badField('query', 'pageToken', 'belongs to another window of time; start again without it');
  const next = (position: typeof start): string => tokens.seal(collection.table, position);
  if (start.prepared < preparingPages)
    return { items: [], nextPageToken: next({ ...start, prepared: start.prepared + 1 }) };
  const size = query.pageSize ?? limits.pageSizeDefault;
  const items: Item[] = [];
  const end = Math.min(start.to, start.place + placesAtOnce);
  for (let place = start.place; place < end; place += 1) {
    const record = collection.record(world, place);
    if (record === undefined || !isOf(record, instance, world)) continue;
    if (items.length === size) return { items, nextPageToken: next({ ...start, place }) };
    items.push(record);
  }
  return end < start.to ? { items, nextPageToken: next({ ...start, place: end }) } : { items };
}

/** Links between enrollments and people have no metadata. They come from the directory, like the enrollments. */
function isOf(record: object, instance: string, world: World): boolean {
  if (instance === '') return true;
  const metadata: unknown = Reflect.get(record, 'objectMetadata');
  if (typeof metadata !== 'object' || metadata === null) return instance === world.instanceId(0);
  return Reflect.get(metadata, 'ApplicationInstanceId') === instance;
}

/** Returns the activities in a time window. Those from the seed are contiguous; those from changes follow. */
function activitiesWithin(
  world: World,
  window: { readonly from: number; readonly to: number },
): Collection<Activity> {
  const first = world.activityIndexAt(window.from);
  const seeded = Math.max(0, world.activityIndexAt(window.to) - first);
  return {
    ...collections.activities,
    places: () => seeded + world.changes.activities.length,
    record(_, place) {
      if (place < seeded) return collections.activities.record(world, first + place);
      const reported = place - seeded;
      const { at = 0 } = world.changes.activities[reported] ?? {};
      return at >= window.from && at < window.to
        ? collections.activities.record(world, seededActivityCount(world) + reported)
        : undefined;
    },
  };
}
