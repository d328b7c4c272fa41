/** Account risks, derived from the synthetic company. */
import { dayMs } from '#service/options.ts';
import { iso, type AccountFacts, type World } from '../company/world.ts';
import { dataSet, ids, type Columns, type DataSet } from './data-set.ts';
import { accountColumns, accounts, hasMfa, isEnabled, isoOr, ownerEmail, within } from './subjects.ts';

const kinds = {
  LeaverStillEnabled: {
    severity: 'Critical',
    score: 92,
    category: 'Lifecycle',
    remedy: 'Disable the account.',
  },
  AdminWithoutMfa: { severity: 'High', score: 81, category: 'Authentication', remedy: 'Enroll a method.' },
  ServiceAccountWithoutOwner: {
    severity: 'High',
    score: 74,
    category: 'Ownership',
    remedy: 'Name an owner.',
  },
  DormantAdmin: { severity: 'Medium', score: 58, category: 'Privilege', remedy: 'Take the role back.' },
  NeverUsed: { severity: 'Low', score: 22, category: 'Utilization', remedy: 'Ask whether it is needed.' },
} as const;
type RiskKind = keyof typeof kinds;
const order = Object.keys(kinds);

interface Risk {
  /** Index among all risk slots. Each account has one slot per kind. */
  readonly index: number;
  readonly kind: RiskKind;
  readonly account: AccountFacts;
  readonly foundAt: number;
}

function kindsOf(world: World, account: AccountFacts): RiskKind[] {
  if (!isEnabled(world, account)) return [];
  const { last, count } = world.usage(account);
  const found: Readonly<Record<RiskKind, boolean>> = {
    LeaverStillEnabled: account.person?.leftAt !== undefined,
    AdminWithoutMfa: account.isAdmin && account.person !== undefined && !hasMfa(world, account),
    ServiceAccountWithoutOwner: account.kind === 'service' && ownerEmail(world, account) === undefined,
    DormantAdmin: account.isAdmin && count === 0,
    NeverUsed: last === undefined,
  };
  return (Object.keys(found) as RiskKind[]) // the keys of a literal of this type
    .filter((kind) => found[kind]);
}

function* risks(world: World): Generator<Risk, void, undefined> {
  for (const account of accounts(world)) {
    for (const kind of kindsOf(world, account)) {
      const index = account.index * order.length + order.indexOf(kind);
      const days = 1 + world.chance.below(90, 'risk-found', index);
      yield { index, kind, account, foundAt: Math.max(account.createdAt, world.now - days * dayMs) };
    }
  }
}

/** A weekly scan in which the risk was still present. */
interface Sighting {
  readonly index: number;
  readonly risk: Risk;
  readonly at: number;
}

const mostSightings = 13;

function* sightings(world: World): Generator<Sighting, void, undefined> {
  for (const risk of risks(world)) {
    let number = 0;
    for (let at = risk.foundAt; at < world.now && number < mostSightings; at += 7 * dayMs, number += 1)
      yield { index: risk.index * mostSightings + number, risk, at };
  }
}

interface Assessed {
  readonly index: number;
  readonly account: AccountFacts;
  readonly risks: readonly RiskKind[];
}

function* assessed(world: World): Generator<Assessed, void, undefined> {
  for (const account of accounts(world)) {
    const found = kindsOf(world, account);
    if (found.length > 0) yield { index: account.index, account, risks: found };
  }
}

const ofAccount = within(({ account }: { readonly account: AccountFacts }) => account, accountColumns);

const statusOf = ({ index }: Risk, world: World): string =>
  world.chance.pickWeighted(
    [
      ['Open', 70],
      ['InProgress', 20],
      ['Accepted', 10],
    ] as const,
    'risk-status',
    index,
  );

const riskColumns: Columns<Risk> = {
  ...ids('risk'),
  riskType: ({ kind }) => kind,
  severity: ({ kind }) => kinds[kind].severity,
  status: statusOf,
};

export const riskSets = {
  risks: dataSet(risks, {
    ...riskColumns,
    ...ofAccount,
    firstSeenDate: ({ foundAt }) => iso(foundAt),
  }),
  risksV2: dataSet(risks, {
    ...riskColumns,
    category: ({ kind }) => kinds[kind].category,
    score: ({ kind }) => kinds[kind].score,
    affectedObject: ({ account }, world) => ({
      type: 'Account',
      globalId: world.ids.of('account', account.index),
      name: account.alias,
    }),
    assigneeEmail: ({ account }, world) => ownerEmail(world, account),
    remediation: ({ kind }) => kinds[kind].remedy,
    firstSeenDate: ({ foundAt }) => iso(foundAt),
    lastSeenDate: (_, world) => world.generatedAt,
  }),
  riskMonitoringDetail: dataSet(sightings, {
    ...ids('risksighting'),
    riskGlobalId: ({ risk }, world) => world.ids.of('risk', risk.index),
    riskType: ({ risk }) => risk.kind,
    checkedDate: ({ at }) => iso(at),
    score: ({ risk }) => kinds[risk.kind].score,
    isNew: ({ at, risk }) => at === risk.foundAt,
    accountAlias: ({ risk }) => risk.account.alias,
  }),
  identityAssessmentRiskDownload: dataSet(assessed, {
    ...ids('account'),
    ...ofAccount,
    riskScore: ({ risks }) => risks.reduce((most, kind) => Math.max(most, kinds[kind].score), 0),
    riskLevel: ({ risks }) => kinds[risks[0] ?? 'NeverUsed'].severity,
    factors: ({ risks }) => risks,
    lastActivityDate: ({ account }, world) => isoOr(world.usage(account).last),
  }),
} as const satisfies Record<string, DataSet>;
