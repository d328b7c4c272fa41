/**
 * Allows one pull or push of a folder at a time across all programs, since two at once would overwrite each other's
 * index.
 */
import { ProcessLock } from '#base/files/process-lock.ts';
import { t } from '#base/texts.ts';
import type { AgreedStore } from './agreed-store.ts';
import { SyncError } from './sync-error.ts';

/** @throws SyncError while another pull or push is running. */
export async function whileLocked<Value>(store: AgreedStore, work: () => Promise<Value>): Promise<Value> {
  const taken = await store.ifWritable(() => ({ lock: ProcessLock.try(store.lockFile) }));
  if (taken !== undefined && taken.lock === undefined)
    throw new SyncError(
      'busy',
      t(
        'Another pull or push of this folder is under way, here or in another program. Try again when it is done.',
      ),
    );
  try {
    return await work();
  } finally {
    // The file is kept. Otherwise, one program could lock the removed file while another locks a new one.
    taken?.lock?.release();
  }
}
