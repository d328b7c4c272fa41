/** Checks before any request whether a target can be written. */
import { diskWords } from '#base/files/disk-messages.ts';
import { requireTarget, type TargetPlace } from '#base/files/target-file.ts';
import { CliError } from './context.ts';

/** @throws CliError */
export async function requireFolder(target: string): Promise<TargetPlace> {
  try {
    return await requireTarget(target);
  } catch (error) {
    throw new CliError(`"${target}" cannot be written: ${diskWords(error) ?? String(error)}.`, [], {
      cause: error,
    });
  }
}
