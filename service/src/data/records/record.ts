/** Fields shared by the records of every collection. */
import type { World } from '../company/world.ts';

/**
 * Returns a record's common fields. `kind` is the kind in its global ID; `applicationIndex` is its source application.
 */
export function recordBase(
  world: World,
  from: {
    readonly kind: string;
    readonly index: number;
    readonly applicationIndex: number;
    readonly profile: string;
    readonly type: string;
  },
) {
  const generated = world.generatedAt;
  return {
    id: localId(from.kind, from.index),
    globalId: world.ids.of(from.kind, from.index),
    objectMetadata: {
      ApplicationInstanceId: world.instanceId(from.applicationIndex),
      GeneratedTime: generated,
      Profile: from.profile,
      ObjectOrRelationshipType: from.type,
    },
    platformObjectMetadata: { enrichmentVersion: '1.0', generatedTime: generated },
  };
}

/** Returns a record's ID within its application. */
export function localId(kind: string, index: number): string {
  return `${kind}-${(index + 1).toString(36).padStart(4, '0')}`;
}
