/** Makes archives reproducible: they do not depend on the machine's time zone or file permissions. */
import { chmodSync } from 'node:fs';

/**
 * Returns environment variables for packaging tools.
 * @param {number} seconds the commit's time in seconds since 1970
 * @returns {Record<string, string>}
 */
export function archiveEnvironment(seconds) {
  // ZIP files contain local times.
  return { SOURCE_DATE_EPOCH: String(seconds), TZ: 'UTC' };
}

/**
 * Sets fixed permissions, so that the archive does not depend on the checkout's umask.
 * @param {readonly string[]} files
 */
export function setArchiveModes(files) {
  for (const file of files) chmodSync(file, 0o644);
}
