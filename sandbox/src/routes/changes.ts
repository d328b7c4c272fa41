/** Change operations and their jobs. A change is checked at once, applied by a job, and then seen in REST and SQL. */
import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../../api/contract/endpoints.ts';
import { accessAt, accessPlaces, seededAccessCount } from '../data/access-facts.ts';
import type { Changes } from '../data/changes.ts';
import { applications } from '../data/words.ts';
import type { World } from '../data/world.ts';
import { ServiceError } from '../errors.ts';
import type { QueryEngine } from '../query/engine.ts';
import type { TouchedRecord } from '../query/messages.ts';
import { defineRoute } from '../route.ts';
import type { ActionJobs } from '../store/action-jobs.ts';

export interface ChangeDependencies {
  readonly world: World;
  readonly engine: QueryEngine;
  readonly jobs: ActionJobs;
}

export function registerChangeRoutes(
  app: FastifyInstance,
  { world, engine, jobs }: ChangeDependencies,
): void {
  const reflect = async (change: Partial<Changes>, touched: readonly TouchedRecord[]): Promise<void> => {
    world.changes = { ...world.changes, ...change };
    await engine.change(world.changes, touched);
  };
  const removeAccess = (place: number): Promise<void> =>
    reflect({ removedAccess: new Set([...world.changes.removedAccess, place]) }, [
      { collection: 'access', place },
    ]);

  defineRoute(app, endpoints.disableAccount, ({ path }) => {
    const index = indexOf(world, 'account', path.id, world.accountCount);
    const isDisabled = (): boolean =>
      !world.account(index).isEnabled || world.changes.disabledAccounts.has(index);
    return jobs.accept({
      operation: 'accounts.disable',
      globalId: path.id,
      apply: () => outcomeOf(world, world.account(index).applicationIndex, isDisabled()),
      reflect: () =>
        reflect({ disabledAccounts: new Map([...world.changes.disabledAccounts, [index, Date.now()]]) }, [
          { collection: 'accounts', place: index },
        ]),
    });
  });

  defineRoute(app, endpoints.removeAssignedAccount, ({ path }) => {
    const application = indexOf(world, 'assignedapplication', path.id, applications.length);
    const account = indexOf(world, 'account', path.accountId, world.accountCount);
    const place = account * accessPlaces + 4;
    const access = accessAt(world, place);
    if (access?.object !== 'assigned-application' || access.objectIndex !== application) throw notFound();
    return jobs.accept({
      operation: 'assigned-applications.assigned-accounts.remove',
      globalId: path.accountId,
      apply: () => outcomeOf(world, application, accessAt(world, place) === undefined),
      reflect: () => removeAccess(place),
    });
  });

  defineRoute(app, endpoints.removeAssignedGroup, ({ path }) => {
    const application = indexOf(world, 'assignedapplication', path.id, applications.length);
    const group = indexOf(world, 'group', path.groupId, world.groupCount);
    const place = world.accountCount * accessPlaces + group;
    const access = accessAt(world, place);
    if (access?.object !== 'assigned-application' || access.objectIndex !== application) throw notFound();
    return jobs.accept({
      operation: 'assigned-applications.assigned-groups.remove',
      globalId: path.groupId,
      apply: () => outcomeOf(world, application, accessAt(world, place) === undefined),
      reflect: () => removeAccess(place),
    });
  });

  defineRoute(app, endpoints.addGroupMember, ({ path }) => {
    const groupIndex = indexOf(world, 'group', path.groupId, world.groupCount);
    const accountIndex = indexOf(world, 'account', path.accountId, world.accountCount);
    return jobs.accept({
      operation: 'groups.members.add',
      globalId: path.accountId,
      apply: () => outcomeOf(world, 0, membershipPlace(world, groupIndex, accountIndex) !== undefined),
      reflect: () => {
        const place = seededAccessCount(world) + world.changes.memberships.length;
        const memberships = [...world.changes.memberships, { groupIndex, accountIndex }];
        return reflect({ memberships }, [{ collection: 'access', place }]);
      },
    });
  });

  defineRoute(app, endpoints.removeGroupMember, ({ path }) => {
    const groupIndex = indexOf(world, 'group', path.groupId, world.groupCount);
    const accountIndex = indexOf(world, 'account', path.accountId, world.accountCount);
    const place = membershipPlace(world, groupIndex, accountIndex);
    if (place === undefined) throw notFound();
    return jobs.accept({
      operation: 'groups.members.remove',
      globalId: path.accountId,
      apply: () => outcomeOf(world, 0, accessAt(world, place) === undefined),
      reflect: () => removeAccess(place),
    });
  });

  defineRoute(app, endpoints.getActionJob, ({ path }) => {
    const job = jobs.get(path.jobId);
    if (job === undefined) throw new ServiceError('NOT_FOUND', 'There is no job with this id.');
    return job;
  });
}

/** Payroll is gathered from a copy that cannot be written: the example of a target that cannot be changed. */
const readOnlyApplication = applications.findIndex((application) => application.key === 'pay');

function outcomeOf(world: World, applicationIndex: number, isSoAlready: boolean) {
  if (isSoAlready) return { outcome: 'unchanged' };
  if (applicationIndex !== readOnlyApplication) return { outcome: 'changed' };
  const { name } = applications[applicationIndex] ?? applications[0];
  const message = `${name} (${world.instanceId(applicationIndex)}) is connected for reading only.`;
  return { outcome: 'not_possible', reason: { code: 'APPLICATION_READ_ONLY', message } };
}

function indexOf(world: World, kind: string, globalId: string, count: number): number {
  const index = world.ids.indexOf(kind, globalId, count);
  if (index === undefined) throw notFound();
  return index;
}

function membershipPlace(world: World, groupIndex: number, accountIndex: number): number | undefined {
  const seeded = accountIndex * accessPlaces + 3;
  const access = accessAt(world, seeded);
  if (access?.object === 'group' && access.objectIndex === groupIndex) return seeded;
  const first = seededAccessCount(world);
  const added = world.changes.memberships.findIndex(
    (each, index) =>
      each.groupIndex === groupIndex &&
      each.accountIndex === accountIndex &&
      !world.changes.removedAccess.has(first + index),
  );
  return added < 0 ? undefined : first + added;
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No resource has the given id.');
}
