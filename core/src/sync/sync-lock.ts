/**
 * Allows one pull or push of a folder at a time across all programs, since two at once would overwrite each other's
 * index.
 */
import path from 'node:path';
import { ProcessLock } from '#base/files/process-lock.ts';
import { t } from '#base/texts.ts';
import { dataNotWritable, isNotWritable, type AgreedStore } from './agreed-store.ts';
import { SyncError } from './sync-error.ts';

/** @throws SyncError while another pull or push is running. */
export async function whileLocked<Value>(store: AgreedStore, work: () => Promise<Value>): Promise<Value> {
  const lock = takeLock(store);
  if (lock === 'none') return await work();
  if (lock === undefined)
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
    lock.release();
  }
}

function takeLock({ lockFile: file, isOptional }: AgreedStore): ProcessLock | 'none' | undefined {
  try {
    return ProcessLock.try(file);
  } catch (error) {
    const told = dataNotWritable(path.dirname(file), error);
    if (isOptional && isNotWritable(told)) return 'none';
    throw told;
  }
}
