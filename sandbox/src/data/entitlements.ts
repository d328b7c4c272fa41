/** What an entitlement allows, for account roles and access assignments. */
import type { Static } from 'typebox';
import type { EntitlementSpecification } from '../../../api/contract/shared.ts';
import type { World } from './world.ts';

export function entitlement(
  world: World,
  about: {
    readonly topic: string;
    readonly index: number;
    readonly resource: string;
    readonly isPrivileged: boolean;
  },
): Static<typeof EntitlementSpecification> {
  const { chance } = world;
  const { topic, index, resource, isPrivileged } = about;
  const may = (probability: number, salt: number): boolean =>
    isPrivileged || chance.isTrue(probability, topic, index, salt);
  const canUpdate = may(0.4, 1);
  return {
    inferenceConfidence: 1,
    isInferred: false,
    reason: 'AccessControl',
    reasonSpecificData: {
      enabled: true,
      accessControlMetadata: [],
      description: `${canUpdate ? 'Change' : 'Read'} ${resource}`,
      name: `${resource} ${isPrivileged ? 'full control' : canUpdate ? 'change' : 'read'}`,
      type: 'Grant',
      permissions: {
        fineGrainedResourceClass: 'Resource',
        fineGrainedSpecifiers: [
          `${resource.toLowerCase().replaceAll(' ', '_')}:${canUpdate ? 'write' : 'read'}`,
        ],
        isCreate: may(0.3, 2),
        isDelete: may(0.12, 3),
        isExecute: may(0.2, 4),
        isPrivileged,
        isRead: true,
        isShare: may(0.15, 5),
        isUpdate: canUpdate,
        ...(isPrivileged ? { ownershipLevel: 'Owner' } : {}),
        owners: [],
        specificationMetadata: [],
      },
    },
  };
}
