/** Identity lifecycle: joiners, movers and leavers, and the resulting actions on accounts, applications and groups. */
import { dayMs } from '#service/options.ts';
import { departments } from '../company/words.ts';
import { iso, type AccountFacts, type Person, type World } from '../company/world.ts';
import { dataSet, ids, type Columns, type DataSet } from './data-set.ts';
import { accountsOf, employees, firstGroup, within, type Group } from './subjects.ts';

const eventTypes = ['Joiner', 'Mover', 'Leaver'] as const;

interface LifecycleEvent {
  readonly index: number;
  readonly type: (typeof eventTypes)[number];
  readonly person: Person;
  readonly at: number;
}

function* events(world: World): Generator<LifecycleEvent, void, undefined> {
  for (const person of employees(world)) {
    const index = person.index * eventTypes.length;
    yield { index, type: 'Joiner', person, at: person.joinedAt };
    const until = person.leftAt ?? world.now;
    if (world.chance.isTrue(0.15, 'moved', person.index)) {
      const at = person.joinedAt + world.chance.unit('moved-at', person.index) * (until - person.joinedAt);
      yield { index: index + 1, type: 'Mover', person, at: Math.floor(at) };
    }
    if (person.leftAt !== undefined) yield { index: index + 2, type: 'Leaver', person, at: person.leftAt };
  }
}

/** An action caused by a lifecycle event. Granting and removing access takes time, and movers keep their accounts. */
interface Action {
  readonly index: number;
  readonly event: LifecycleEvent;
}
interface AccountAction extends Action {
  readonly account: AccountFacts;
}
interface GroupAction extends Action {
  readonly group: Group;
}

function* accountActions(world: World): Generator<AccountAction, void, undefined> {
  for (const event of events(world)) {
    if (event.type === 'Mover') continue;
    for (const account of accountsOf(world, event.person))
      yield { index: account.index * eventTypes.length + eventTypes.indexOf(event.type), event, account };
  }
}

function* groupActions(world: World): Generator<GroupAction, void, undefined> {
  for (const event of events(world)) {
    const group = firstGroup(world, event.person);
    if (group !== undefined) yield { index: event.index, event, group };
  }
}

/** An account counts as forgotten if no action was taken. */
function outcomeOf({ event, account }: AccountAction): string {
  if (event.type === 'Joiner') return 'Completed';
  return account.isEnabled ? 'Failed' : 'Completed';
}

const ofEvent: Columns<Action> = within(({ event }: Action) => event, {
  eventGlobalId: ({ index }, world) => world.ids.of('lifecycleevent', index),
  eventType: ({ type }) => type,
  employeeNumber: ({ person }) => person.employeeNumber,
} satisfies Columns<LifecycleEvent>);

const previous = ({ type, person }: LifecycleEvent, world: World): string | undefined =>
  type === 'Mover' ? world.chance.pick(departments, 'moved-from', person.index).name : undefined;

export const lifecycleSets = {
  ilmEmployeeEvents: dataSet(events, {
    ...ids('lifecycleevent'),
    eventType: ({ type }) => type,
    employeeNumber: ({ person }) => person.employeeNumber,
    name: ({ person }) => person.name,
    email: ({ person }) => person.email,
    department: ({ person }) => person.department,
    previousDepartment: previous,
    effectiveDate: ({ at }) => iso(at),
    source: () => 'Human Resources',
  }),
  ilmEventAccountActions: dataSet(accountActions, {
    ...ids('accountaction'),
    ...ofEvent,
    action: ({ event }) => (event.type === 'Joiner' ? 'CreateAccount' : 'DisableAccount'),
    accountGlobalId: ({ account }, world) => world.ids.of('account', account.index),
    alias: ({ account }) => account.alias,
    applicationName: ({ account }) => account.application.name,
    status: outcomeOf,
    completedDate: (action) =>
      outcomeOf(action) === 'Completed'
        ? iso(action.event.type === 'Joiner' ? action.account.createdAt : action.event.at)
        : undefined,
  }),
  ilmEventApplicationActions: dataSet(accountActions, {
    ...ids('applicationaction'),
    ...ofEvent,
    action: ({ event }) => (event.type === 'Joiner' ? 'AssignApplication' : 'RemoveApplication'),
    applicationInstanceId: ({ account }, world) => world.instanceId(account.applicationIndex),
    applicationName: ({ account }) => account.application.name,
    accountRole: ({ account }) => account.application.roles[account.roleIndex],
    status: outcomeOf,
  }),
  ilmEventGroupActions: dataSet(groupActions, {
    ...ids('groupaction'),
    ...ofEvent,
    action: ({ event }) => (event.type === 'Leaver' ? 'RemoveMember' : 'AddMember'),
    groupGlobalId: ({ group }, world) => world.ids.of('group', group.index),
    groupName: ({ group }) => group.name,
    status: ({ event }) => (event.type === 'Leaver' ? 'Failed' : 'Completed'),
    requestedDate: ({ event }) => iso(event.at),
  }),
  ilmWorkflowEmployeeEvents: dataSet(events, {
    ...ids('workflowrun'),
    eventGlobalId: ({ index }, world) => world.ids.of('lifecycleevent', index),
    workflowName: ({ type }) => `${type} workflow`,
    employeeNumber: ({ person }) => person.employeeNumber,
    status: ({ index }, world) =>
      world.chance.isTrue(0.06, 'workflow-failed', index) ? 'CompletedWithErrors' : 'Completed',
    startedDate: ({ at }) => iso(at),
    endedDate: ({ at, index }, world) => iso(at + world.chance.below(dayMs, 'workflow-time', index)),
    accountActions: ({ type, person }, world) => (type === 'Mover' ? 0 : accountsOf(world, person).length),
  }),
} as const satisfies Record<string, DataSet>;
