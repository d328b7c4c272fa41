/** What a folder's connection has by itself, and what only once a person said yes to it. No editor API. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../util/canonical-json.ts';
import type { ConnectionProfile, FolderAnswer, FolderEntry, Powers } from './connection-profile.ts';

/** What was said to a folder's entry, by its digest. */
export type AnswerOf = (digest: string) => FolderAnswer | undefined;

/** @param written all that the folder's entry says, as if it were the user's own. */
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

/** The same connection after a person answered. */
export function withAnswer(profile: ConnectionProfile, answer: FolderAnswer): ConnectionProfile {
  const { folderEntry } = profile;
  return folderEntry === undefined ? profile : inForce(asWritten(profile), { ...folderEntry, answer });
}

/** All that the entry says, whether it is in force or not: for whoever edits it. */
export function asWritten({ folderEntry, ...profile }: ConnectionProfile): ConnectionProfile {
  return { ...profile, ...folderEntry?.wants };
}

/** What the folder wants and is not in force; undefined: nothing. */
export function heldBack({ folderEntry }: ConnectionProfile): Powers | undefined {
  return folderEntry?.answer === 'allowed' ? undefined : folderEntry?.wants;
}

/** Whether a person has to be asked before anything connects. */
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

/** What comes with a folder opens nothing to agents, whatever a person said to it: it may only close columns. */
export function withoutAgents(profile: ConnectionProfile): ConnectionProfile {
  const closing = profile.sensitiveColumns?.filter((pattern) => !pattern.trim().startsWith('!'));
  return { ...profile, ai: undefined, sensitiveColumns: closing };
}
