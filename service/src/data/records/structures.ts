/**
 * Structures shared by several kinds of records: offices, conditions, policies, permissions. Those that do
 * not depend on a record are created only once, since a large company has millions of records.
 */
import type { Static } from 'typebox';
import type {
  AuthorizedLocationPolicy,
  Conditions,
  Location,
  MetadataItem,
  MethodSelectionPolicy,
  PermissionSet,
  ProvisioningParticipant,
} from '#api/contract/records/shared.ts';
import type { World } from '../company/world.ts';
import { localId } from './record.ts';

type Permissions = Static<typeof PermissionSet>;

export function metadataItem(
  namespace: string,
  name: string,
  type: string,
  value: unknown,
): Static<typeof MetadataItem> {
  return { id: `${namespace}.${name}`, name, namespace, type, value };
}

/** The offices. Each has a quarter of the company's address range. */
const offices: readonly [Static<typeof Location>, ...Static<typeof Location>[]] = [
  office('Amsterdam', 0, { latitude: 52.3702, longtitude: 4.8952 }),
  office('São Paulo', 64, { latitude: -23.5505, longtitude: -46.6333 }),
  office('Bengaluru', 128, { latitude: 12.9716, longtitude: 77.5946 }),
  office('Seattle', 192, { latitude: 47.6062, longtitude: -122.3321 }),
];

function office(
  name: string,
  firstAddress: number,
  geoLocation: { latitude: number; longtitude: number },
): Static<typeof Location> {
  return {
    type: 'Network',
    typeSpecificData: {
      name,
      ipAddressInclusions: [`192.0.2.${firstAddress}/26`],
      // The guest segment of each office's network.
      ipAddressExclusions: [`192.0.2.${firstAddress + 56}/29`],
      supplementaryInformation: {
        geoLocation,
        additionalLocationMetadata: [metadataItem('location', 'isStaffed', 'array_boolean', [true])],
      },
    },
  };
}

/** Returns the office of a company network address, or undefined for an outside address. */
export function officeOf(ipAddress: string): Static<typeof Location> | undefined {
  const last = /^192\.0\.2\.(\d+)$/.exec(ipAddress)?.[1];
  return last === undefined ? undefined : offices[Math.floor(Number(last) / 64)];
}

export function officeAt(index: number): Static<typeof Location> {
  return offices[index % offices.length] ?? offices[0];
}

export const anywhere: Static<typeof AuthorizedLocationPolicy> = {
  isInherited: true,
  policy: { allowAll: true, authorizedLocations: [] },
};

export const headquartersOnly: Static<typeof AuthorizedLocationPolicy> = {
  isInherited: false,
  policy: { allowAll: false, authorizedLocations: [offices[0]] },
};

/** Returns a condition that applies to these activity types. */
export function whereActivityIs(activityTypes: readonly string[]): Static<typeof Conditions> {
  return {
    context: [metadataItem('condition', 'evaluatedPerSession', 'array_boolean', [true])],
    overrides: ['AllowAdmin'],
    rootOperator: {
      type: 'Array',
      operator: {
        isArrayGeneratingDynamicValue: false,
        arrayOpKey: {
          type: 'Function',
          value: 'activityType',
          keySpecification: { parameters: [metadataItem('function', 'scope', 'string', 'session')] },
        },
        arrayOpType: 'In',
        arrayOpValue: {
          values: activityTypes.map((type) => ({
            staticConditionValueType: 'activity_type',
            staticConditionValueData: type,
          })),
        },
      },
    },
  };
}

/** The sign-in policy for administrators: only from headquarters, and without text messages as a factor. */
export const administratorPolicy: Static<typeof MethodSelectionPolicy> = {
  accountConditions: whereActivityIs(['Login.Success']),
  assignedApplicationConditions: whereActivityIs(['Authorization.Access.Granted', 'Account.Impersonated']),
  authorizedLocations: headquartersOnly,
  excludedAuthenticationMethods: [{ type: 'SMS', description: 'Code by text message' }],
  includedAuthenticationMethods: [{ type: 'FIDO2', description: 'Hardware security key' }],
};

/** Provisioning of accounts that are created from the directory and kept in sync with it. */
export const followsDirectory: Static<typeof ProvisioningParticipant> = {
  authenticationKey: 'email',
  syncKey: 'employeeNumber',
  syncMethod: 'ApplicationSpecific',
  entitySync: {
    protocol: 'AD',
    protocolControls: ['Create'],
    attributeControls: [
      {
        id: 'department',
        sourceAttributeName: 'department',
        targetAttributeName: 'department',
        sourceEntityType: 'Account',
        targetEntityType: 'Account',
        attributeSync: ['OnCreate'],
      },
    ],
  },
};

/** Returns owners, chosen from the first directory accounts, which exist in every company. */
export function ownersOf(world: World, account: number, ids: 'local' | 'global'): Permissions['owners'] {
  return [
    {
      federationInformation: { isFederated: true, authenticationKey: world.person(account).email },
      objectId: ids === 'local' ? localId('account', account) : world.ids.of('account', account),
      objectType: 'Account',
    },
  ];
}

/** Returns OAuth scopes granted to a program. */
export function scopedPermissions(
  world: World,
  { key, ids }: { readonly key: string; readonly ids: 'local' | 'global' },
): Permissions {
  return {
    fineGrainedResourceClass: 'Resource',
    fineGrainedSpecifiers: [`${key}:read`, `${key}:run`],
    formattedScopes: { specifiers: [`${key}.read`, `${key}.run`], type: 'OAuth' },
    isCreate: false,
    isDelete: false,
    isExecute: true,
    isPrivileged: false,
    isRead: true,
    isShare: false,
    isUpdate: false,
    ownershipLevel: 'Owner',
    owners: ownersOf(world, 0, ids),
    permissionGroupId: `${key}-automation`,
    specificationMetadata: [metadataItem(key, 'isReviewed', 'array_boolean', [true])],
  };
}

/** The container of a directory entry is the directory itself. */
export function directoryContainer(world: World) {
  return {
    objectDirectoryContainerId: localId('instance', 0),
    globalObjectDirectoryContainerId: world.instanceId(0),
    objectDirectoryContainerFederation: { isFederated: false, authenticationKey: 'distinguishedName' },
  };
}
