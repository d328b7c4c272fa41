/** What the records of every collection have in common. */
import type { World } from './world.ts';

/** The fields every record carries. `kind` names its global ids; `applicationIndex` is where it was gathered. */
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

/** The application's own number of a record. */
export function localId(kind: string, index: number): string {
  return `${kind}-${(index + 1).toString(36).padStart(4, '0')}`;
}
