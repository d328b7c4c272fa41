/**
 * Determines which permissions of a folder's connection are in effect, and which the user must allow first. Does not
 * depend on the editor.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../rows/canonical-json.ts';
import type { ConnectionProfile, FolderAnswer, FolderEntry, Powers } from './connection-profile.ts';

/** Returns the user's answer to a folder's entry by digest, if any. */
export type AnswerOf = (digest: string) => FolderAnswer | undefined;

/** @param written the whole entry, as if it were the user's own. */
export function connectionOfFolder(
  written: ConnectionProfile,
  { folder, uri }: Pick<FolderEntry, 'folder' | 'uri'>,
  answerOf: AnswerOf,
): ConnectionProfile {
  const digest = createHash('sha256')
    .update(canonicalJson([uri, written]))
    .digest('hex');
  return inForce(written, { folder, uri, digest, wants: powersOf(written), answer: answerOf(digest) });
}

/** Returns the connection with the user's answer applied. */
export function withAnswer(profile: ConnectionProfile, answer: FolderAnswer): ConnectionProfile {
  const { folderEntry } = profile;
  return folderEntry === undefined ? profile : inForce(asWritten(profile), { ...folderEntry, answer });
}

/** Returns the whole entry for editing, including permissions that are not in effect. */
export function asWritten({ folderEntry, ...profile }: ConnectionProfile): ConnectionProfile {
  return { ...profile, ...folderEntry?.wants };
}

/** Returns the requested permissions that are not in effect; undefined if there are none. */
export function heldBack({ folderEntry }: ConnectionProfile): Powers | undefined {
  return folderEntry?.answer === 'allowed' ? undefined : folderEntry?.wants;
}

/** Returns whether the user must be asked before connecting. */
export function isUnanswered(profile: ConnectionProfile): boolean {
  return heldBack(profile) !== undefined && profile.folderEntry?.answer === undefined;
}

function powersOf({ allowChanges, allowPlainHttp, secretSource }: ConnectionProfile): Powers | undefined {
  const isPlain = !allowChanges && !allowPlainHttp && secretSource === undefined;
  return isPlain ? undefined : { allowChanges, allowPlainHttp, secretSource };
}

function inForce(written: ConnectionProfile, folderEntry: FolderEntry): ConnectionProfile {
  const own = withoutAgents(written);
  return folderEntry.answer === 'allowed'
    ? { ...own, folderEntry }
    : { ...own, allowChanges: false, allowPlainHttp: false, secretSource: undefined, folderEntry };
}

/**
 * Removes what a folder must not grant. Even if the user allowed the entry, a folder never gives agents access; it may
 * only hide columns.
 */
export function withoutAgents(profile: ConnectionProfile): ConnectionProfile {
  const closing = profile.sensitiveColumns?.filter((pattern) => !pattern.trim().startsWith('!'));
  return { ...profile, ai: undefined, sensitiveColumns: closing };
}
