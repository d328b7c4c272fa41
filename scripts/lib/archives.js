/** Keeps the time zone and the permissions of one machine out of archives, so that each machine makes the same bytes. */
import { chmodSync } from 'node:fs';

/**
 * Environment for the programs that pack.
 * @param {number} seconds the commit's time since 1970
 * @returns {Record<string, string>}
 */
export function archiveEnvironment(seconds) {
  // The times in a ZIP file are local.
  return { SOURCE_DATE_EPOCH: String(seconds), TZ: 'UTC' };
}

/**
 * The umask of a checkout must not reach the archive.
 * @param {readonly string[]} files
 */
export function setArchiveModes(files) {
  for (const file of files) chmodSync(file, 0o644);
}
