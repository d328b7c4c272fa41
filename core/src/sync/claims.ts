/**
 * Which folders of this user own which names of a service. Two repositories that own the same names would each delete
 * or rename what the other one adds, so the second push is refused. A claim is what the other folder still says of
 * itself: one that is gone, or that owns other names now, claims nothing.
 */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { Facts } from '../memory/facts.ts';
import type { AgreedStore } from './agreed-store.ts';
import { isSamePlace, placeOfRemote } from './git/place-of-remote.ts';
import { overlaps, readScope, type Under } from './scope.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

interface Claim {
  /** The query folder. */
  readonly root: string;
  /** What clones and worktrees of a repository have in common: they own the same names together. */
  readonly origin: string;
}

const claimsMax = 1_000;

/** @throws SyncError if another repository owns some of the names. */
export async function claimScope(
  { root, repository }: Workspace,
  under: Under,
  { store, service }: { readonly store: AgreedStore; readonly service: string },
): Promise<void> {
  const claims = new Facts(store.memory, { noun: 'claims', scope: service, parse: claimIn });
  const origin = await repository.origin();
  const before = await claims.all();
  for (const claim of before.values()) {
    if (isSamePlace(claim.origin, origin) || claim.root === root) continue;
    const other = await readScope(claim.root).catch(() => undefined); // no longer a folder of queries
    if (other !== undefined && overlaps(other, under))
      throw new SyncError(
        'name',
        t(
          'Two repositories own the same names: "{0}" in {1}, and "{2}" in {3}. Nothing was sent. Change the scope of one of them.',
          under,
          root,
          other,
          claim.root,
        ),
      );
  }
  if (before.get(root)?.origin === origin) return;
  await store.ifWritable(() =>
    claims.change((rows) => {
      rows.put(root, { root, origin });
      rows.keepNewest(claimsMax);
    }),
  );
}

function claimIn(value: unknown): Claim | undefined {
  if (!isObject(value)) return undefined;
  const { root, origin } = value;
  // Earlier versions kept the address as it was.
  return typeof root === 'string' && typeof origin === 'string'
    ? { root, origin: placeOfRemote(origin) }
    : undefined;
}
