/**
 * Which folders of this user own which names of a service. Two repositories that own the same names would each delete
 * or rename what the other one adds, so the second push is refused. A claim is what the other folder still says of
 * itself: one that is gone, or that owns other names now, claims nothing.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { makePrivateFolder, putInPlace, writePrivateFile } from '#base/files/private-file.ts';
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { dataNotWritable, isNotWritable } from './agreed-store.ts';
import { overlaps, readScope, type Under } from './scope.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

interface Claim {
  /** The query folder. */
  readonly root: string;
  /** Where the repository comes from; clones of one repository own the same names together. */
  readonly origin: string;
}

const claimsMax = 1_000;

/** @throws SyncError if another repository owns some of the names. */
export async function claimScope(
  { root, repository }: Workspace,
  under: Under,
  {
    dataFolder,
    service,
    isOptional,
  }: {
    readonly dataFolder: string;
    readonly service: string;
    /** Whether local data may be missing: see `AgreedStore`. */
    readonly isOptional: boolean;
  },
): Promise<void> {
  const file = path.join(dataFolder, 'sync', `claims-${service}.json`);
  const origin = (await repository.origin()) ?? repository.top;
  const before = await readClaims(file);
  for (const claim of before) {
    if (claim.origin === origin || claim.root === root) continue;
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
  const own = before.find((claim) => claim.root === root);
  if (own?.origin === origin) return;
  const claims = [...before.filter((claim) => claim.root !== root), { root, origin }].slice(-claimsMax);
  try {
    await makePrivateFolder(path.dirname(file));
    const draft = `${file}.${draftEnding()}`;
    await writePrivateFile(draft, JSON.stringify(claims));
    await putInPlace(draft, file);
  } catch (error) {
    const told = dataNotWritable(path.dirname(file), error);
    if (!(isOptional && isNotWritable(told))) throw told;
  }
}

/** A damaged file claims nothing. */
async function readClaims(file: string): Promise<readonly Claim[]> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Array.isArray(value) ? (value as unknown[]).flatMap(claimIn) : [];
  } catch (error) {
    if (isMissingFile(error) || error instanceof SyntaxError) return [];
    throw error;
  }
}

function claimIn(value: unknown): readonly Claim[] {
  if (!isObject(value)) return [];
  const { root, origin } = value;
  return typeof root === 'string' && typeof origin === 'string' ? [{ root, origin }] : [];
}
