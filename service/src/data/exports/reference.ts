/** Reference data: application resources, unmanaged applications, and service administrators. */
import { dayMs } from '#service/options.ts';
import { iso, type World } from '../company/world.ts';
import { dataSet, ids, type DataSet } from './data-set.ts';
import { resources } from './subjects.ts';

const unmanaged = [
  ['Diagram Maker', 'Design'],
  ['Meeting Notes', 'Productivity'],
  ['Form Builder', 'Surveys'],
  ['Personal Mailer', 'Marketing'],
  ['Screen Recorder', 'Productivity'],
  ['File Drop', 'File sharing'],
  ['Password Notes', 'Security'],
  ['Text Rewriter', 'Artificial intelligence'],
  ['Travel Planner', 'Travel'],
  ['Code Snippets', 'Development'],
] as const;

interface Unmanaged {
  readonly index: number;
  readonly name: string;
  readonly category: string;
}

interface PlatformUser {
  readonly index: number;
  readonly role: string;
  readonly lastSignInAt: number;
}

const platformRoles = ['Tenant Administrator', 'Administrator', 'Operator', 'Auditor', 'Reviewer'] as const;
const platformUserCount = 14;

/** Yields administrators of the service, not its subjects. */
function* platformUsers(world: World): Generator<PlatformUser, void, undefined> {
  for (let index = 0; index < platformUserCount; index += 1) {
    const role = index === 0 ? platformRoles[0] : (platformRoles[1 + (index % 4)] ?? platformRoles[4]);
    const lastSignInAt = world.now - Math.floor(world.chance.unit('platform-sign-in', index) * 30 * dayMs);
    yield { index, role, lastSignInAt };
  }
}

export const referenceSets = {
  resourceInstances: dataSet(() => resources, {
    ...ids('resource'),
    name: ({ name }) => name,
    applicationInstanceId: ({ applicationIndex }, world) => world.instanceId(applicationIndex),
    applicationName: ({ application }) => application.name,
    resourceClass: () => 'Resource',
    classification: ({ application }) =>
      ['fin', 'pay', 'dwh'].includes(application.key) ? 'Confidential' : 'Internal',
  }),
  unmanagedApplications: dataSet(
    (): Unmanaged[] => unmanaged.map(([name, category], index) => ({ index, name, category })),
    {
      ...ids('unmanaged'),
      name: ({ name }) => name,
      category: ({ category }) => category,
      foundBy: ({ index }) => (index % 2 === 0 ? 'SignInLog' : 'BrowserPlugin'),
      userCount: ({ index }, world) => 1 + world.chance.below(world.personCount, 'unmanaged-users', index),
      riskLevel: ({ index }, world) => world.chance.pick(['Low', 'Medium', 'High'], 'unmanaged-risk', index),
      firstSeenDate: ({ index }, world) =>
        iso(world.now - (10 + world.chance.below(300, 'unmanaged-seen', index)) * dayMs),
    },
  ),
  platformUsers: dataSet(platformUsers, {
    ...ids('platformuser'),
    name: ({ index }) => `Platform user ${index + 1}`,
    email: ({ index }) => `platform${index + 1}@example.com`,
    platformRole: ({ role }) => role,
    status: ({ index }) => (index === platformUserCount - 1 ? 'Invited' : 'Active'),
    signInMethod: ({ index }) => (index < 2 ? 'Password' : 'SSO'),
    lastSignInDate: ({ index, lastSignInAt }) =>
      index === platformUserCount - 1 ? undefined : iso(lastSignInAt),
  }),
} as const satisfies Record<string, DataSet>;
