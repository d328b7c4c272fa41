/**
 * Change operations and their jobs. A change is validated immediately, applied by a job, and then visible in REST and
 * SQL.
 */
import type { FastifyInstance } from 'fastify';
import type { JobAcceptance } from '#api/contract/action-jobs.ts';
import { endpoints } from '#api/contract/endpoints.ts';
import { membershipPlace, type ChangeLedger } from '../data/changes/ledger.ts';
import { accessAt, accessPlaces } from '../data/company/access-facts.ts';
import { applications } from '../data/company/words.ts';
import type { World } from '../data/company/world.ts';
import { ServiceError } from '../errors.ts';
import type { QueryEngine } from '../query/engine.ts';
import { defineRoute } from '../route.ts';
import type { ActionJobs, JobWork } from '../store/action-jobs.ts';

export interface ChangeDependencies {
  readonly world: World;
  /** Milliseconds since 1970, on the synthetic company's clock. */
  readonly clock: () => number;
  readonly jobs: ActionJobs;
}

export function registerChangeRoutes(app: FastifyInstance, { world, clock, jobs }: ChangeDependencies): void {
  defineRoute(app, endpoints.disableAccount, ({ path }) => {
    const account = indexOf(world, 'account', path.id, world.accountCount);
    return jobs.accept({
      operation: 'accounts.disable',
      globalId: path.id,
      applicationIndex: world.account(account).applicationIndex,
      change: { kind: 'disable', account, at: clock() },
    });
  });

  const removeAssigned = (
    path: { readonly id: string; readonly globalId: string },
    placeOf: (application: number) => number,
    operation: string,
  ): JobAcceptance => {
    const application = indexOf(world, 'assignedapplication', path.id, applications.length);
    const place = placeOf(application);
    const access = accessAt(world, place);
    if (access?.object !== 'assigned-application' || access.objectIndex !== application) throw notFound();
    const change = { kind: 'revoke', place, at: clock() } as const;
    return jobs.accept({ operation, globalId: path.globalId, applicationIndex: application, change });
  };

  defineRoute(app, endpoints.removeAssignedAccount, ({ path }) =>
    removeAssigned(
      { id: path.id, globalId: path.accountId },
      () => indexOf(world, 'account', path.accountId, world.accountCount) * accessPlaces + 4,
      'assigned-applications.assigned-accounts.remove',
    ),
  );

  defineRoute(app, endpoints.removeAssignedGroup, ({ path }) =>
    removeAssigned(
      { id: path.id, globalId: path.groupId },
      () => world.accountCount * accessPlaces + indexOf(world, 'group', path.groupId, world.groupCount),
      'assigned-applications.assigned-groups.remove',
    ),
  );

  const member = (path: { readonly groupId: string; readonly accountId: string }) => ({
    group: indexOf(world, 'group', path.groupId, world.groupCount),
    account: indexOf(world, 'account', path.accountId, world.accountCount),
  });

  defineRoute(app, endpoints.addGroupMember, ({ path }) =>
    jobs.accept({
      operation: 'groups.members.add',
      globalId: path.accountId,
      applicationIndex: directory,
      change: { kind: 'join', ...member(path), at: clock() },
    }),
  );

  defineRoute(app, endpoints.removeGroupMember, ({ path }) => {
    const { group, account } = member(path);
    if (membershipPlace(world, group, account) === undefined) throw notFound();
    return jobs.accept({
      operation: 'groups.members.remove',
      globalId: path.accountId,
      applicationIndex: directory,
      change: { kind: 'leave', group, account, at: clock() },
    });
  });

  defineRoute(app, endpoints.getActionJob, ({ path }) => {
    const job = jobs.get(path.jobId);
    if (job === undefined) throw new ServiceError('NOT_FOUND', 'There is no job with this id.');
    return job;
  });
}

/** All groups belong to the directory. */
const directory = 0;

/** Payroll data is a read-only copy, as an example of a target that cannot be changed. */
const readOnlyApplication = applications.findIndex((application) => application.key === 'pay');

/** Applies a change to the source application first, then to REST and SQL. */
export function jobWork(ledger: ChangeLedger, engine: QueryEngine): JobWork {
  const { service } = ledger;
  return {
    apply({ applicationIndex, change }) {
      if (applicationIndex !== readOnlyApplication || ledger.isSo(change))
        return { outcome: ledger.apply(change) ? 'changed' : 'unchanged' };
      const { name } = applications[applicationIndex] ?? applications[0];
      const message = `${name} (${service.instanceId(applicationIndex)}) is connected for reading only.`;
      return { outcome: 'not_possible', reason: { code: 'APPLICATION_READ_ONLY', message } };
    },
    async reflect({ change }) {
      const touched = ledger.reflect(change);
      await engine.change(service.changes, touched);
    },
  };
}

function indexOf(world: World, kind: string, globalId: string, count: number): number {
  const index = world.ids.indexOf(kind, globalId, count);
  if (index === undefined) throw notFound();
  return index;
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No resource has the given id.');
}
