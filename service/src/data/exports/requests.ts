/** Access requests and reviews: who requested what, who decided, and how it was carried out. */
import { dayMs } from '#service/options.ts';
import { applications } from '../company/words.ts';
import { iso, type Person, type World } from '../company/world.ts';
import { objectName } from '../records/access.ts';
import { dataSet, ids, type Columns, type DataSet } from './data-set.ts';
import { accessItems, applicationName, ownerEmail, type AccessItem } from './subjects.ts';

const ways = ['DirectIntegration', 'CustomAction', 'Manual'] as const;

interface Request {
  readonly index: number;
  readonly requester: Person;
  readonly applicationIndex: number;
  readonly status: 'Approved' | 'Denied' | 'Pending' | 'Expired';
  readonly way: (typeof ways)[number];
  readonly requestedAt: number;
}

function* requests(world: World): Generator<Request, void, undefined> {
  const { chance } = world;
  const count = Math.max(12, Math.floor(world.personCount / 3));
  for (let index = 0; index < count; index += 1) {
    yield {
      index,
      requester: world.person(chance.below(world.personCount, 'requester', index)),
      applicationIndex: 1 + chance.below(applications.length - 1, 'requested', index),
      status: chance.pickWeighted(
        [
          ['Approved', 65],
          ['Denied', 12],
          ['Pending', 15],
          ['Expired', 8],
        ] as const,
        'request-status',
        index,
      ),
      way: ways[index % ways.length] ?? ways[0],
      requestedAt: world.now - Math.floor(chance.unit('requested-at', index) * 120 * dayMs) - dayMs,
    };
  }
}

function requestsBy(way: Request['way']) {
  return function* (world: World): Generator<Request, void, undefined> {
    for (const request of requests(world)) if (request.way === way) yield request;
  };
}

function decidedAt({ status, requestedAt, index }: Request, world: World): string | undefined {
  if (status !== 'Approved' && status !== 'Denied') return undefined;
  return iso(requestedAt + world.chance.below(dayMs, 'decided', index));
}

const requestColumns: Columns<Request> = {
  ...ids('accessrequest'),
  requesterEmail: ({ requester }) => requester.email,
  applicationName: ({ applicationIndex }) => applicationName(applicationIndex),
  status: ({ status }) => status,
  requestedDate: ({ requestedAt }) => iso(requestedAt),
};

const reasons = ['New project', 'Cover for a colleague', 'Month-end closing', 'Incident work'] as const;
const decisions = ['Keep', 'Keep', 'Keep', 'Remove', undefined] as const;

function* itemsToReview(world: World): Generator<AccessItem, void, undefined> {
  for (const item of accessItems(world)) if (item.account.isEnabled) yield item;
}

function decisionOf(index: number, world: World): 'Keep' | 'Remove' | undefined {
  return world.chance.pick(decisions, 'review', index);
}

export const requestSets = {
  accessRequests: dataSet(requests, {
    ...requestColumns,
    requesterName: ({ requester }) => requester.name,
    department: ({ requester }) => requester.department,
    justification: ({ index }, world) => world.chance.pick(reasons, 'justification', index),
    requestedDays: ({ index }) => [30, 90, 180][index % 3],
    approverEmail: ({ requester }) => requester.managerEmail,
    decidedDate: decidedAt,
    fulfilment: ({ way }) => way,
  }),
  customActionAccessRequests: dataSet(requestsBy('CustomAction'), {
    ...requestColumns,
    actionName: () => 'Open a ticket',
    ticketNumber: ({ index, status }) => (status === 'Approved' ? `INC${200_000 + index}` : undefined),
    ticketStatus: ({ index, status }) => {
      if (status !== 'Approved') return undefined;
      return index % 2 === 0 ? 'Closed' : 'Open';
    },
    calledDate: (request, world) => (request.status === 'Approved' ? decidedAt(request, world) : undefined),
  }),
  directIntegrationAccessRequests: dataSet(requestsBy('DirectIntegration'), {
    ...requestColumns,
    applicationInstanceId: ({ applicationIndex }, world) => world.instanceId(applicationIndex),
    operation: () => 'assigned-applications.assigned-accounts.add',
    outcome: ({ status, applicationIndex }) => {
      if (status !== 'Approved') return undefined;
      return applications[applicationIndex]?.key === 'pay' ? 'NotPossible' : 'Changed';
    },
    completedDate: (request, world) =>
      request.status === 'Approved' ? decidedAt(request, world) : undefined,
  }),
  accessReviewsReviewItems: dataSet(itemsToReview, {
    ...ids('access'),
    campaign: (_, world) => `Access review ${new Date(world.now).getUTCFullYear()}`,
    accountGlobalId: ({ account }, world) => world.ids.of('account', account.index),
    alias: ({ account }) => account.alias,
    accessTo: ({ access }, world) => objectName(world, access),
    isPrivileged: ({ access }) => access.isPrivileged,
    reviewerEmail: ({ account }, world) => account.person?.managerEmail ?? ownerEmail(world, account),
    decision: ({ index }, world) => decisionOf(index, world),
    decidedDate: ({ index }, world) =>
      decisionOf(index, world) === undefined
        ? undefined
        : iso(world.now - world.chance.below(20, 'reviewed', index) * dayMs),
    dueDate: (_, world) => iso(world.now + 14 * dayMs),
  }),
} as const satisfies Record<string, DataSet>;
