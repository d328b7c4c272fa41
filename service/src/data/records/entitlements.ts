/** Entitlement permissions, used by account roles and access assignments. */
import type { Static } from 'typebox';
import type { EntitlementSpecification } from '#api/contract/records/shared.ts';
import type { World } from '../company/world.ts';
import { metadataItem, ownersOf, whereActivityIs } from './structures.ts';

const reviewed = metadataItem('access', 'isReviewed', 'array_boolean', [true]);
const whileSignedIn = whereActivityIs(['Login.Success']);

export function entitlement(
  world: World,
  about: {
    readonly topic: string;
    readonly index: number;
    readonly resource: string;
    readonly isPrivileged: boolean;
    /** The kind of ID used in references. */
    readonly ids: 'local' | 'global';
  },
): Static<typeof EntitlementSpecification> {
  const { chance } = world;
  const { topic, index, resource, isPrivileged, ids } = about;
  const key = resource.toLowerCase().replaceAll(' ', '_');
  const may = (probability: number, salt: number): boolean =>
    isPrivileged || chance.isTrue(probability, topic, index, salt);
  const canUpdate = may(0.4, 1);
  return {
    inferenceConfidence: 1,
    isInferred: false,
    reason: 'AccessControl',
    reasonSpecificData: {
      enabled: true,
      accessControlMetadata: isPrivileged ? [reviewed] : [],
      ...(isPrivileged ? { conditions: whileSignedIn, sourceTag: 'privileged-access' } : {}),
      ...(chance.isTrue(0.1, 'requestable', index)
        ? {
            shareableUri: `https://access.example.com/request/${key}`,
            shareableUriLabel: `Ask for ${resource}`,
          }
        : {}),
      description: `${canUpdate ? 'Change' : 'Read'} ${resource}`,
      name: `${resource} ${isPrivileged ? 'full control' : canUpdate ? 'change' : 'read'}`,
      type: 'Grant',
      permissions: {
        fineGrainedResourceClass: 'Resource',
        fineGrainedSpecifiers: [`${key}:${canUpdate ? 'write' : 'read'}`],
        isCreate: may(0.3, 2),
        isDelete: may(0.12, 3),
        isExecute: may(0.2, 4),
        isPrivileged,
        isRead: true,
        isShare: may(0.15, 5),
        isUpdate: canUpdate,
        ...(isPrivileged
          ? {
              ownershipLevel: 'Owner',
              formattedScopes: { specifiers: [`${key}.all`], type: 'OAuth' },
              permissionGroupId: `${key}-owners`,
            }
          : {}),
        owners: isPrivileged ? ownersOf(world, index % Math.min(5, world.personCount), ids) : [],
        specificationMetadata: isPrivileged ? [reviewed] : [],
      },
    },
  };
}
