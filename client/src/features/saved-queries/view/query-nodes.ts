/** Rows of the Saved Queries view. Nodes identify rows and have no mutable state, so the same objects can be reused. */
import type { MessageNode } from '#client/ui/message-node.ts';
import type { KnownVersion } from '#core/saved-queries/version-store.ts';

export interface QueryNode {
  readonly kind: 'query';
  readonly queryId: string;
  /** Key of the row's group, since a favorite has two rows. */
  readonly groupKey: string;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly key: string;
}

export interface VersionNode {
  readonly kind: 'version';
  readonly queryId: string;
  readonly version: number;
  readonly parent: QueryNode;
  readonly kept: KnownVersion;
  /** Which of the records with this version number: a service that was restored gives a number again. */
  readonly place: number;
  /** Whether an earlier version is known. */
  readonly hasPrevious: boolean;
  /** The name before, if the version only changed that. */
  readonly nameBefore: string | undefined;
}

/** A row that shows more rows of a long group. */
export interface MoreNode {
  readonly kind: 'more';
  readonly groupKey: string;
  readonly left: number;
}

export type SavedQueryNode = QueryNode | GroupNode | VersionNode | MoreNode | MessageNode;

/** Returns the ID by which the editor stores selection and expansion. */
export function idOfQueryNode(node: Pick<QueryNode, 'groupKey' | 'queryId'>): string {
  return `query:${node.groupKey}:${node.queryId}`;
}
